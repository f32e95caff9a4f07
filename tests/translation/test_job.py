"""Whole jobs of translating, from a model directory."""

import json
import shutil
import subprocess
import sys

import pytest
from tests.search.tiny import make_model, sentence

from dragoman.errors import InputError, ModelError
from dragoman.layout import (
    LANGUAGE_MODEL,
    PHRASES,
    SEARCH,
    SOURCE_VOCABULARY,
)
from dragoman.model.bundle import Bundle
from dragoman.search.options import SearchOptions, save_options
from dragoman.search.stack import PhraseSearch
from dragoman.translation.translator import Translator

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    files, directory = tmp_path_factory.mktemp("files"), tmp_path_factory.mktemp("model")
    return make_model(files, directory, options=4)


def run(*arguments, text=b""):
    return subprocess.run(
        [sys.executable, "-m", "dragoman", "translate", *map(str, arguments)],
        input=text,
        capture_output=True,
    )


LINES = [sentence(seed, 6) for seed in range(4)]


def test_lines_keep_their_order_and_number(model):
    text = "\n".join([LINES[0], "", "  ", LINES[1]]) + "\n"
    done = run(model, text=text.encode())
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().split("\n")
    assert len(lines) == 5
    assert lines[1] == lines[2] == lines[4] == ""
    search = PhraseSearch(Bundle.open(model))
    assert [lines[0], lines[3]] == search.translate(LINES[:2])


def test_a_line_is_answered_before_the_next_is_written(model):
    with subprocess.Popen(
        [sys.executable, "-m", "dragoman", "translate", str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        answers = []
        for line in LINES:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            answers.append(process.stdout.readline().rstrip("\n"))
        process.stdin.close()
        assert process.stdout.read() == ""
    assert process.returncode == 0
    assert answers == PhraseSearch(Bundle.open(model)).translate(LINES)


def test_bad_lines_do_not_stop_the_others(model):
    text = b"s0 s1\n\xff\xfe\n<zone>s0\ns1 \x00\x07 s2\ns0\n"
    done = run(model, "--markup", text=text)
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert len(lines) == 5
    assert lines[0] and not lines[1] and not lines[2] and lines[3] and lines[4]
    warnings = done.stderr.decode().splitlines()
    assert "standard input:2: not UTF-8" in warnings[0]
    assert "standard input:3: <zone> is not closed" in warnings[1]
    stopped = run(model, "--markup", "--on-error", "stop", text=text)
    assert stopped.returncode == 1
    assert stopped.stderr.decode().count("\n") == 1


def test_every_output(model, tmp_path):
    source = tmp_path / "source"
    source.write_text("\n".join(LINES) + "\n")
    names = ("nbest", "trace", "graph", "stats", "out")
    nbest, trace, graph, stats, out = (tmp_path / name for name in names)
    done = run(
        *(model, "-i", source, "-o", out, "--nbest", 5, "--nbest-file", nbest, "--distinct"),
        *("--trace", trace, "--graph", graph, "--stats", stats, "--search", "estimate", "-j", 2),
    )
    assert done.returncode == 0, done.stderr
    outputs = out.read_text().splitlines()
    features = Bundle.open(model).features
    weights = Bundle.open(model).weights
    for line in nbest.read_text().splitlines():
        _number, _target, values, score = line.split(" ||| ")
        fields = values.split()
        assert fields[::2] == [f"{name}=" for name in features]
        dot = sum(float(v) * w for v, w in zip(fields[1::2], weights, strict=True))
        assert dot == pytest.approx(float(score), abs=1e-3)
    first = nbest.read_text().splitlines()[0]
    assert first.split(" ||| ")[:2] == ["0", outputs[0]]
    stories = [json.loads(line) for line in trace.read_text().splitlines()]
    assert [story["target"] for story in stories] == outputs
    for story in stories:
        assert " ".join(p["target"] for p in story["phrases"]) == story["target"]
        for name in features:
            total = sum(phrase["features"].get(name, 0) for phrase in story["phrases"])
            assert total == pytest.approx(story["features"].get(name, 0), abs=1e-3)
    entries = [json.loads(line) for line in graph.read_text().splitlines()]
    assert sum("nodes" in entry for entry in entries) == 4
    assert entries[0]["edges"] == sum(e["sentence"] == 0 for e in entries) - 1
    report = json.loads(stats.read_text())
    assert report["sentences"] == 4
    assert report["words"] == 24
    assert report["pruning"]["search"] == "estimate"
    dot = run(model, "-i", source, "--graph", graph, "--graph-format", "dot")
    assert dot.returncode == 0
    assert graph.read_text().startswith("digraph")


def test_terms_markup_and_tags(model, tmp_path):
    terms = tmp_path / "terms.tsv"
    terms.write_text("s0 s1\tmy term\n")
    text = b"s2 s0 s1 s3\n"
    done = run(model, "--terms", terms, text=text)
    assert "my term" in done.stdout.decode()
    tagged = run(model, "--markup", text=b'<b>s0</b> s1 <x id="1 2"/> s2\n').stdout.decode()
    places = [tagged.index(tag) for tag in ("<b>", "</b>", '<x id="1 2"/>')]
    assert places == sorted(places)
    assert tagged.index("<b>") + 3 < tagged.index("</b>") - 1


def test_forced_decoding(model, tmp_path):
    best = PhraseSearch(Bundle.open(model)).translate(LINES)
    reference = tmp_path / "reference"
    reference.write_text("\n".join([*best[:2], "never never", best[3]]) + "\n")
    text = ("\n".join(LINES) + "\n").encode()
    done = run(model, "--reference", reference, "--on-error", "stop", text=text)
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == [*best[:2], "", best[3]]
    assert "cannot be reached" in done.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--beam-threshold", "-1"],
        ["--beam-limit", "-1"],
        ["--search", "astar"],
        ["--gap-limit", "0"],
        ["--distortion-limit", "-2"],
        ["--distortion-limit", "far"],
        ["--nbest-file", "x"],
        ["--distinct"],
        ["--graph-format", "dot"],
        ["--mbr", "5", "--alone"],
        ["--monotone", "--distortion-limit", "4"],
        ["--span-limit", "5"],
        ["--ttable-threshold", "nan"],
    ],
)
def test_options_out_of_range(model, arguments):
    done = run(model, *arguments, text=b"s0\n")
    assert done.returncode == 2, done.stderr


def test_weights_of_ones_own(model, tmp_path):
    path = tmp_path / "weights.toml"
    path.write_text("lm = 1.0\nwords = nan\n")
    done = run(model, "--weights", path, text=b"s0\n")
    assert done.returncode == 1
    assert b"words" in done.stderr
    path.write_text("lmm = 1.0\n")
    assert b"did you mean 'lm'" in run(model, "--weights", path, text=b"s0\n").stderr


@pytest.mark.parametrize("name", [PHRASES, LANGUAGE_MODEL, SOURCE_VOCABULARY])
def test_damaged_models(model, tmp_path, name):
    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    path = copy / name
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises((ModelError, InputError), match=path.name):
        Bundle.open(copy)
    path.unlink()
    if name != LANGUAGE_MODEL:
        with pytest.raises(ModelError, match="has no"):
            Bundle.open(copy)


def test_no_model(tmp_path):
    done = run(tmp_path / "nowhere", text=b"s0\n")
    assert done.returncode == 1
    assert b"no model" in done.stderr


def test_monotone_and_gaps(model):
    for arguments in (["--monotone"], ["--gap-limit", "1"], ["--distortion-limit", "none"]):
        assert run(model, *arguments, text=LINES[0].encode()).returncode == 0


def test_the_translator_takes_the_options_of_the_model(model, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    options = SearchOptions(search="cube", distortion_limit=0)
    save_options(copy / SEARCH, options)
    assert Translator.open(copy).options == options
    assert Translator.open(copy, options=SearchOptions()).options == SearchOptions()
    assert Translator.open(copy).translate([LINES[0], ""])[1] == ""
