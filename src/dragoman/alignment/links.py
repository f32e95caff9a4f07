"""Links of a corpus: in memory, as Pharaoh text, and as a mapped file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from dragoman._core import LinkSets, LinksFile, format_links, parse_links, save_links
from dragoman.corpus.read import read_lines
from dragoman.errors import InputError

BATCH = 8192


@dataclass(frozen=True)
class Links:
    """Pair n has the links ``array[offsets[n]:offsets[n + 1]]``.

    Each link is a row (source position, target position), counted from 0; the links of a pair
    are sorted and distinct.
    """

    array: NDArray[np.uint16]  # shape (links, 2)
    offsets: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> NDArray[np.uint16]:
        if not 0 <= index < len(self):
            raise IndexError(f"sentence pair {index} of {len(self)}")
        return self.array[int(self.offsets[index]) : int(self.offsets[index + 1])]

    def __iter__(self) -> Iterator[NDArray[np.uint16]]:
        return (self[index] for index in range(len(self)))

    @property
    def native(self) -> LinkSets:
        """As native code takes them; a view."""
        return LinkSets(self.array, self.offsets)

    @classmethod
    def of(cls, pairs: Iterable[Iterable[tuple[int, int]]]) -> Links:
        """From an iterable of links for each sentence pair, in any order."""
        rows = [sorted(set(links)) for links in pairs]
        flat = [link for links in rows for link in links]
        return cls(
            np.array(flat, dtype=np.uint16).reshape(-1, 2),
            np.cumsum([0, *map(len, rows)], dtype=np.uint64),
        )

    @classmethod
    def concatenate(cls, parts: Sequence[Links]) -> Links:
        """The sentence pairs of all parts, one part after the other."""
        if not parts:
            return cls.of([])
        offsets = [np.zeros(1, dtype=np.uint64)]
        base = np.uint64(0)
        for part in parts:
            offsets.append(part.offsets[1:] + base)
            base += np.uint64(len(part.array))
        return cls(np.concatenate([part.array for part in parts]), np.concatenate(offsets))

    @classmethod
    def parse(cls, lines: Iterable[str], name: str | Path = "links") -> Links:
        """From Pharaoh lines such as ``0-0 1-2``; errors name `name` and the line."""
        iterator = iter(lines)
        parts = []
        number = 1
        while batch := list(islice(iterator, BATCH)):
            parts.append(cls(*parse_links(batch, str(name), number)))
            number += len(batch)
        return cls.concatenate(parts)

    @classmethod
    def read(cls, path: str | Path) -> Links:
        """From a file of Pharaoh lines, compressed or not."""
        return cls.parse(read_lines(Path(path)), path)

    @classmethod
    def open(cls, path: str | Path) -> Links:
        """Map a file that :meth:`save` wrote."""
        file = LinksFile(str(path))
        return cls(file.links, file.offsets)

    def save(self, path: str | Path) -> None:
        """Write a binary file for :meth:`open`."""
        save_links(self.native, str(path))

    def to_text(self) -> str:
        """Pharaoh lines; a pair without links is an empty line."""
        return format_links(self.native)

    def write(self, file: TextIO) -> None:
        """Write Pharaoh lines, some thousand pairs at a time."""
        for begin in range(0, len(self), BATCH):
            file.write(self.slice(begin, begin + BATCH).to_text())

    def slice(self, begin: int, end: int) -> Links:
        """The sentence pairs [begin, end); a view."""
        offsets = self.offsets[begin : end + 1]
        return Links(self.array[int(offsets[0]) : int(offsets[-1])], offsets - offsets[0])

    def without(self, pairs: NDArray[np.bool_]) -> Links:
        """The same sentence pairs, those marked without any link."""
        owner = np.repeat(np.arange(len(self)), np.diff(self.offsets).astype(np.int64))
        kept = ~pairs[owner]
        counts = np.bincount(owner[kept], minlength=len(self))
        offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.uint64)
        return Links(self.array[kept], offsets)

    def check_against(
        self, source_offsets: NDArray[np.uint64], target_offsets: NDArray[np.uint64]
    ) -> None:
        """Raise InputError unless every link points into its sentence pair."""
        if len(self) != len(source_offsets) - 1:
            raise InputError(
                f"{len(self):,} sentence pairs of links for a corpus of "
                f"{len(source_offsets) - 1:,}"
            )
        owner = np.repeat(np.arange(len(self)), np.diff(self.offsets).astype(np.int64))
        for column, offsets in ((0, source_offsets), (1, target_offsets)):
            lengths = np.diff(offsets).astype(np.int64)
            bad = np.flatnonzero(self.array[:, column] >= lengths[owner])
            if len(bad):
                pair = int(owner[bad[0]])
                link = "-".join(map(str, self.array[bad[0]]))
                raise InputError(
                    f"sentence pair {pair + 1}: link {link} points outside a pair of "
                    f"{int(np.diff(source_offsets)[pair])} and "
                    f"{int(np.diff(target_offsets)[pair])} words"
                )
