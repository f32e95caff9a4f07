"""Formatting that travels with the words it marks, whatever a format writes for it.

While a paragraph is translated, a pair of tags stands for bold words, a link, a run of another
font (see dragoman.text.protect for how tags move), and a private character for each tag in what
comes back. The characters are turned into what the format writes here, in pairs that are properly
nested.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from dragoman.text.protect import without_codes
from dragoman.translation.source import Passage

What = TypeVar("What")

_FIRST = 0x100000
_LAST = 0x10FFFD
_MARKS = re.compile(f"([{chr(_FIRST)}-{chr(_LAST)}])")


@dataclass(frozen=True)
class Mark(Generic[What]):
    """Where something begins, ends, or stands by itself."""

    role: Literal["open", "close", "piece"]
    what: What


class FormatMarks(Generic[What]):
    """The marks of one passage."""

    def __init__(self, *, reopens: Callable[[What], bool] = lambda _: True) -> None:
        """`reopens`: whether something may end and begin once more, where another pair crosses
        it."""
        self.passage = Passage()
        self._marks: list[Mark[What]] = []
        self._names: dict[int, str] = {}
        self._reopens = reopens

    @property
    def full(self) -> bool:
        """Whether there is no room for another pair."""
        return len(self._marks) + 2 > min(_LAST - _FIRST, 60_000)

    def opening(self, what: What) -> str:
        """The character that begins something; for use in text of the passage."""
        return self._add(Mark("open", what), "<{}>")

    def closing(self, what: What) -> str:
        """The character that ends it."""
        return self._add(Mark("close", what), "</{}>")

    def piece(self, what: What) -> str:
        """The character that stands for something which is no text, but part of a sentence."""
        return self._add(Mark("piece", what), "<{}/>")

    def beside(self, what: What) -> str:
        """The same for something that no sentence needs, as the mark of a footnote; it stays
        behind the word that it stands behind."""
        opening = self._add(Mark("piece", what), "<{}>")
        return opening + self.passage.add_tag(f"</{self._names[id(what)]}>", spelt="")

    def keep(self, what: What) -> None:
        """Add to the passage what is no text and ends a sentence."""
        self._marks.append(Mark("piece", what))
        self.passage.keep(chr(_FIRST + len(self._marks) - 1))

    def _add(self, mark: Mark[What], tag: str) -> str:
        name = self._names.setdefault(id(mark.what), f"m{len(self._names)}")
        self._marks.append(mark)
        return self.passage.add_tag(tag.format(name), spelt=chr(_FIRST + len(self._marks) - 1))

    def parts(self, translated: str) -> list[str | Mark[What]]:
        """A translation as text and marks: every pair is there, closed after it was opened and
        within what it was opened in; pieces that got lost come last."""
        found: list[str | Mark[What]] = []
        seen: set[int] = set()
        for number, part in enumerate(_MARKS.split(translated)):
            if number % 2 == 0:
                found += [part] if part else []
            elif (index := ord(part) - _FIRST) < len(self._marks) and index not in seen:
                seen.add(index)
                found.append(self._marks[index])
        found += [
            mark
            for index, mark in enumerate(self._marks)
            if index not in seen and mark.role == "piece"
        ]
        return self._nested(_paired(found))

    def _nested(self, parts: list[str | Mark[What]]) -> list[str | Mark[What]]:
        out: list[str | Mark[What]] = []
        opened: list[Mark[What]] = []
        for part in parts:
            if isinstance(part, str) or part.role == "piece":
                out.append(part)
            elif part.role == "open":
                opened.append(part)
                out.append(part)
            elif any(one.what is part.what for one in opened):
                inner: list[Mark[What]] = []
                while opened[-1].what is not part.what:
                    inner.append(opened.pop())
                    out.append(Mark("close", inner[-1].what))
                opened.pop()
                out.append(part)
                again = [one for one in reversed(inner) if self._reopens(one.what)]
                opened += again
                out += again
        return out


def _paired(parts: list[str | Mark[What]]) -> list[str | Mark[What]]:
    """Without ends whose beginning is lost and the other way round; what ends before it begins
    is turned round."""
    places: dict[int, list[int]] = {}
    for place, part in enumerate(parts):
        if not isinstance(part, str) and part.role != "piece":
            places.setdefault(id(part.what), []).append(place)
    out = list(parts)
    lost: set[int] = set()
    for pair in places.values():
        marks = [part for place in pair if not isinstance(part := parts[place], str)]
        if len(pair) == 2:
            out[pair[0]] = Mark("open", marks[0].what)
            out[pair[1]] = Mark("close", marks[0].what)
        else:
            lost.update(pair)
    return [part for place, part in enumerate(out) if place not in lost]


def without_marks(text: str) -> str:
    """A text without the private characters that stand for marks and pieces."""
    return _MARKS.sub("", without_codes(text))
