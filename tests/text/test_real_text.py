"""Real raw text: it comes back when it is cut, and is spaced as people space it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.text.config import TextConfig
from dragoman.text.form import SourceLine, TextForm
from dragoman.text.marked import detokenise, tokenise
from dragoman.text.normalise import normalise
from dragoman.text.protect import hold_pair
from dragoman.text.tokenise import Cut
from dragoman.text.writing import Marks, WritingLearner
from dragoman.translation.written import seen_gaps

Data = Callable[[str], Path]


def lines_of(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


@pytest.mark.parametrize(
    ("name", "language"),
    [
        *(("multi30k-raw", "de"), ("multi30k-raw", "en"), ("ui", "en"), ("ui", "fr")),
        *(("nahuatl", "nah"), ("nahuatl", "es"), ("aymara", "aym"), ("aymara", "es")),
    ],
)
def test_every_line_comes_back(name: str, language: str, data: Data) -> None:
    for part in ("dev", "test"):
        for line in lines_of(data(f"{name}/{part}.{language}")):
            again = detokenise(tokenise(line, language, marked=True))
            assert again == unicodedata.normalize("NFC", line)


@pytest.mark.slow
@pytest.mark.parametrize(("source", "target"), [("en", "fr"), ("fr", "en")])
def test_spacing_as_people_write(source: str, target: str, data: Data) -> None:
    form = TextForm(TextConfig(source, target))

    def cuts(part: str) -> list[tuple[Cut, Cut]]:
        sides = (map(normalise, lines_of(data(f"ui/{part}.{side}"))) for side in (source, target))
        return [form.cut_pair(*hold_pair(*pair)) for pair in zip(*sides, strict=True)]

    learner = WritingLearner(Marks())
    for pair in cuts("train"):
        learner.update(*pair)
    form.writing = learner.finish()
    dev = cuts("dev")
    right = sum(
        form.gaps(there.tokens, seen_gaps(SourceLine(here.tokens, here.tokens, here.gaps)))
        == there.gaps[1:-1]
        for here, there in dev
    )
    assert right >= 0.97 * len(dev)
