"""Orders of source words: what they are, and how near they come to the target's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from dragoman._core import Sentences, order_concordance
from dragoman.alignment.links import Links


@dataclass(frozen=True)
class Orders:
    """An order for each sentence: its k-th word is word ``orders[n][k]`` of the original."""

    array: NDArray[np.int32]
    offsets: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> NDArray[np.int32]:
        if not 0 <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        return self.array[int(self.offsets[index]) : int(self.offsets[index + 1])]

    @classmethod
    def of(cls, orders: Iterable[Iterable[int]]) -> Orders:
        """From an order for each sentence."""
        rows = [list(order) for order in orders]
        return cls(
            np.array([place for row in rows for place in row], dtype=np.int32),
            np.cumsum([0, *map(len, rows)], dtype=np.uint64),
        )

    @classmethod
    def identity(cls, offsets: NDArray[np.uint64]) -> Orders:
        """Every sentence as it stands."""
        lengths = np.diff(offsets).astype(np.int64)
        starts = np.repeat(offsets[:-1].astype(np.int64), lengths)
        return cls((np.arange(int(offsets[-1])) - starts).astype(np.int32), offsets)

    def apply(self, sentence: str, index: int) -> str:
        """The tokens of a sentence in the new order."""
        words = sentence.split()
        return " ".join([words[place] for place in self[index]])


def order_between(original: str, reordered: str) -> list[int] | None:
    """The order that makes one sentence of another, None when they are the same; equal words are
    taken to have kept theirs."""
    if original == reordered:
        return None
    places: dict[str, list[int]] = {}
    for place, word in enumerate(original.split()):
        places.setdefault(word, []).append(place)
    for same in places.values():
        same.reverse()
    return [places[word].pop() for word in reordered.split()]


def original_links(links: Links, orders: Orders) -> Links:
    """Links of reordered source sentences as links of the sentences as they were."""
    moved = links.array.copy()
    for index in range(len(links)):
        rows = moved[int(links.offsets[index]) : int(links.offsets[index + 1])]
        rows[:, 0] = orders[index][rows[:, 0]]
        rows[:] = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    return Links(moved, links.offsets)


@dataclass(frozen=True)
class OrderScore:
    """Scores of the orders of a corpus."""

    tau: float  # mean Kendall's tau of sentences with at least two aligned words
    fuzzy: float  # mean fuzzy reordering score (Talbot et al. 2011) of the same sentences
    sentences: int


def score_orders(orders: Orders, links: Links) -> OrderScore:
    """Kendall's tau and the fuzzy reordering score of orders, by links of the original words.

    Only aligned words count. For the fuzzy score the gold order is that of the target positions,
    words with the same position staying in the order of the sentence.
    """
    places = Sentences(orders.array, orders.offsets)
    concordant, words = order_concordance(places, links.native)
    counted = words >= 2
    if not counted.any():
        return OrderScore(1.0, 1.0, 0)
    pairs = words[counted] * (words[counted] - 1) / 2
    taus = 2 * concordant[counted] / pairs - 1
    fuzzy = [_fuzzy(orders[int(number)], links[int(number)]) for number in np.flatnonzero(counted)]
    return OrderScore(float(taus.mean()), float(np.mean(fuzzy)), int(counted.sum()))


def _fuzzy(order: NDArray[np.int32], links: NDArray[np.uint16]) -> float:
    """As dragoman.evaluation.reorder_scores has it, on the aligned words."""
    targets: dict[int, list[int]] = {}
    for source, target in links.tolist():
        targets.setdefault(source, []).append(target)
    ours = [word for word in order.tolist() if word in targets]
    middle = {word: median(places) for word, places in targets.items()}
    gold = sorted(sorted(ours), key=middle.__getitem__)
    follower = dict(zip([-1, *gold], [*gold, -2], strict=True))
    kept = sum(
        follower[word] == following
        for word, following in zip([-1, *ours], [*ours, -2], strict=True)
    )
    return float(kept / (len(gold) + 1))
