"""How alike two orders are: Kendall's tau and the fuzzy reordering score."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from dragoman.corpus.read import read_lines
from dragoman.errors import InputError


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


def read_orders(path: Path) -> list[list[int]]:
    """One order a line: numbers separated by spaces, each once."""
    orders = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            order = [int(word) for word in line.split()]
        except ValueError as problem:
            raise InputError.at(path, number, f"not an order of numbers: {line!r}") from problem
        if len(set(order)) != len(order):
            raise InputError.at(path, number, "a number occurs twice")
        orders.append(order)
    return orders


def compare_orders(orders: Path, gold: Path) -> tuple[float, float]:
    """Kendall's tau and the fuzzy reordering score of a file against the right orders: means
    over the lines."""
    ours, right = read_orders(orders), read_orders(gold)
    if len(ours) != len(right):
        raise InputError(f"{orders} has {len(ours):,} lines but {gold} has {len(right):,}")
    if not ours:
        raise InputError(f"{orders}: there is nothing to evaluate")
    taus, fuzzy = [], []
    for number, (order, best) in enumerate(zip(ours, right, strict=True), 1):
        if sorted(order) != sorted(best):
            raise InputError.at(orders, number, f"not the numbers of line {number} of {gold}")
        place = {item: rank for rank, item in enumerate(best)}
        taus.append(kendall_tau([place[item] for item in order]))
        fuzzy.append(fuzzy_reordering_score(order, best))
    return sum(taus) / len(taus), sum(fuzzy) / len(fuzzy)
