"""Subtitles in the format of the web, WebVTT."""

from __future__ import annotations

import html
import re

from dragoman.documents.cues import Cue, Subtitles, check_times, tagged_passage
from dragoman.documents.inline import escape_markup
from dragoman.documents.read import TextFile
from dragoman.errors import InputError
from dragoman.translation.source import Passage

_TIME = r"(?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3}"
_TIMES = re.compile(rf"(?P<begin>{_TIME})[ \t]+-->[ \t]+(?P<end>{_TIME})(?:[ \t].{{0,500}})?")
_EXAMPLE = "00:01.500 --> 00:04.000"
# Of a class, a voice, a language, ruby, or a time at which the words behind it light up.
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>|<[\d:.]{5,20}>|</>")


def _cues(file: TextFile) -> list[Cue]:
    """Where the texts of the cues are: in blocks between empty lines, behind a line of times
    that may have a name before it."""
    lines = [text for text, _ in file.lines()]
    if not lines or not re.match(r"WEBVTT(?:[ \t]|$)", lines[0]):
        raise InputError.at(file.path, 1, "no WebVTT, which begins with WEBVTT")
    cues: list[Cue] = []
    at = _block_end(lines, 0)
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        end = _block_end(lines, at)
        if re.match(r"(?:NOTE|STYLE|REGION)(?:\s|$)", lines[at]):
            at = end
            continue
        times = at if "-->" in lines[at] else at + 1
        if times >= end:
            raise InputError.at(
                file.path, at + 1, f"{lines[at].strip()[:80]!r} stands there without times"
            )
        check_times(file, times, lines[times], _TIMES, _EXAMPLE)
        cues.append(Cue(times + 1, end))
        at = end
    return cues


def _block_end(lines: list[str], at: int) -> int:
    while at < len(lines) and lines[at].strip():
        at += 1
    return at


def _passage(text: str) -> Passage:
    return tagged_passage(text, _TAG, plain=html.unescape, escape=escape_markup)


# The text of cues is translated; times, settings, notes and styles stay.
translate_vtt = Subtitles(_cues, _passage)
