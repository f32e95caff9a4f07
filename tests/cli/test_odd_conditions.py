"""What people and machines do to a program: values nobody needs, files that are closed, limits."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.files import read_toml, sealed
from dragoman.model.directory import ModelDirectory
from dragoman.rules.table import open_file

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


def refused(done: subprocess.CompletedProcess[str], *parts: str, code: int | None = None) -> None:
    """One line or a box that says why, and no traceback."""
    assert done.returncode in ((1, 2) if code is None else (code,)), done.stderr
    assert "Traceback" not in done.stderr
    for part in parts:
        assert part in " ".join(done.stderr.split()), done.stderr


@pytest.mark.parametrize("option", ["--nbest", "--mbr"])
def test_more_translations_than_anybody_can_read(trained: Path, run: Run, option: str) -> None:
    refused(run("translate", trained, option, 10**30, input="hello\n"), option, code=2)
    refused(run("translate", trained, option, 1_000_001, input="hello\n"), option, code=2)


@pytest.mark.parametrize("value", [2**32, 10**30, -1])
def test_a_number_out_of_bounds_is_told_with_both_bounds(
    trained: Path, run: Run, value: int
) -> None:
    done = run("translate", trained, "--beam-limit", value, input="hello\n")
    refused(done, "between 0 and 2147483647", str(value))


@pytest.mark.parametrize("size", ["99999999999999T", "0", "-1", "nan", "1e400", "16E", ""])
def test_sizes_of_memory_that_are_none(run: Run, write: Callable[..., Path], size: str) -> None:
    text = write("text", "a b c\n")
    done = run("lm", "estimate", text, "-o", text.with_name("lm"), "--memory", size)
    refused(done, "--memory")
    assert not text.with_name("lm").exists()


def closed(command: list[object], which: str) -> subprocess.CompletedProcess[str]:
    """Run the program with a standard file closed, as `which` says in the shell's words."""
    line = '"$@" ' + which
    words = [sys.executable, "-m", "dragoman", *map(str, command)]
    return subprocess.run(
        ["sh", "-c", line, "sh", *words], capture_output=True, text=True, input="hello\n"
    )


def test_standard_files_that_are_closed(trained: Path, tmp_path: Path) -> None:
    refused(closed(["translate", trained], "<&-"), "standard input is closed", code=1)
    refused(closed(["translate", trained], ">&-"), "standard output is closed", code=1)
    assert closed(["translate", trained], "2>&-").returncode == 0
    out = tmp_path / "out"
    done = closed(["translate", trained, "-o", out], ">&- 2>&-")
    assert done.returncode == 0
    assert out.read_text("utf-8").strip()


def test_the_output_may_not_be_the_input(trained: Path, run: Run, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("hello\n")
    link = tmp_path / "link"
    link.symlink_to(text)
    for output in (text, link):
        refused(run("translate", trained, "-i", text, "-o", output))
        assert text.read_text() == "hello\n"


def test_what_else_is_read_is_not_written_over(trained: Path, run: Run, tmp_path: Path) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text("hello\tsalut\n")
    (tmp_path / "text.md").write_text("hello\n")
    for source in (["--format", "lines", tmp_path / "text.md"], [tmp_path / "text.md"]):
        done = run("translate", trained, *source, "--terms", terms, "-o", terms)
        refused(done, "cannot be written", code=2)
        assert terms.read_text() == "hello\tsalut\n"
    model = trained / "lm" / "target.bin"
    good = model.read_bytes()
    done = run("translate", trained, "--confidence", model, input="hello\n")
    refused(done, "belongs to the model", code=2)
    assert model.read_bytes() == good


@pytest.mark.parametrize("weight", ["nan", "inf", "-inf", "1e400"])
def test_weights_that_are_no_numbers(trained: Path, run: Run, tmp_path: Path, weight: str) -> None:
    table = trained / "rules" / "phrases.table"
    done = run("rules", "sort", table, "-o", tmp_path / "sorted", "-w", f"tm.fwd={weight}")
    refused(done, "finite")
    assert not (tmp_path / "sorted").exists()
    model = trained / "lm" / "target.bin"
    (tmp_path / "text").write_text("a b\n")
    done = run(
        *("lm", "mix", model, model, "--heldout", tmp_path / "text"),
        *("-o", tmp_path / "mixed", "--weights", f"1,{weight}"),
    )
    refused(done, "positive")
    assert not (tmp_path / "mixed").exists()


def test_words_that_look_like_the_borders_of_fields(run: Run, tmp_path: Path) -> None:
    for name, lines in (("en", "a ||| b\nhello you\n"), ("fr", "x ||| y\nbonjour toi\n")):
        (tmp_path / name).write_text(lines * 3, "utf-8")
    model = tmp_path / "model"
    config = tmp_path / "config.toml"
    config.write_text(
        "[prepare]\ndrop_duplicates = false\ndev_size = 1\ntest_size = 0\n"
        "[tune]\nmax_iterations = 1\n"
    )
    trained = run(
        *("train", "-s", tmp_path / "en", "-t", tmp_path / "fr", "-o", model, "-q"),
        *("--tokeniser", "whitespace", "--config", config),
    )
    assert trained.returncode == 0, trained.stderr
    done = run("export", "moses", model, "-o", tmp_path / "moses")
    assert done.returncode == 0, done.stderr
    assert "phrase pairs left out" in done.stderr
    assert b"hello" in gzip.decompress((tmp_path / "moses" / "phrase-table.gz").read_bytes())
    back = run("import", "moses", "--ini", tmp_path / "moses" / "moses.ini", "-o", tmp_path / "b")
    assert back.returncode == 0, back.stderr
    table = open_file(ModelDirectory(tmp_path / "b").model_files().table)
    assert 0 < len(table) < len(open_file(model / "rules" / "phrases.table"))


def test_numpy_without_memory_is_no_interruption(tmp_path: Path) -> None:
    """OpenBLAS interrupts the process when it gets no memory for its threads."""
    (tmp_path / "numpy.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def heed() -> None:
        # Whoever runs tests in the background has interrupts ignored, and so would the program.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def limit() -> None:
        heed()
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

    command = [sys.executable, "-m", "dragoman", "lm", "score", "model"]
    for prepare, code in ((limit, 1), (heed, 130)):
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, preexec_fn=prepare, input=""
        )
        assert done.returncode == code, done.stderr
        assert ("not enough memory" in done.stderr) == (code == 1)


def test_toml_that_is_nested_too_deep(write: Callable[..., Path], run: Run, trained: Path) -> None:
    for name, text in (
        ("lists", "a = " + "[" * 5000 + "]" * 5000),
        ("tables", ".".join("a" * 5000) + " = 1"),
        ("sealed", sealed(".".join("a" * 60) + " = 1")),
    ):
        path = write(f"{name}.toml", text)
        refused(run("translate", trained, "--weights", path, input="hello\n"), str(path), code=1)
    assert read_toml(write("fine.toml", sealed("a.b.c = [[1]]"))) == {"a": {"b": {"c": [[1]]}}}
