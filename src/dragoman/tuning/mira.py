"""Batch MIRA on k-best lists (Cherry & Foster 2012).

Each step takes a sentence's hope (good by model and metric) and fear (good by model, bad by
metric) and moves the weights just far enough that the model prefers the hope by the difference
in metric. Sentence scores are taken against a background of what was chosen before, so that they
add up to the corpus score. The result is the average of the weights of the epoch that does best
on the candidates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.evaluation.metrics import SIZE_COLUMN, Metric
from dragoman.tuning.pool import Candidates

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Mira:
    """Many small corrections, averaged."""

    epochs: int = 60
    # The largest step, C of the paper.
    aggressiveness: float = 0.01
    # How fast the background forgets.
    decay: float = 0.999

    def optimise(
        self, candidates: Candidates, weights: Vector, metric: Metric, seed: int
    ) -> Vector:
        """The averaged weights of the best epoch; the given ones when none is better."""
        random = np.random.default_rng(seed)
        background = candidates.statistics[candidates.best_rows(weights)].mean(axis=0)
        current = weights * self._scale(candidates, weights, background, metric)
        best, best_value = weights, candidates.objective(weights, metric)
        for _ in range(self.epochs):
            total = np.zeros_like(current)
            for sentence in random.permutation(len(candidates)):
                current, background = self._step(
                    candidates, int(sentence), current, background, metric
                )
                total += current
            average = total / len(candidates)
            value = candidates.objective(average, metric)
            if value > best_value:
                best, best_value = average, value
        return best

    def _scale(
        self, candidates: Candidates, weights: Vector, background: Vector, metric: Metric
    ) -> float:
        """A factor for the starting weights, which changes no ranking but sets what a step means.

        With score differences much above the metric's, hope and fear are the same candidate and
        nothing would move; so scores begin to differ half as much as the metric does.
        """
        starts = candidates.starts[:-1]

        def spread(values: Vector) -> float:
            ranges = np.maximum.reduceat(values, starts) - np.minimum.reduceat(values, starts)
            return float(np.mean(ranges))

        gains = spread(sentence_gains(candidates.statistics, background, metric))
        scores = spread(candidates.features @ weights)
        return 0.5 * gains / scores if gains > 0 and scores > 0 else 1.0

    def _step(
        self,
        candidates: Candidates,
        sentence: int,
        weights: Vector,
        background: Vector,
        metric: Metric,
    ) -> tuple[Vector, Vector]:
        rows = slice(candidates.starts[sentence], candidates.starts[sentence + 1])
        features, statistics = candidates.features[rows], candidates.statistics[rows]
        gains = sentence_gains(statistics, background, metric)
        scores = features @ weights
        hope, fear = int(np.argmax(scores + gains)), int(np.argmax(scores - gains))
        chosen = int(np.argmax(scores))
        step = features[hope] - features[fear]
        loss = (gains[hope] - gains[fear]) - (scores[hope] - scores[fear])
        size = float(step @ step)
        if loss > 0 and size > 0:
            weights = weights + min(self.aggressiveness, loss / size) * step
        return weights, self.decay * background + statistics[chosen]


def sentence_gains(statistics: Vector, background: Vector, metric: Metric) -> Vector:
    """What each candidate would add to the corpus score, in units of its size.

    The metric of background and candidate together, times how much of the text they are: a
    candidate that moves a long background a little is worth as much as one that moves a short
    background a lot.
    """
    sign = 1 if metric.higher_is_better else -1
    together = metric.scores(statistics + background) / 100
    size = background[SIZE_COLUMN] + statistics[:, SIZE_COLUMN].mean()
    return sign * np.asarray(together) * float(size)
