"""Forced decoding by enumerating every derivation of a short sentence pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Span = tuple[int, int]
Rule = tuple[Span, Span]  # source, target; an empty span is null


@dataclass(frozen=True)
class Limits:
    max_length: int = 3
    null_rules: bool = True
    distortion_limit: int | None = None
    gap_limit: int | None = None


def gaps(covered: frozenset[int], length: int) -> list[Span]:
    """Maximal runs of uncovered words."""
    found: list[Span] = []
    begin = None
    for position in range(length + 1):
        free = position < length and position not in covered
        if free and begin is None:
            begin = position
        if not free and begin is not None:
            found.append((begin, position))
            begin = None
    return found


def derivations(source: int, target: int, limits: Limits) -> Iterator[tuple[Rule, ...]]:
    """All ways from `source` words to `target` words, in target order.

    An insertion at a place where nothing is covered in between may come before or after a
    deletion; these are different derivations, as they are in the stacks.
    """

    def allowed(covered: frozenset[int], last_end: int, begin: int, end: int) -> bool:
        first = min(set(range(source)) - covered)
        limit = limits.distortion_limit
        if limit is not None:
            jumped = begin - last_end
            if jumped > limit or -jumped > limit + 1:
                return False
            if begin != first and end - first > limit + 1:
                return False
        after = covered | frozenset(range(begin, end))
        return limits.gap_limit is None or len(gaps(after, source)) <= limits.gap_limit

    def extend(
        covered: frozenset[int], produced: int, last_end: int, rules: tuple[Rule, ...]
    ) -> Iterator[tuple[Rule, ...]]:
        if len(covered) == source and produced == target:
            yield rules
        if limits.null_rules and produced < target:
            rule = ((0, 0), (produced, produced + 1))
            yield from extend(covered, produced + 1, last_end, (*rules, rule))
        for begin in range(source):
            for end in range(begin + 1, min(source, begin + limits.max_length) + 1):
                if any(position in covered for position in range(begin, end)):
                    break
                if not allowed(covered, last_end, begin, end):
                    continue
                shortest = 0 if limits.null_rules and end == begin + 1 else 1
                for words in range(shortest, min(limits.max_length, target - produced) + 1):
                    rule = ((begin, end), (produced, produced + words))
                    yield from extend(
                        covered | frozenset(range(begin, end)),
                        produced + words,
                        end,
                        (*rules, rule),
                    )

    yield from extend(frozenset(), 0, 0, ())


def distortion(rules: tuple[Rule, ...], source: int) -> int:
    """The sum of all jumps, the one to the end included."""
    total = at = 0
    for (begin, end), _ in rules:
        if begin < end:
            total += abs(begin - at)
            at = end
    return total + abs(source - at)
