"""The features of a consensus from their definition: lists of (tokens, score) of each model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

List = Sequence[tuple[Sequence[str], float]]


def _counts(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def features(words: Sequence[str], lists: Sequence[List], scale: float) -> list[float]:
    """Of one candidate: score, listed and expected matches by n of each model; its length."""
    values: list[float] = []
    for entries in lists:
        best = max(score for _, score in entries)
        mass = [math.exp(scale * (score - best)) for _, score in entries]
        scores = {tuple(one): score for one, score in entries}
        listed = tuple(words) in scores
        worst = min(score for _, score in entries)
        values += [scores.get(tuple(words), worst) - best, float(listed)]
        for n in range(1, 5):
            own = _counts(words, n)
            values.append(
                sum(
                    weight * (own & _counts(one, n)).total()
                    for weight, (one, _) in zip(mass, entries, strict=True)
                )
                / sum(mass)
            )
    return [*values, float(len(words))]
