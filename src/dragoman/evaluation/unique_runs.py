"""The shortest run of words at each place of one text that is unique in two, for long texts.

All runs that begin at a place are the beginnings of what follows it, so places are sorted by what
follows them (a suffix array, by doubling: Manber & Myers 1993); what two neighbours in that order
share is the most that either shares with anybody (Kasai et al. 2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_EVERYTHING = 1 << 60


@dataclass
class _Shared:
    """How many words a place's continuation shares with the nearest other place of its own text,
    and with the nearest two of the other text, on one side of it in the order."""

    own: int = 0
    first: int = 0
    second: int = 0
    place: int = -1  # of the first, in the other text

    def step(self, shared: int) -> None:
        """One place further in the order, with which the last shared so many words."""
        self.own = min(self.own, shared)
        self.first = min(self.first, shared)
        self.second = min(self.second, shared)


def unique_runs(text: Sequence[str], other: Sequence[str]) -> list[tuple[int, int] | None]:
    """For each place of `text` the length of the shortest run from there on that is once in both
    texts, and where it begins in the other; None where there is none."""
    numbers: dict[str, int] = {}
    words = [numbers.setdefault(word, len(numbers)) for word in (*text, *other)]
    size = len(text)
    # Two borders that are like no word and not like each other.
    joined = [*words[:size], len(numbers), *words[size:], len(numbers) + 1]
    order = _sorted_places(np.array(joined))
    shared = _shared_with_previous(joined, order.tolist())
    places = order.tolist()
    before = _walk(places, shared, size)
    behind = _walk(places[::-1], [0, *shared[:0:-1]], size)
    found: list[tuple[int, int] | None] = [None] * size
    for at in range(size):
        sides = before[at], behind[at]
        nearest = max(sides, key=lambda side: side.first)
        rest = max(nearest.second, min(side.first for side in sides))
        length = max(*(side.own for side in sides), rest) + 1
        if length <= nearest.first:
            found[at] = length, nearest.place
    return found


def _sorted_places(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """All places, by what follows them."""
    ranks = words
    width = 1
    while True:
        following = np.full(len(ranks), -1)
        following[:-width] = ranks[width:]
        order = np.lexsort((following, ranks))
        changes = (np.diff(ranks[order]) != 0) | (np.diff(following[order]) != 0)
        ranks = np.empty_like(ranks)
        ranks[order] = np.concatenate(([0], np.cumsum(changes)))
        width *= 2
        if ranks[order[-1]] == len(ranks) - 1 or width >= len(ranks):
            return order


def _shared_with_previous(words: list[int], order: list[int]) -> list[int]:
    """How many words each place in the order shares with the one before it."""
    rank = [0] * len(order)
    for number, place in enumerate(order):
        rank[place] = number
    shared = [0] * len(order)
    length = 0
    for place in range(len(words)):
        if rank[place] == 0:
            length = 0
            continue
        previous = order[rank[place] - 1]
        end = len(words) - max(place, previous)
        while length < end and words[place + length] == words[previous + length]:
            length += 1
        shared[rank[place]] = length
        length = max(length - 1, 0)
    return shared


def _walk(order: list[int], shared: list[int], size: int) -> dict[int, _Shared]:
    """What each place of the text shares with those that come before it in the order."""
    now = _Shared()
    found: dict[int, _Shared] = {}
    for place, length in zip(order, shared, strict=True):
        now.step(length)
        if place < size:
            found[place] = _Shared(now.own, now.first, now.second, now.place)
            now.own = _EVERYTHING
        elif place > size:  # no border
            now.second, now.first, now.place = now.first, _EVERYTHING, place - size - 1
    return found
