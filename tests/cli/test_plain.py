"""The short way to plain calls leads where the long one does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.cli import plain

PLAIN = {
    ("model",): {"model": "model"},
    ("model", "-j", "2"): {"model": "model", "threads": "2"},
    ("-i", "a", "model", "--output", "b"): {"model": "model", "input": "a", "output": "b"},
    ("--threads", "1024", "model"): {"model": "model", "threads": "1024"},
    ("model", "-i", "a.txt"): {"model": "model", "input": "a.txt"},
}
OTHERS = (
    (),
    ("--help",),
    ("model", "--nbest", "3"),
    ("model", "other"),
    ("model", "-j"),
    ("model", "-j", "0"),
    ("model", "-j", "1025"),
    ("model", "-j", "10240"),
    ("model", "-j", "²"),
    ("model", "-j", "-1"),
    ("model", "-i", "-o"),
    ("model", "-i", "a", "-i", "b"),
    ("model", "--input=a"),
    ("model", "-i", "a.docx"),
    ("",),
)


@pytest.mark.parametrize(("words", "given"), PLAIN.items())
def test_plain_calls(words: tuple[str, ...], given: dict[str, str]) -> None:
    assert plain.parse(words) == given


@pytest.mark.parametrize("words", OTHERS)
def test_all_others_go_the_usual_way(words: tuple[str, ...]) -> None:
    assert plain.parse(words) is None


def run(*words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "dragoman", *words],
        input="one\n",
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_both_ways_say_the_same(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "none")
    assert run("translate", nowhere) == run("translate", nowhere, "--on-error", "skip")
    code, said, problem = run("--version")
    assert (code, said.split()[0], problem) == (0, "dragoman", "")


def test_what_is_heavy_is_not_loaded() -> None:
    program = """
import sys
from dragoman.translation.job import Job
from dragoman.translation.translator import Translator
from dragoman.cli import run
print(sorted({"numpy", "typer", "rich", "pydantic", "sacrebleu", "scipy"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
