"""Sentence pairs linked by hand, from which the aligner learns what is to count as a link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman._core import AlignmentExamples
from dragoman.alignment.links import Links
from dragoman.alignment.score import GoldLinks

# Together the examples count as much as all other pairs, but none more than this many times:
# beyond it, their few words decide about those of the others (docs/reference/alignment.md).
MOST_TIMES = 20


@dataclass(frozen=True)
class Examples:
    """Of the first pairs of a text."""

    sure: Links
    possible: Links  # the others that may be; the aligner decides
    weight: int  # each counts as so many pairs

    @property
    def native(self) -> AlignmentExamples:
        """As native code takes them."""
        return AlignmentExamples(self.sure.native, self.possible.native, self.weight)

    @classmethod
    def of(cls, gold: Sequence[GoldLinks], pairs: int) -> Examples:
        """Hand-made links of the first of so many `pairs`."""
        return cls(
            Links.of(one.sure for one in gold),
            Links.of(one.possible - one.sure for one in gold),
            max(1, min((pairs - len(gold)) // max(len(gold), 1), MOST_TIMES)),
        )
