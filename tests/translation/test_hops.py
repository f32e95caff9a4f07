"""How many modules a sentence passes through on its way through the translator."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import dragoman
from dragoman.translation.translator import Translator

PACKAGE = str(Path(dragoman.__file__).parent)
# Check, hold, name, normalise, tokenise, truecase, mark, search, write: each has its module.
MOST = 14


def modules_run(action: Callable[[], object]) -> set[str]:
    """The modules of the package in which some function was called."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            found.add(frame.f_code.co_filename.removeprefix(PACKAGE + "/"))

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return found


def test_a_sentence_takes_a_short_way(trained: Path) -> None:
    translator = Translator.open(trained)
    translator.translate_lines(["where is the station ?"])  # what is loaded once is loaded
    found = modules_run(lambda: translator.translate_lines(["where is the house ?"]))
    assert len(found) <= MOST, sorted(found)
    assert not any(name.startswith("model/") for name in found), "the model is opened once"
