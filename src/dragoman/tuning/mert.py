"""Minimum error rate training (Och 2003).

Along a line through weight space, w + gamma * d, the score of a candidate is a straight line in
gamma, and the best candidate of a sentence changes only where lines cross on the upper envelope.
So the corpus score along the line is piecewise constant and its maximum is found exactly. From
each starting point, lines along the axes and in random directions are searched until none helps.
The search is native (native/core/tuning/line_search.cc).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.evaluation.metric import Metric
from dragoman.tuning.pool import Candidates

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Mert:
    """Exact line search from the current weights and from random ones."""

    restarts: int = 8
    random_directions: int = 8
    max_rounds: int = 30
    threads: int = 1

    def optimise(
        self, candidates: Candidates, weights: Vector, metric: Metric, seed: int
    ) -> Vector:
        """The best weights found; never worse on the candidates than those given."""
        random = np.random.default_rng(seed)
        size = len(weights)
        scale = float(np.abs(weights).max()) or 1.0
        starts = [weights] + [random.uniform(-scale, scale, size) for _ in range(self.restarts)]
        best, best_value = weights, candidates.objective(weights, metric)
        for start in starts:
            found, value = self._climb(candidates, start, metric, random)
            if value > best_value:
                best, best_value = found, value
        return best

    def _climb(
        self, candidates: Candidates, weights: Vector, metric: Metric, random: np.random.Generator
    ) -> tuple[Vector, float]:
        """Follow the best line again and again until none improves the score."""
        value = candidates.objective(weights, metric)
        for _ in range(self.max_rounds):
            directions = np.vstack(
                [np.eye(len(weights)), random.normal(size=(self.random_directions, len(weights)))]
            )
            gammas, scores = line_searches(candidates, weights, directions, metric, self.threads)
            chosen = int(np.argmax(scores))
            if scores[chosen] <= value + 1e-9:
                break
            weights = weights + gammas[chosen] * directions[chosen]
            value = float(scores[chosen])
        return weights, value


def line_search(
    candidates: Candidates, weights: Vector, direction: Vector, metric: Metric
) -> tuple[float, float]:
    """The gamma that maximises the corpus score along one line, and that score."""
    gammas, scores = line_searches(candidates, weights, direction[None, :], metric)
    return float(gammas[0]), float(scores[0])


def line_searches(
    candidates: Candidates, weights: Vector, directions: Vector, metric: Metric, threads: int = 1
) -> tuple[Vector, Vector]:
    """The same for many lines; a direction is a row."""
    gammas, scores = _core.line_searches(
        candidates.native, metric.name, weights, directions, threads
    )
    return gammas, 100 * scores
