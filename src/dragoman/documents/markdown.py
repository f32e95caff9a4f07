"""Markdown: what is text is translated, what makes it a document stays.

markdown-it tells which lines are paragraphs, headings and cells of tables; their inside is read
here (``markdown_inline``), since nobody else says where in the file it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.documents.filled import Filled, Translate
from dragoman.documents.format_marks import FormatMarks
from dragoman.documents.markdown_inline import (
    Markup,
    read_inline,
    reference_name,
    written_inline,
)
from dragoman.documents.read import read_text
from dragoman.documents.wrapping import NARROWEST, wrapped
from dragoman.errors import InputError

# What would begin a list, a heading, a quotation or a table, were it the first word of a line.
_STRUCTURE = re.compile(r"[-+*>#=~`|]|\d{1,9}[.)]$|:?-{2,}")
_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)", re.DOTALL)
_TASK = re.compile(r"\[[ xX]\]\s+")
# A line break that is meant: two spaces or a backslash before the end of the line.
_HARD_BREAK = re.compile(r"(?: {2,}|\\)$")


@dataclass
class _Stretch:
    """Text in some lines of the file: [begin, end) of the first of them, if it is one line."""

    line: int
    begins: list[int]
    ends: list[int]
    cell: bool = False


def translate_markdown(
    path: Path, languages: tuple[str, str], translate: Translate, final: bool
) -> Filled:
    """The document with its text translated; a paragraph of several lines gets about the same
    width again."""
    file = read_text(path)
    front = _FRONT_MATTER.match(file.text)
    skipped = len(file.text[: front.end()].splitlines()) if front else 0
    lines = file.lines()
    environment: dict[str, Any] = {}
    stretches = list(_stretches([text for text, _ in lines], skipped, path, environment))
    references = {reference_name(name) for name in environment.get("references", ())}
    marks: list[FormatMarks[Markup]] = []
    for one in stretches:
        texts = [
            lines[one.line + n][0][begin:end]
            for n, (begin, end) in enumerate(zip(one.begins, one.ends, strict=True))
        ]
        marks.append(read_inline(" ".join(text.strip() for text in texts), references))
    said = translate([one.passage for one in marks])
    # From the last to the first, so that places before stay what they were.
    for one, mark, text in reversed(list(zip(stretches, marks, said, strict=True))):
        _replace(lines, one, written_inline(mark, text, cell=one.cell))
    return Filled(file.written("".join(map("".join, lines))), len(stretches), 0)


def _replace(lines: list[tuple[str, str]], one: _Stretch, text: str) -> None:
    """Put a translation in the place of a stretch."""
    first, last = one.line, one.line + len(one.begins) - 1
    before = lines[first][0][: one.begins[0]]
    behind = lines[last][0][one.ends[-1] :]
    if first == last:
        lines[first] = (before + text + behind, lines[first][1])
        return
    prefix = lines[first + 1][0][: one.begins[1]]
    width = max(len(line[:end]) for (line, _), end in zip(lines[first : last + 1], one.ends))  # noqa: B905
    cut = wrapped(text, max(width - len(prefix), NARROWEST), unbreakable=_STRUCTURE) or [""]
    end, within = lines[last][1], lines[first][1]
    new = [(before + cut[0], within), *((prefix + line, within) for line in cut[1:])]
    new[-1] = (new[-1][0] + behind, end)
    lines[first : last + 1] = new


def _stretches(
    lines: list[str], skipped: int, path: Path, environment: dict[str, Any]
) -> Iterator[_Stretch]:
    """Where there is text, in the order of the file; the names of links go to `environment`."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # Only the blocks: what is inside of them is read here.
    parser.core.ruler.enableOnly(["normalize", "block"])
    text = "\n".join(["" if n < skipped else line for n, line in enumerate(lines)]) + "\n"
    try:
        tokens = parser.parse(text, environment)
    except RecursionError as problem:
        raise InputError.at(path, None, "lists and quotations are nested too deep") from problem
    at = (0, 0)  # behind the cell before: a line, and a place in it
    for number, token in enumerate(tokens):
        if token.type != "inline" or token.map is None or not token.content.strip():
            continue
        first = token.map[0]
        content = token.content.split("\n")
        cell = tokens[number - 1].type in ("th_open", "td_open")
        if cell:
            begin = at[1] if at[0] == first else 0
            found = _cell(lines[first], content[0], begin)
            if found is not None:
                at = (first, found[1])
                yield _Stretch(first, [found[0]], [found[1]], cell=True)
            continue
        yield from _paragraph(lines, first, content)


def _cell(line: str, content: str, begin: int) -> tuple[int, int] | None:
    """Where the content of a cell stands; bars in it are escaped in the file."""
    for written in (content, content.replace("|", "\\|")):
        place = line.find(written, begin)
        if place >= 0:
            return place, place + len(written)
    return None


def _paragraph(lines: list[str], first: int, content: list[str]) -> Iterator[_Stretch]:
    """A paragraph or a heading, cut at the line breaks that are meant. Lines that markdown-it has
    not left as they are, as with a tab in the middle of an indent, end it."""
    stretch = _Stretch(first, [], [])
    for offset, text in enumerate(content):
        line = lines[first + offset] if first + offset < len(lines) else ""
        core = text.strip()
        place = line.rfind(core) if line.rstrip().endswith(core) else line.find(core)
        if not core or place < 0:
            if stretch.begins:
                yield stretch
            stretch = _Stretch(first + offset + 1, [], [])
            continue
        end = place + len(core)
        if offset == 0 and (task := _TASK.match(core)):
            place += task.end()
        hard = _HARD_BREAK.search(line[place:]) if offset + 1 < len(content) else None
        if hard is not None:
            end = place + hard.start()
        stretch.begins.append(place)
        stretch.ends.append(end)
        if hard is not None:
            yield stretch
            stretch = _Stretch(first + offset + 1, [], [])
    if stretch.begins:
        yield stretch
