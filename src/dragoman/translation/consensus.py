"""The choice of a consensus among the best translations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from dragoman._core import PhraseTranslation

ORDER = 4


def consensus(entries: Sequence[PhraseTranslation], scale: float = 1.0) -> int:
    """Minimum Bayes risk: the place of the entry with the highest expected sentence BLEU (one
    added to the counts beyond single words), entries being as probable as their scores, times
    `scale`, say."""
    best = max(entry.score for entry in entries)
    weights = [math.exp(scale * (entry.score - best)) for entry in entries]
    grams = [_ngrams(entry.target.split()) for entry in entries]
    lengths = [len(entry.target.split()) for entry in entries]

    def expected(index: int) -> float:
        return math.fsum(
            weight * _bleu(grams[index], lengths[index], grams[other], lengths[other])
            for other, weight in enumerate(weights)
        )

    return max(range(len(entries)), key=lambda index: (expected(index), -index))


def _ngrams(words: Sequence[str]) -> list[Counter[tuple[str, ...]]]:
    return [
        Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
        for n in range(1, ORDER + 1)
    ]


def _bleu(
    grams: list[Counter[tuple[str, ...]]],
    length: int,
    reference: list[Counter[tuple[str, ...]]],
    reference_length: int,
) -> float:
    if length == 0:
        return float(reference_length == 0)
    log_precision = 0.0
    for n in range(ORDER):
        added = 1 if n else 0
        matches = (grams[n] & reference[n]).total() + added
        if matches == 0:
            return 0.0
        log_precision += math.log(matches / (max(0, length - n) + added)) / ORDER
    return math.exp(log_precision + min(0.0, 1 - reference_length / length))
