"""Preparing a corpus: what is written, that nothing is lost, and what happens to bad input."""

import json
import os
import resource
import subprocess
import sys

import pytest

from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.errors import FileError, InputError
from dragoman.layout import CORPUS_REPORT, held_out_files
from dragoman.model.directory import ModelDirectory
from dragoman.training import pipeline
from dragoman.training.stages.prepare import prepare_stage
from dragoman.training.train import open_bitext


def prepare(model, files, dev=None, test=None, **parameters):
    config = PrepareConfig(**({"tokeniser": "whitespace"} | parameters))
    directory = ModelDirectory(model)
    pipeline.run(directory, [prepare_stage(config, files, dev, test)])
    return directory


def plain(write, source, target, name=""):
    return ParallelFile.plain(write(f"{name}s", source), write(f"{name}t", target))


def test_cleaned_split_and_reported(tmp_path, write):
    source = "".join(f"word{n} here\n" for n in range(100)) + "word0 here\n\n"
    target = "".join(f"wort{n} hier\n" for n in range(100)) + "wort0 hier\nx\n"
    directory = prepare(tmp_path / "m", [plain(write, source, target)])
    report = json.loads(directory.file(CORPUS_REPORT).read_text())
    assert report["read"] == 102
    assert report["dropped"]["duplicate"] == report["dropped"]["empty"] == 1
    assert (report["train"], report["dev"], report["test"]) == (90, 5, 5)
    bitext = open_bitext(tmp_path / "m")
    train = {bitext.source_text(i) for i in range(len(bitext))}
    held = [
        line
        for name in ("dev", "test")
        for line in directory.file(held_out_files(name)[0]).read_text().splitlines()
    ]
    assert len(held) == 10
    assert not train & set(held)
    assert train | set(held) == {f"word{n} here" for n in range(100)}


def test_pairs_that_share_a_held_out_source_leave_the_training_text(tmp_path, write):
    source = "".join(f"w{n // 2}\n" for n in range(100))
    target = "".join(f"t{n}\n" for n in range(100))
    directory = prepare(tmp_path / "m", [plain(write, source, target)])
    report = json.loads(directory.file(CORPUS_REPORT).read_text())
    assert report["same source as held-out"] == 10
    assert report["train"] == 80


def test_given_sets_are_used_and_nothing_is_set_aside(tmp_path, write):
    train = plain(write, "a\nb\n" * 30, "x\ny\n" * 30, "train")
    dev = plain(write, "  A  b\n\n", "X y\nz\n", "dev")
    directory = prepare(tmp_path / "m", [train], dev, drop_duplicates=False)
    report = json.loads(directory.file(CORPUS_REPORT).read_text())
    assert (report["train"], report["dev"], report["test"]) == (60, 2, 0)
    names = held_out_files("dev")
    assert [directory.file(name).read_text() for name in names] == [
        "A b\n\n",
        "X y\nz\n",
        "X y\nz\n",
    ]


def test_truecased_text_and_raw_references(tmp_path, write):
    source = "The cat sees Paris.\nIn Paris the cat sleeps.\n" * 2
    target = "Le chat voit Paris.\nÀ Paris, le chat dort.\n" * 2
    train = plain(write, source, target)
    dev = plain(write, "The dog.\n", "Le chien.\n", "dev")
    directory = prepare(
        tmp_path / "m",
        [train],
        dev,
        tokeniser="moses",
        source_language="en",
        target_language="fr",
    )
    bitext = open_bitext(tmp_path / "m")
    assert bitext.source_text(0) == "the cat sees Paris ."
    assert bitext.target_text(1) == "à Paris , le chat dort ."
    assert directory.file("corpus/dev.target").read_text() == "le chien .\n"
    assert directory.file("corpus/dev.reference").read_text() == "Le chien.\n"


def test_reserved_words_in_text_are_ordinary_words(tmp_path, write):
    prepare(tmp_path / "m", [plain(write, "<s> a <unk>\n", "</s> b\n")], test_size=0)
    bitext = open_bitext(tmp_path / "m")
    assert bitext.source_text(0) == "<s> a <unk>"
    assert (bitext.source[0] >= 3).all()


def test_nothing_left(tmp_path, write):
    with pytest.raises(
        InputError, match=r"no sentence pair is left of 2 read \(2 with an empty side\)"
    ):
        prepare(tmp_path / "m", [plain(write, "\n \n", "x\ny\n")])
    assert not (tmp_path / "m" / "corpus").exists()


def test_output_that_cannot_be_written(tmp_path, write):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(FileError, match="file"):
        prepare(tmp_path / "file" / "m", [plain(write, "a\n", "x\n")])


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path, write):
    """A limit on file size stands in for the full disk: writes fail just the same."""
    lines = "".join(f"word{n} and more words\n" for n in range(20_000))
    source, target = write("s", lines), write("t", lines.upper())

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    result = subprocess.run(
        [sys.executable, "-m", "dragoman", "corpus", "prepare", "-s", source, "-t", target]
        + ["-o", tmp_path / "m"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
        env={**os.environ, "PYTHONFAULTHANDLER": "0"},
    )
    assert result.returncode == 1
    errors = [line for line in result.stderr.splitlines() if "error" in line]
    assert errors == [line for line in errors if "File too large" in line]
    assert len(errors) == 1
    left = {path.name for path in (tmp_path / "m").rglob("*") if path.is_file()}
    assert left <= {".lock"}


@pytest.mark.parametrize(
    ("source", "target"),
    [("multi30k/train.de", "multi30k/train.en"), ("kftt/dev.ja", "kftt/dev.en")],
)
def test_real_text_comes_back_unchanged(tmp_path, data, source, target):
    files = [ParallelFile.plain(data(source), data(target))]
    prepare(
        tmp_path / "m",
        files,
        drop_duplicates=False,
        drop_copies=False,
        max_words=1000,
        max_ratio=1000,
        dev_size=0,
        test_size=0,
    )
    bitext = open_bitext(tmp_path / "m")
    with data(source).open(encoding="utf-8") as left, data(target).open(encoding="utf-8") as right:
        pairs = [
            (" ".join(a.split()), " ".join(b.split())) for a, b in zip(left, right, strict=True)
        ]
    pairs = [pair for pair in pairs if all(pair)]
    assert len(bitext) == len(pairs)
    for index in range(0, len(pairs), 97):
        assert (bitext.source_text(index), bitext.target_text(index)) == pairs[index]
