"""The pairs of a corpus, kept as they were written: a translation memory.

A segment is found by its words: in lower case, and with the kind of each number, placeholder and
address for the thing itself, so that "Page 3 of 10" is found for "Page 4 of 12". The index is
native (``native/core/corpus/segment_index.h``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman._core import SegmentIndexBuilder
from dragoman.text.accelerators import MARKS, find_accelerator
from dragoman.text.form import TextForm
from dragoman.text.items import item_name
from dragoman.text.protect import HeldPieces, masked, replaced

# Numbers without points, which a model may well translate and are therefore not held, but which
# a memory need not know one by one.
_DIGITS = re.compile(r"(?<![\w.,:'’/-])\d{1,20}(?!\w|[.,:'’/-]\d)")


@dataclass(frozen=True)
class Item:
    """A number, a placeholder, an address: characters [begin, end) of a text."""

    begin: int
    end: int
    kind: str
    text: str


@dataclass(frozen=True)
class Segment:
    """A text as a memory sees it."""

    text: str
    items: tuple[Item, ...]
    written: tuple[str, ...]  # its words
    words: tuple[str, ...]  # the same to be found by

    @classmethod
    def of(cls, text: str, form: TextForm) -> Segment:
        """Of a normalised text; `form` cuts it into words."""
        items = items_of(text, form)
        if not items:
            tokens = form.source_tokeniser.cut(text).tokens
            return cls(text, (), tuple(tokens), tuple(map(str.lower, tokens)))
        held = HeldPieces()
        codes = [
            (one.begin, one.end, held.add(one.text, kind=one.kind)) for one in items[: held.room]
        ]
        plain = replaced(text, codes)
        if held and not form.holds:
            plain = held.apart(plain)
        cut = form.source_tokeniser.cut(plain).tokens
        return cls(
            text,
            tuple(items),
            tuple(held[token].text if token in held else token for token in cut),
            tuple(
                item_name(held[token].kind, 1) if token in held else token.lower() for token in cut
            ),
        )

    @property
    def mask(self) -> str:
        """The text with kinds in place of items: what must be the same in an exact match."""
        return replaced(self.text, [(one.begin, one.end, f"⟨{one.kind}⟩") for one in self.items])


def items_of(text: str, form: TextForm) -> list[Item]:
    """Numbers, placeholders and addresses of a text, from left to right."""
    found = list(form.protection.find(text)) if form.holds else []
    if any(mark in text for mark in MARKS):
        # What may be a word with an accelerator (Othe_r) is not exchanged as a name of code is.
        mark = find_accelerator(masked(text, found), MARKS)
        found = [one for one in found if mark is None or not one[0] <= mark.place < one[1]]
    taken = [(begin, end) for begin, end, _ in found]
    for match in _DIGITS.finditer(text):
        if not any(begin < match.end() and match.start() < end for begin, end in taken):
            found.append((match.start(), match.end(), "num"))
    return [Item(begin, end, kind, text[begin:end]) for begin, end, kind in sorted(found)]


class MemoryWriter:
    """Takes the pairs of a corpus in their order and writes the memory."""

    def __init__(self, form: TextForm, spool: Path, skip: int = 0) -> None:
        """`skip`: so many pairs at the beginning are not kept."""
        self._form, self._skip = form, skip
        self._builder = SegmentIndexBuilder(str(spool))

    def add(self, source: str, target: str) -> None:
        """The next pair of normalised texts; one without words is none."""
        if self._skip:
            self._skip -= 1
            return
        words = Segment.of(source, self._form).words
        if words and target:
            self._builder.add(" ".join(words), source, target)

    def write(self, files: Sequence[Path]) -> None:
        """Write the index and its vocabulary."""
        index, vocabulary = map(str, files)
        self._builder.finish(index, vocabulary)
