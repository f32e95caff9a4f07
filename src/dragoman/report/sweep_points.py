"""Settings of a sweep, what they gave, and which of them are worth having."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dragoman.search.options import SearchName

# What settings are compared by: BLEU, as in the paper, or what the search itself maximises.
Quality = Literal["bleu", "model_score"]
QUALITIES: tuple[Quality, ...] = get_args(Quality)

Vector = tuple[float, float, int, int]  # thresholds and limits: t-table, beam, t-table, beam
Resampled = NDArray[np.float64]  # BLEU on test sets drawn with replacement


@dataclass(frozen=True)
class Measurement:
    """What one decoding of the dev set gave."""

    bleu: float
    ms_per_word: float
    hypotheses_per_word: float
    model_score: float
    lm_lookups_per_word: float = 0.0
    # The draws are the same for every setting, so that differences are paired.
    resampled: Resampled = field(default_factory=lambda: np.empty(0), compare=False)


@dataclass(frozen=True)
class Point:
    """One setting and what it gave."""

    search: SearchName
    ttable_threshold: float
    beam_threshold: float
    ttable_limit: int
    beam_limit: int
    bleu: float
    ms_per_word: float
    hypotheses_per_word: float
    model_score: float
    lm_lookups_per_word: float = 0.0
    # Where 95 % of resampled dev sets have their BLEU; none: nobody has resampled.
    bleu_low: float | None = None
    bleu_high: float | None = None

    def by(self, quality: Quality) -> float:
        """How good it is."""
        return self.bleu if quality == "bleu" else self.model_score

    @property
    def vector(self) -> Vector:
        return (self.ttable_threshold, self.beam_threshold, self.ttable_limit, self.beam_limit)


Effort = Callable[[Point], float]
EFFORTS: dict[str, Effort] = {
    "ms_per_word": lambda point: point.ms_per_word,
    "hypotheses_per_word": lambda point: point.hypotheses_per_word,
}


def hull(points: Sequence[Point], effort: Effort, quality: Quality = "bleu") -> list[Point]:
    """The upper convex hull of quality over the logarithm of effort, up to the highest quality."""
    ordered = sorted(points, key=lambda point: (effort(point), -point.by(quality)))
    upper: list[Point] = []
    for point in ordered:
        if upper and point.by(quality) <= upper[-1].by(quality):
            continue
        while len(upper) > 1 and _turns_left(upper[-2], upper[-1], point, effort, quality):
            upper.pop()
        upper.append(point)
    return upper


def _turns_left(a: Point, b: Point, c: Point, effort: Effort, quality: Quality) -> bool:
    ax, bx, cx = (math.log(effort(point)) for point in (a, b, c))
    ay, by, cy = (point.by(quality) for point in (a, b, c))
    return (bx - ax) * (cy - ay) >= (cx - ax) * (by - ay)
