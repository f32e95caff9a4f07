"""How alike two orders are: Kendall's tau and the fuzzy reordering score."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import pairwise


def concordant_pairs(values: Sequence[float]) -> int:
    """How many pairs i < j have values[i] < values[j], in O(n log n) comparisons."""
    seen: list[float] = []
    count = 0
    for value in values:
        count += bisect_left(seen, value)
        insort(seen, value)
    return count


def kendall_tau(order: Sequence[float]) -> float:
    """Kendall's tau of a sequence against rising order: 1 is rising, -1 falling.

    Ties count as discordant, as in paper 004's c(x). A sequence of fewer than two is in order.
    """
    pairs = len(order) * (len(order) - 1) / 2
    return 2 * concordant_pairs(order) / pairs - 1 if pairs else 1.0


def fuzzy_reordering_score(order: Sequence[int], gold: Sequence[int]) -> float:
    """The share of neighbours of the gold order that `order` keeps (Talbot et al. 2011).

    Both are orders of the same items. The beginning and the end of the sentence count as
    neighbours too, so that there are one more than items.
    """
    if sorted(order) != sorted(gold):
        raise ValueError("the two orders must be of the same items")
    begin, end = object(), object()

    def neighbours(items: Sequence[int]) -> set[tuple[object, object]]:
        framed = [begin, *items, end]
        return set(pairwise(framed))

    return len(neighbours(order) & neighbours(gold)) / (len(gold) + 1)
