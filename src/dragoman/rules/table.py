"""Looking into a phrase table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import PhraseTableFile, Vocabulary
from dragoman.errors import ModelError

ORIENTATIONS = ("monotone", "swap", "discontinuous")
DIRECTIONS = ("backward", "forward")
# How gaps of hierarchical rules are written, by the ids under which tables keep them; no text
# has these ids, which are those of <s> and </s>.
GAPS = {1: "[1]", 2: "[2]"}


def open_file(path: str | Path, *, verify: bool = True) -> PhraseTableFile:
    """Map a table; all of it is read once and compared with its checksum, unless somebody else
    does that."""
    return PhraseTableFile(str(path), verify)


def reordering_features(model: str) -> list[str]:
    """The names of a reordering model's six features, in the order of the table's columns."""
    return [
        f"reorder.{model}.{direction}.{orientation}"
        for direction in DIRECTIONS
        for orientation in ORIENTATIONS
    ]


@dataclass(frozen=True)
class TableEntry:
    """One way to translate a phrase."""

    target: str
    # Natural logs by feature name, those of the reordering models included.
    scores: dict[str, float]
    count: float  # of the pair
    source_count: float
    target_count: float
    alignment: tuple[tuple[int, int], ...]  # (source, target) positions


@dataclass(frozen=True)
class PhraseTable:
    """A phrase table with the vocabularies that spell it."""

    file: PhraseTableFile
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary

    @classmethod
    def open(
        cls,
        path: str | Path,
        source_vocabulary: str | Path,
        target_vocabulary: str | Path,
        *,
        verify: bool = True,
    ) -> PhraseTable:
        """Map the three files."""
        table = cls(
            open_file(path, verify=verify),
            Vocabulary.open(str(source_vocabulary)),
            Vocabulary.open(str(target_vocabulary)),
        )
        for kind, words, vocabulary in (
            ("source", table.file.source_words, table.source_vocabulary),
            ("target", table.file.target_words, table.target_vocabulary),
        ):
            if words != len(vocabulary):
                raise ModelError(
                    f"{path}: made for a {kind} vocabulary of {words} words, "
                    f"but the one given has {len(vocabulary)}"
                )
        return table

    def __len__(self) -> int:
        return len(self.file)

    @property
    def features(self) -> list[str]:
        """All feature names: score columns, then those of the reordering models."""
        names = list(self.file.features)
        for model in self.file.reorderings:
            names += reordering_features(model)
        return names

    def ids(self, phrase: str) -> NDArray[np.int32]:
        """The ids of a phrase of space-separated tokens; [1] and [2] are gaps of a rule."""
        ids = self.source_vocabulary.encode([phrase])[0]
        if self.file.hierarchical:
            for gap, text in GAPS.items():
                ids[[word == text for word in phrase.split()]] = gap
        return ids

    def target(self, row: int) -> str:
        """The target words of a row, with [1] and [2] for gaps."""
        ids = self.file.target(row)
        if not self.file.hierarchical:
            return self.target_vocabulary.decode(ids)
        words = self.target_vocabulary.word
        return " ".join(GAPS.get(symbol) or words(symbol) for symbol in ids.tolist())

    def translations(self, phrase: str) -> list[TableEntry]:
        """The translations of a phrase of space-separated tokens, best first."""
        begin, end = self.file.find(self.ids(phrase))
        return [self.translation(row) for row in range(begin, end)]

    def translation(self, row: int) -> TableEntry:
        """One row of the table."""
        scores = dict(
            zip(self.file.features, self.file.scores(row, row + 1)[0].tolist(), strict=True)
        )
        for number, model in enumerate(self.file.reorderings):
            values = self.file.reordering(row, row + 1, number)[0].tolist()
            scores |= dict(zip(reordering_features(model), values, strict=True))
        counts = self.file.counts(row)
        return TableEntry(
            self.target(row),
            scores,
            counts.joint,
            counts.source,
            counts.target,
            tuple(self.file.alignment(row)),
        )

    def estimate(self, translation: TableEntry) -> float:
        """The score under which the table was sorted."""
        return math.fsum(
            weight * translation.scores[name]
            for name, weight in zip(self.file.features, self.file.sort_weights, strict=True)
        )
