"""Synchronous grammars the slow way: inside probabilities by trying all splits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class SlowRule:
    """A right-hand side is a tuple of words and, for nonterminals, (name, link) pairs."""

    left: str
    source: tuple
    target: tuple
    probability: float

    def text(self):
        def side(symbols):
            written = [s if isinstance(s, str) else f"{s[0]}[{s[1] + 1}]" for s in symbols]
            return " ".join(written) or '""'

        return f"{self.left} -> {side(self.source)} | {side(self.target)} | {self.probability!r}"


def placements(symbols, words, begin, end):
    """All ways to lay the symbols over words[begin:end], as {link: (name, span)}."""
    if not symbols:
        if begin == end:
            yield {}
        return
    first, rest = symbols[0], symbols[1:]
    if isinstance(first, str):
        if begin < end and words[begin] == first:
            yield from placements(rest, words, begin + 1, end)
        return
    for middle in range(begin, end + 1):
        for found in placements(rest, words, middle, end):
            yield {**found, first[1]: (first[0], (begin, middle))}


def inside(rules, start, source, target):
    """The sum of the probabilities of all derivations. Unary rules must not form a cycle."""

    @cache
    def value(name, i, j, a, b):
        if i == j and a == b:
            return 0.0  # no rule has two empty sides
        total = 0.0
        for rule in rules:
            if rule.left != name:
                continue
            for left in placements(rule.source, source, i, j):
                for right in placements(rule.target, target, a, b):
                    spans = [(*left[link], right[link][1]) for link in left]
                    if any(x[0] == x[1] and y[0] == y[1] for _, x, y in spans):
                        continue
                    total += rule.probability * math.prod(
                        value(child, *x, *y) for child, x, y in spans
                    )
        return total

    return value(start, 0, len(source), 0, len(target))
