"""Translation memory: what was translated before is offered again, or taken as it is.

How good a match is, is counted as translators' tools count it: 100 for the same segment, else the
share of words that need not be inserted, deleted or replaced, at most 99. Numbers, placeholders
and addresses are not what makes segments differ where the stored translation has them too: there
they are exchanged for those of the segment that is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import Literal

from dragoman._core import SegmentIndex
from dragoman.corpus.memory import Segment, items_of
from dragoman.errors import ModelError
from dragoman.layout import MEMORY
from dragoman.model.directory import ModelDirectory
from dragoman.text.form import TextForm
from dragoman.text.items import item_kind
from dragoman.text.normalise import normalise
from dragoman.text.protect import replaced, without_codes
from dragoman.translation.config import MemoryOptions, PreferenceName
from dragoman.translation.source import Source

Change = Literal["same", "gone", "new"]

# More are looked up than are offered, since some turn out to be worse when items are exchanged.
_SPARE = 20


@dataclass(frozen=True)
class Match:
    """A stored segment that is like one to be translated."""

    score: int  # percent; 100: the same segment
    source: str  # as it was stored
    target: str  # its translation, with the items of the segment that was asked for
    count: int  # how often the memory has the pair
    adapted: bool  # whether items were exchanged
    # For the marking of differences: the words of the stored source, and those asked for.
    _words: tuple[Sequence[str], Sequence[str]]

    @property
    def exact(self) -> bool:
        """Whether the translation can be taken as it is."""
        return self.score == 100

    @cached_property
    def differences(self) -> list[tuple[Change, str]]:
        """From the stored source to the segment asked for: words that are the same, those that
        are gone, and those that are new."""
        stored, asked = self._words
        told: list[tuple[Change, str]] = []
        for kind, a, b, c, d in SequenceMatcher(None, stored, asked, False).get_opcodes():
            if kind == "equal":
                told.append(("same", " ".join(stored[a:b])))
                continue
            if a < b:
                told.append(("gone", " ".join(stored[a:b])))
            if c < d:
                told.append(("new", " ".join(asked[c:d])))
        return told

    def told(self) -> dict[str, object]:
        """As JSON has it."""
        return {
            "score": self.score,
            "source": self.source,
            "target": self.target,
            "count": self.count,
            "adapted": self.adapted,
            "differences": [list(one) for one in self.differences],
        }


class Memory:
    """The segments of a model's training text; safe to use from several threads."""

    def __init__(self, files: Sequence[Path], form: TextForm) -> None:
        """`files`: the index and its vocabulary."""
        self._files, self._form = [path.absolute() for path in files], form
        self._index = SegmentIndex(*map(str, self._files))

    def __reduce__(self) -> tuple[type[Memory], tuple[list[Path], TextForm]]:
        """To other processes it travels as the names of its files."""
        return type(self), (self._files, self._form)

    @classmethod
    def of_model(cls, directory: ModelDirectory, form: TextForm) -> Memory:
        """Open the memory of a model, or raise ModelError where there is none."""
        if not directory.has(*MEMORY):
            raise ModelError(
                f"{directory.path}: the model keeps no translation memory; train it again, with "
                "prepare.memory above 0"
            )
        return cls([directory.file(name) for name in MEMORY], form)

    def __len__(self) -> int:
        return len(self._index)

    def matches(
        self,
        source: Source,
        *,
        least: int = 70,
        most: int = 3,
        prefer: PreferenceName = "frequent",
    ) -> list[Match]:
        """What the memory has for a sentence, best first."""
        text, tagged = _plain_text(source)
        asked = Segment.of(text, self._form)
        if not asked.words:
            return []
        # A score is rounded down, and of what is lost with items, nothing is known yet.
        found = self._index.search(" ".join(asked.words), least / 100, most + _SPARE)
        ranked: list[tuple[tuple[int, bool, int, int], Match]] = []
        for one in found:
            # They come nearest first, and looking closer makes none nearer.
            nearest = sorted((rank[0] for rank, _ in ranked), reverse=True)
            if len({match.target for _, match in ranked}) >= most and (
                100 * one.similarity + 1 < nearest[most - 1]
            ):
                break
            match = self._match(one.segment, one.edits, one.length, asked, tagged=tagged)
            if match.score < least:
                continue
            latest = self._index.last_seen(one.segment)
            often = (match.count, latest) if prefer == "frequent" else (latest, match.count)
            # Where nothing has to be exchanged, nothing can be exchanged wrongly.
            ranked.append(((match.score, match.source == text, *often), match))
        ranked.sort(key=lambda entry: entry[0], reverse=True)
        best: dict[str, Match] = {}
        for _, match in ranked:
            best.setdefault(match.target, match)
        return list(best.values())[:most]

    def _match(
        self, segment: int, edits: int, length: int, asked: Segment, *, tagged: bool
    ) -> Match:
        stored = Segment.of(self._index.source(segment), self._form)
        target = self._index.target(segment)
        adapted, missed = _adapted(target, _exchanges(stored, asked), self._form)
        same = edits == 0 and not missed and not tagged and stored.mask == asked.mask
        score = 100 if same else min(99, 100 * max(0, length - edits - missed) // length)
        return Match(
            score,
            stored.text,
            adapted,
            self._index.count(segment),
            adapted != target,
            (stored.written, asked.written),
        )


@dataclass(frozen=True)
class MemoryUse:
    """A memory and how it is used."""

    memory: Memory
    options: MemoryOptions

    def matches(self, source: Source) -> list[Match]:
        """What is offered for a sentence, best first."""
        chosen = self.options
        return self.memory.matches(
            source,
            least=chosen.memory_least if chosen.memory_matches == "fuzzy" else 100,
            most=chosen.memory_most,
            prefer=chosen.memory_prefer,
        )

    def text_of(self, source: Source) -> str:
        """A sentence as the memory looks for it."""
        return _plain_text(source)[0]

    def knows(self, source: Source) -> bool:
        """Whether the memory has exactly this sentence, or these sentences."""
        return bool(self.memory.matches(source, least=100, most=1))


def _plain_text(source: Source) -> tuple[str, bool]:
    """A sentence without the tags of its document, and whether there were any."""
    held, tagged, text = source.held, False, ""
    for character in source.marked:
        if character in held:
            piece = held[character]
            # What is written in the document as it is, and not as text would be, is no text.
            if held.escape(piece.text) == piece.spelt:
                text += piece.text
            else:
                tagged = True
        else:
            text += character
    return normalise(without_codes(text)), tagged


def _exchanges(stored: Segment, asked: Segment) -> list[tuple[str, str]]:
    """Items of a stored segment, and those in their places in the one asked for."""
    # A word may look like the name of an item and be none.
    items = [
        [
            text if item_kind(word) and text != word else ""
            for text, word in zip(segment.written, segment.words, strict=True)
        ]
        for segment in (stored, asked)
    ]
    return [
        (items[0][block.a + k], items[1][block.b + k])
        for block in SequenceMatcher(None, stored.words, asked.words, False).get_matching_blocks()
        for k in range(block.size)
        if items[0][block.a + k]
    ]


def _adapted(target: str, exchanges: Sequence[tuple[str, str]], form: TextForm) -> tuple[str, int]:
    """A stored translation with items exchanged, and how many that differ it has not."""
    there = items_of(target, form)
    left = list(range(len(there)))
    holders: list[tuple[int, int, str]] = []
    missed = 0
    for old, new in exchanges:
        place = next((index for index in left if there[index].text == old), None)
        if place is None:
            missed += old != new
            continue
        left.remove(place)
        holders.append((there[place].begin, there[place].end, new))
    return replaced(target, sorted(holders)), missed
