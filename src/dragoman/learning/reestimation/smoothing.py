"""Conditional probabilities from counts that need not be whole.

The same estimates as in ``native/core/rules/smoothing.h`` (Foster, Kuhn & Johnson 2006), and with
whole counts the same numbers. Lists of derivations give fractions: a count of up to one is a count
of one, a count of up to two one of two, as far as numbers of counts are concerned, and what is
below one has its share of what one has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.rules.config import SmoothingName

Floats = NDArray[np.float64]
Places = NDArray[np.uint32]


def conditionals(
    counts: Floats, sources: Places, targets: Places, smoothing: SmoothingName
) -> tuple[Floats, Floats]:
    """p(target | source) and p(source | target) by row; 0 where the condition was not seen, if
    nothing else says otherwise."""
    if smoothing == "good-turing":
        revised, unseen = good_turing(counts)
        return (
            _good_turing(counts, revised, unseen, sources),
            _good_turing(counts, revised, unseen, targets),
        )
    discount = _discount(counts) if smoothing == "kneser-ney" else 0.0
    return (
        _kneser_ney(counts, sources, targets, discount),
        _kneser_ney(counts, targets, sources, discount),
    )


def sums(places: Places, weights: Floats, least: int = 0) -> Floats:
    """The weights of each place, summed."""
    summed: Floats = np.bincount(places, weights=weights, minlength=least).astype(np.float64)
    return summed


def _discount(counts: Floats) -> float:
    """D of Kneser-Ney."""
    once = int(((counts > 0) & (counts <= 1)).sum())
    twice = int(((counts > 1) & (counts <= 2)).sum())
    return once / (once + 2 * twice) if once else 0.0


def _kneser_ney(counts: Floats, given: Places, wanted: Places, discount: float) -> Floats:
    totals = sums(given, counts)[given]
    discounted = np.minimum(counts, 1.0)
    partners = sums(given, discounted)[given]
    share = sums(wanted, discounted)[wanted] / max(discounted.sum(), 1.0)
    mass: Floats = counts - discount * discounted + discount * partners * share
    return mass / np.where(totals > 0, totals, 1.0)


def good_turing(counts: Floats) -> tuple[Floats, float]:
    """(c + 1) S(c + 1) / S(c) for each count, S being the log-linear fit of how many rows have
    each (Gale & Sampson 1995), and the share of what was never seen."""
    seen = counts > 0
    whole, numbers = np.unique(np.ceil(counts[seen]), return_counts=True)
    if len(whole) < 2:
        return counts, 0.0
    below = np.concatenate(([0.0], whole[:-1]))
    above = np.concatenate((whole[1:], [2 * whole[-1] - below[-1]]))
    # Each number is spread over the gap to its neighbours, or the long tail would be flat.
    exponent = np.polyfit(np.log(whole), np.log(numbers / (0.5 * (above - below))), 1)[0]
    if exponent > -1:  # counts would grow instead of shrink
        return counts, 0.0
    at_least_one = np.maximum(counts, 1.0)
    revised: Floats = (at_least_one + 1) * ((at_least_one + 1) / at_least_one) ** exponent
    once = counts[seen & (counts <= 1)].sum()
    return revised * np.minimum(counts, 1.0), float(once / counts.sum())


def _good_turing(counts: Floats, revised: Floats, unseen: float, given: Places) -> Floats:
    totals = (sums(given, revised) + unseen * sums(given, counts))[given]
    probabilities: Floats = revised / np.where(totals > 0, totals, 1.0)
    return probabilities
