"""Plain text, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from dragoman.documents.filled import Filled, Translate
from dragoman.documents.read import read_text
from dragoman.documents.wrapping import runs_on, wrapped
from dragoman.translation.source import text_passage

_Line = tuple[str, str]  # a line and its end


def translate_text(
    path: Path, languages: tuple[str, str], translate: Translate, final: bool
) -> Filled:
    """The text with its paragraphs translated; indents, empty lines and line ends stay.

    A paragraph that is wrapped is one text and is wrapped again, as wide as it was; else every
    line is a text of its own.
    """
    file = read_text(path)
    groups = [group for block in _blocks(file.lines()) for group in block]
    texts = [" ".join(line.strip() for line, _ in group) for group in groups]
    wanted = [place for place, text in enumerate(texts) if any(map(str.isalnum, text))]
    found = translate([text_passage(texts[place]) for place in wanted])
    said = dict(zip(wanted, found, strict=True))
    out = [
        _written(group, said[place]) if place in said else "".join(map("".join, group))
        for place, group in enumerate(groups)
    ]
    return Filled(file.written("".join(out)), len(wanted), 0)


def _blocks(lines: Sequence[_Line]) -> Iterator[list[list[_Line]]]:
    """What stands between empty lines, and these; each as groups of lines that belong together."""
    for empty, block in groupby(lines, key=lambda one: not one[0].strip()):
        members = list(block)
        if empty:
            yield [members]
            continue
        groups: list[list[_Line]] = [[]]
        for line, runs in zip(members, runs_on([text for text, _ in members]), strict=True):
            groups[-1].append(line)
            if not runs:
                groups.append([])
        yield groups[:-1]


def _written(group: Sequence[_Line], text: str) -> str:
    """A translation in the place of some lines: their indents, their width, their line ends."""
    first, _ = group[0]
    end = group[-1][1]
    if len(group) == 1:
        before = first[: len(first) - len(first.lstrip())]
        behind = first[len(first.rstrip()) :]
        return before + text + behind + end
    indents = [line[: len(line) - len(line.lstrip())] for line, _ in group]
    width = max(len(line.rstrip()) for line, _ in group) - len(indents[1])
    lines = wrapped(text, width)
    within = group[0][1]
    return within.join((indents[min(n, 1)] + line) for n, line in enumerate(lines)) + end
