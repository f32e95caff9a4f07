"""Word alignments factored like permutations: minimal rules and how wide they must be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import InputError
from dragoman.grammar.notation import Grammar
from dragoman.progress import SILENT, Progress

# Pairs between two looks at Ctrl-C.
BATCH = 2000


@dataclass(frozen=True)
class RankStatistics:
    """The trees of a corpus of alignments; one entry for each sentence pair.

    `rank` is the largest number of nonterminals that a minimal rule of the pair needs: 0 or 1
    for a single phrase pair, 2 for what an inversion transduction grammar can do, more beyond.
    """

    rank: NDArray[np.uint16]
    straight: NDArray[np.uint16]  # binary nodes of the tree
    inverted: NDArray[np.uint16]
    simple: NDArray[np.uint16]  # all others

    def __len__(self) -> int:
        return len(self.rank)

    @property
    def binarisable(self) -> NDArray[np.bool_]:
        """Per pair, whether rules of rank 2 are enough."""
        return self.rank <= 2

    def histogram(self) -> list[int]:
        """How many pairs have rank 0, 1, 2, ..."""
        return [int(count) for count in np.bincount(self.rank)]

    def report(self) -> dict[str, Any]:
        """The figures of the corpus, as plain values."""
        pairs = max(1, len(self))
        return {
            "pairs": len(self),
            "binarisable": int(self.binarisable.sum()),
            "binarisable_share": float(self.binarisable.sum() / pairs),
            "ranks": self.histogram(),
            "straight": int(self.straight.sum(dtype=np.int64)),
            "inverted": int(self.inverted.sum(dtype=np.int64)),
            "simple": int(self.simple.sum(dtype=np.int64)),
        }


def alignment_ranks(
    links: NDArray[np.uint16], offsets: NDArray[np.uint64], threads: int = 1
) -> RankStatistics:
    """The rank of each sentence pair; pair i has the links [offsets[i], offsets[i+1]).

    `links` has a row (source position, target position) for each link.
    """
    sets = _core.LinkSets(*_checked(links, offsets))
    found = _core.alignment_ranks(sets, threads)
    return RankStatistics(found.rank, found.straight, found.inverted, found.simple)


def minimal_rules(
    source: list[str],
    target: list[str],
    links: NDArray[np.uint16],
    offsets: NDArray[np.uint64],
    progress: Progress = SILENT,
) -> tuple[Grammar, NDArray[np.uint64]]:
    """The minimal rules of aligned sentence pairs, and how often each occurs.

    The grammar has one nonterminal, X, and relative frequencies as probabilities. It generates
    every pair it was made of. Unaligned words belong to the lowest rule that has aligned words
    on both sides of them, else to the topmost.
    """
    links, offsets = _checked(links, offsets)
    if not len(source) == len(target) == len(offsets) - 1:
        raise InputError(
            f"{len(source):,} source and {len(target):,} target sentences but links of "
            f"{len(offsets) - 1:,} pairs"
        )
    counter = _core.MinimalRuleCounter()
    with progress.task("minimal rules", total=len(source), unit="pairs") as task:
        for begin in range(0, len(source), BATCH):
            end = min(begin + BATCH, len(source))
            first, last = int(offsets[begin]), int(offsets[end])
            counter.add(
                source[begin:end],
                target[begin:end],
                _core.LinkSets(links[first:last], offsets[begin : end + 1] - offsets[begin]),
            )
            task.advance(end - begin)
    return Grammar(counter.finish()), counter.counts()


def _checked(
    links: NDArray[np.uint16], offsets: NDArray[np.uint64]
) -> tuple[NDArray[np.uint16], NDArray[np.uint64]]:
    links = np.ascontiguousarray(links, dtype=np.uint16).reshape(-1, 2)
    offsets = np.ascontiguousarray(offsets, dtype=np.uint64)
    if offsets.ndim != 1 or not len(offsets) or offsets[0] != 0 or offsets[-1] != len(links):
        raise InputError("offsets of links must run from 0 to the number of links")
    if len(offsets) > 1 and (offsets[1:] < offsets[:-1]).any():
        raise InputError("offsets of links must not decrease")
    return links, offsets
