"""Batch MIRA on k-best lists (Cherry & Foster 2012).

Each step takes a sentence's hope (good by model and metric) and fear (good by model, bad by
metric) and moves the weights just far enough that the model prefers the hope by the difference
in metric. Sentence scores are taken against a background of what was chosen before, so that they
add up to the corpus score. The average of all weights up to the end of the epoch at which that
average does best on the candidates is what the weights given are moved towards. The steps are
native (native/core/tuning/mira.cc).

Two things keep the early rounds in hand, whose n-best lists show only what the first weights
liked: weights of what can only be right to count for a translation do not fall below zero, and
the weights go only a part of the way (docs/lab/training.md has the figures).
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
class Mira:
    """Many small corrections, averaged."""

    epochs: int = 60
    # The largest step, C of the paper.
    aggressiveness: float = 0.01
    # How fast the background forgets.
    decay: float = 0.999
    # Whether to ask for a margin; without, this is an averaged perceptron.
    margin: bool = True
    # How far the weights given are moved to the new ones.
    part: float = 0.7
    # Below which no weight may fall, in order of features; None: no bounds.
    lowest: Vector | None = None

    def optimise(
        self, candidates: Candidates, weights: Vector, metric: Metric, seed: int
    ) -> Vector:
        """The weights given, moved towards the averaged weights of the best epoch."""
        lowest = np.full_like(weights, -np.inf) if self.lowest is None else self.lowest
        random = np.random.default_rng(seed)
        background = candidates.statistics[candidates.best_rows(weights)].mean(axis=0)
        gains = _core.sentence_gains(candidates.native, metric.name, background)
        step = _core.MiraStep(
            aggressiveness=self.aggressiveness, decay=self.decay, margin=self.margin
        )
        start = current = weights * scale(candidates, weights, gains)
        best, best_value = current, -np.inf
        total = np.zeros_like(current)
        for number in range(1, self.epochs + 1):
            order = random.permutation(len(candidates))
            epoch = _core.mira_epoch(
                candidates.native, metric.name, step, order, lowest, current, background
            )
            current, background = epoch.weights, epoch.background
            # Over all steps so far, as in the paper's algorithm 1.
            total += epoch.average
            value = candidates.objective(total, metric)
            if value > best_value:
                best, best_value = total / number, value
        found: Vector = best * scale(candidates, best, gains)
        return self.part * found + (1 - self.part) * start


def scale(candidates: Candidates, weights: Vector, gains: Vector) -> float:
    """A factor for weights, which changes no ranking but sets what a step means.

    With score differences much above the metric's, hope and fear are the same candidate and
    nothing would move; so scores are to differ half as much as the metric does.
    """
    starts = candidates.starts[:-1]

    def spread(values: Vector) -> float:
        ranges = np.maximum.reduceat(values, starts) - np.minimum.reduceat(values, starts)
        return float(np.mean(ranges))

    metric_spread, score_spread = (
        spread(gains),
        spread(np.einsum("ij,j->i", candidates.features, weights)),
    )
    if metric_spread > 0 and score_spread > 0:
        return 0.5 * metric_spread / score_spread
    return 1.0
