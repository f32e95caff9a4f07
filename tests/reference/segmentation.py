"""Cutting a sentence pair in two under IBM Model 1, by trying every split."""

from __future__ import annotations

import math


def side(columns, rows, probability, null):
    """Log-likelihood of the words of one side given those of the other, and the null word."""
    return sum(
        math.log(max(1e-7, (sum(probability(r, c) for r in rows) + null(c)) / (len(rows) + 1)))
        for c in columns
    )


def halves(forward, backward, source, target):
    """The two parts that explain each other best; of equals the nearest to the middle."""
    n, m = len(forward) - 1, len(forward[0])
    found = []
    (i, j), (begin, end) = source, target
    for at in range(i + 1, j):
        for there in range(begin + 1, end):
            left, right = (begin, there), (there, end)
            for crossed in (False, True):
                first, second = (right, left) if crossed else (left, right)
                score = 0.0
                for (a, b), (c, d) in (((i, at), first), ((at, j), second)):
                    score += side(
                        range(c, d),
                        range(a, b),
                        lambda r, k: forward[r][k],
                        lambda k: forward[n][k],
                    )
                    score += side(
                        range(a, b),
                        range(c, d),
                        lambda r, k: backward[k][r],
                        lambda k: backward[k][m],
                    )
                middle = abs((at - i) / (j - i) - 0.5) + abs((there - begin) / (end - begin) - 0.5)
                found.append((score - 1e-9 * middle, [((i, at), first), ((at, j), second)]))
    return max(found, key=lambda one: one[0])[1]


def cut(forward, backward, most):
    """All parts, by source position; those that stay too long are left out."""

    def parts(source, target):
        sizes = source[1] - source[0], target[1] - target[0]
        if max(sizes) <= most:
            return [(source, target)]
        if min(sizes) < 2:
            return []
        return [one for half in halves(forward, backward, source, target) for one in parts(*half)]

    return sorted(parts((0, len(forward) - 1), (0, len(forward[0]))))
