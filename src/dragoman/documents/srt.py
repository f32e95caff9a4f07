"""Subtitles in SubRip's format."""

from __future__ import annotations

import re

from dragoman.documents.cues import Cue, Subtitles, check_times, tagged_passage
from dragoman.documents.read import TextFile
from dragoman.errors import InputError
from dragoman.translation.source import Passage

_TIME = r"\d{1,3}:\d{1,2}:\d{1,2}[,.]\d{1,3}"
# Some programs put the place on the screen behind the times.
_TIMES = re.compile(rf"(?P<begin>{_TIME})\s*-->\s*(?P<end>{_TIME})(?:\s+[\w:. -]{{1,100}})?")
_EXAMPLE = "00:00:01,500 --> 00:00:04,000"
# Tags of HTML, and those of SSA, which begin with a backslash.
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>|\{\\[^{}]{0,200}\}")


def _cues(file: TextFile) -> list[Cue]:
    """Where the texts of the subtitles are: behind a number and a line of times, up to an empty
    line."""
    lines = [text for text, _ in file.lines()]
    cues: list[Cue] = []
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        if not re.fullmatch(r"\d{1,9}", lines[at].strip()):
            raise InputError.at(
                file.path,
                at + 1,
                f"{lines[at].strip()[:80]!r} should be the number of a subtitle; a text must not "
                "hold an empty line",
            )
        if at + 1 == len(lines):
            raise InputError.at(file.path, at + 1, "the file ends behind a number; it is cut")
        check_times(file, at + 1, lines[at + 1], _TIMES, _EXAMPLE)
        begin = at = at + 2
        while at < len(lines) and lines[at].strip():
            at += 1
        cues.append(Cue(begin, at))
    return cues


def _passage(text: str) -> Passage:
    return tagged_passage(text, _TAG)


# The text of subtitles is translated; numbers and times stay.
translate_srt = Subtitles(_cues, _passage)
