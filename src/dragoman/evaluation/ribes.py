"""RIBES (Isozaki et al. 2010): rank correlation of word order, for distant language pairs.

    RIBES = NKT * P^0.25 * BP^0.10

NKT is the share of concordant pairs among the aligned words, (tau + 1) / 2; P the share of
hypothesis words that are aligned; BP BLEU's brevity penalty, per sentence. The corpus score is
the mean over sentences, each against its best reference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dragoman.evaluation.metric import Counter, Rows, check_parallel, counter_by_rows
from dragoman.evaluation.reorder_scores import concordant_pairs
from dragoman.evaluation.unique_runs import unique_runs

ALPHA = 0.25
BETA = 0.10
_LONG = 500  # words, from which sorting them all is faster than comparing each with each


def align_words(hypothesis: Sequence[str], reference: Sequence[str]) -> list[int]:
    """The reference positions of the hypothesis words that can be identified, in their order.

    A word that occurs once on both sides is identified by itself; another by the shortest run
    of words to its left or right, the left one first, that occurs once on both sides.
    """
    if len(hypothesis) > _LONG:
        return _align_long(hypothesis, reference)
    in_hypothesis, in_reference = _places(hypothesis), _places(reference)
    found = (
        _identify(hypothesis, reference, at, in_hypothesis[word], in_reference[word])
        for at, word in enumerate(hypothesis)
        if word in in_reference
    )
    return [place for place in found if place is not None]


def _align_long(hypothesis: Sequence[str], reference: Sequence[str]) -> list[int]:
    """The same in a time that grows little faster than the lines."""
    right = unique_runs(hypothesis, reference)
    mirrored = unique_runs(hypothesis[::-1], reference[::-1])[::-1]
    last = len(reference) - 1
    left = [(run[0], last - run[1]) if run is not None else None for run in mirrored]
    found = []
    for sides in zip(left, right, strict=True):
        runs = [run for run in sides if run is not None]
        if runs:
            found.append(min(runs, key=lambda run: run[0])[1])
    return found


def _places(words: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    return places


def _identify(
    hypothesis: Sequence[str], reference: Sequence[str], at: int, here: list[int], there: list[int]
) -> int | None:
    """The place in the reference of the word `at` a place of the hypothesis; the word itself
    stands `here` in the hypothesis and `there` in the reference."""
    if len(here) == len(there) == 1:
        return there[0]
    # Of all the word's places, those whose neighbours are the same so far, to the left (-1) and
    # to the right.
    alike = {-1: (here, there), 1: (here, there)}
    for window in range(1, max(at, len(hypothesis) - at - 1) + 1):
        for side in list(alike):
            neighbour = at + side * window
            if not 0 <= neighbour < len(hypothesis):
                del alike[side]
                continue
            word = hypothesis[neighbour]
            ours, theirs = (
                _narrowed(words, places, side * window, word)
                for words, places in zip((hypothesis, reference), alike[side], strict=True)
            )
            if len(ours) == len(theirs) == 1:
                return theirs[0]
            alike[side] = ours, theirs
            if not theirs:
                del alike[side]
    return None


def _narrowed(words: Sequence[str], places: list[int], distance: int, wanted: str) -> list[int]:
    """The places with the word `wanted` at that distance from them."""
    return [
        place
        for place in places
        if 0 <= place + distance < len(words) and words[place + distance] == wanted
    ]


def sentence_ribes(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    """RIBES of one sentence, between 0 and 1."""
    if not hypothesis or not reference:
        return 0.0
    positions = align_words(hypothesis, reference)
    if not positions:
        return 0.0
    if len(positions) == 1:
        # One aligned word has no order; it is perfect only as the whole of the reference.
        kendall = 1.0 if len(reference) == 1 else 0.0
    else:
        pairs = len(positions) * (len(positions) - 1) / 2
        kendall = concordant_pairs(positions) / pairs
    precision = len(positions) / len(hypothesis)
    brevity = min(1.0, math.exp(1 - len(reference) / len(hypothesis)))
    return kendall * math.pow(precision, ALPHA) * math.pow(brevity, BETA)


class Ribes:
    """The metric over a corpus: the mean of its sentences, times 100."""

    name = "RIBES"
    higher_is_better = True

    def __init__(self, lowercase: bool = False) -> None:
        self._lowercase = lowercase

    def _words(self, line: str) -> list[str]:
        return (line.lower() if self._lowercase else line).split()

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Rows:
        check_parallel(hypotheses, references)
        best = [
            max(sentence_ribes(self._words(line), self._words(ref[i])) for ref in references)
            for i, line in enumerate(hypotheses)
        ]
        return np.stack([np.array(best), np.ones(len(best))], axis=1)

    def counter(self, references: Sequence[Sequence[str]], threads: int = 1) -> Counter:
        return counter_by_rows(self, references)

    def score(self, total: Rows) -> float:
        return float(100 * total[0] / total[1]) if total[1] else 0.0

    def scores(self, totals: Rows) -> Rows:
        return np.array([self.score(total) for total in totals])

    def signature(self) -> str:
        case = "lc" if self._lowercase else "mixed"
        return f"alpha:{ALPHA}|beta:{BETA}|case:{case}|tok:none|version:isozaki2010"
