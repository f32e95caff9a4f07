"""Subtitles: cues with their times and their few lines of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.documents.filled import Filled, Translate
from dragoman.documents.read import TextFile, read_text
from dragoman.errors import InputError
from dragoman.text.protect import without_codes
from dragoman.translation.source import Passage

Line = tuple[str, str]  # a line and its end
# Two people speak, each in a line that begins with a dash, perhaps behind tags.
_SPEAKER = re.compile(r"\s*((?:<[^<>]{0,200}>)*)([-–—‐]\s*)")


@dataclass(frozen=True)
class Cue:
    """The lines [begin, end) of a file that are shown together."""

    begin: int
    end: int


def check_times(
    file: TextFile, number: int, line: str, times: re.Pattern[str], example: str
) -> None:
    """Raise InputError unless a line of a file, counted from 0, says from when to when."""
    shown = repr(line.strip()[:80])
    match = times.fullmatch(line.strip())
    if match is None:
        raise InputError.at(
            file.path, number + 1, f"{shown} should be the times of a subtitle, as in {example}"
        )
    begin, end = (_milliseconds(match[name]) for name in ("begin", "end"))
    if end < begin:
        raise InputError.at(
            file.path, number + 1, f"{shown} ends before it begins; put its times right"
        )


def _milliseconds(time: str) -> int:
    parts = [int(part) for part in re.split("[:.,]", time)]
    *hours, minutes, seconds, milliseconds = parts
    return ((sum(hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds


@dataclass(frozen=True)
class Subtitles:
    """A format of subtitles; to call it is to translate a file."""

    cues: Callable[[TextFile], Sequence[Cue]]  # where the texts are
    passage: Callable[[str], Passage]  # of the text of one

    def __call__(
        self, path: Path, languages: tuple[str, str], translate: Translate, final: bool
    ) -> Filled:
        """The file with the text of its subtitles translated; everything else stays."""
        file = read_text(path)
        return _translated(file, self.cues(file), translate, self.passage)


def _translated(
    file: TextFile,
    cues: Sequence[Cue],
    translate: Translate,
    make_passage: Callable[[str], Passage],
) -> Filled:
    """A file with the text of its cues translated.

    The lines of a cue are one text, cut anew into as many lines of about one length; where each
    is another speaker's, every line is a text.
    """
    lines = file.lines()
    groups: list[tuple[int, int]] = []
    for cue in cues:
        texts = [text for text, _ in lines[cue.begin : cue.end]]
        if len(texts) > 1 and all(map(_SPEAKER.match, texts)):
            groups += [(place, place + 1) for place in range(cue.begin, cue.end)]
        elif any(map(str.isalnum, "".join(texts))):
            groups.append((cue.begin, cue.end))
    passages, dashes = [], []
    for begin, end in groups:
        text = " ".join(text.strip() for text, _ in lines[begin:end])
        speaker = _SPEAKER.match(text)
        if speaker is not None:
            text = speaker[1] + text[speaker.end() :]
        dashes.append(speaker)
        passages.append(make_passage(text))
    said = translate(passages)
    for (begin, end), speaker, text in zip(groups, dashes, said, strict=True):
        whole = " ".join(text.split())
        if speaker is not None:
            tags = speaker[1] if whole.startswith(speaker[1]) else ""
            whole = tags + speaker[2] + whole[len(tags) :]
        cut = balanced(whole, end - begin)
        last = lines[end - 1][1]
        for place in range(begin, end):
            # A translation shorter than its lines are many leaves no empty one, which would end
            # the cue.
            there = place - begin < len(cut)
            lines[place] = (cut[place - begin], lines[place][1]) if there else ("", "")
        lines[begin + len(cut) - 1] = (cut[-1], last)
    return Filled(file.written("".join(map("".join, lines))), len(groups), 0)


def tagged_passage(
    text: str,
    tags: re.Pattern[str],
    *,
    plain: Callable[[str], str] = str,
    escape: Callable[[str], str] = str,
) -> Passage:
    """The text of a cue; `plain` undoes what the format escapes, `escape` does it again."""
    passage = Passage(escape)
    out, at = "", 0
    for match in tags.finditer(text):
        if passage.held.full:
            break
        out += without_codes(plain(text[at : match.start()])) + passage.add_tag(match[0])
        at = match.end()
    passage.add_text(out + without_codes(plain(text[at:])))
    return passage


def balanced(text: str, count: int) -> list[str]:
    """A text in at most `count` lines, cut between words, the longest as short as possible."""
    words = text.split(" ")
    count = min(count, len(words))
    # Words are few: the narrowest width that needs no more lines is found by trying.
    low, high = max(map(len, words)), len(text)
    while low < high:
        width = (low + high) // 2
        if len(_filled(words, width)) <= count:
            high = width
        else:
            low = width + 1
    return _filled(words, low)


def _filled(words: Sequence[str], width: int) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
