"""A parallel corpus as word ids, memory-mapped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import BitextBuilder, BitextFile, ParallelText, Sentences, Vocabulary

BATCH = 8192


@dataclass(frozen=True)
class SentenceIds:
    """Sentence i is ``ids[offsets[i]:offsets[i + 1]]``."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> NDArray[np.int32]:
        if not 0 <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        return self.ids[int(self.offsets[index]) : int(self.offsets[index + 1])]

    @property
    def native(self) -> Sentences:
        """As native code takes them; a view."""
        return Sentences(self.ids, self.offsets)


@dataclass(frozen=True)
class Bitext:
    """Two sides of the same number of sentences, and the vocabularies that spell them."""

    source: SentenceIds
    target: SentenceIds
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary

    @classmethod
    def open(cls, bitext: Path, source_vocabulary: Path, target_vocabulary: Path) -> Bitext:
        """Map the three files."""
        file = BitextFile(str(bitext))
        return cls(
            SentenceIds(file.source_ids, file.source_offsets),
            SentenceIds(file.target_ids, file.target_offsets),
            Vocabulary.open(str(source_vocabulary)),
            Vocabulary.open(str(target_vocabulary)),
        )

    def __len__(self) -> int:
        return len(self.source)

    @property
    def native(self) -> ParallelText:
        """Both sides as native code takes them; a view."""
        return ParallelText(self.source.native, self.target.native)

    def source_text(self, index: int) -> str:
        """The tokens of a source sentence, separated by spaces."""
        return self.source_vocabulary.decode(self.source[index])

    def target_text(self, index: int) -> str:
        """The tokens of a target sentence, separated by spaces."""
        return self.target_vocabulary.decode(self.target[index])


@dataclass(frozen=True)
class BitextFiles:
    """A bitext that others can open."""

    bitext: Path
    source_vocabulary: Path
    target_vocabulary: Path

    def absolute(self) -> BitextFiles:
        """The same for a process that runs elsewhere."""
        return BitextFiles(
            self.bitext.absolute(),
            self.source_vocabulary.absolute(),
            self.target_vocabulary.absolute(),
        )

    def open(self) -> Bitext:
        """Map the files."""
        return Bitext.open(self.bitext, self.source_vocabulary, self.target_vocabulary)


def write_bitext(
    pairs: Iterable[tuple[str, str]],
    bitext: Path,
    source_vocabulary: Path,
    target_vocabulary: Path,
) -> int:
    """Write tokenised pairs as a bitext with its vocabularies; returns how many there were.

    Memory holds the vocabularies only; ids wait in an unnamed file beside `bitext`.
    """
    builder = BitextBuilder(str(bitext.parent))
    for batch in batched(pairs, BATCH):
        builder.add([source for source, _ in batch], [target for _, target in batch])
    builder.finish(str(bitext), str(source_vocabulary), str(target_vocabulary))
    return len(builder)


def batched(pairs: Iterable[tuple[str, str]], size: int) -> Iterator[list[tuple[str, str]]]:
    """Lists of at most `size` pairs."""
    iterator = iter(pairs)
    while batch := list(islice(iterator, size)):
        yield batch
