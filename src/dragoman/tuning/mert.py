"""Minimum error rate training (Och 2003).

Along a line through weight space, w + gamma * d, the score of a candidate is a straight line in
gamma, and the best candidate of a sentence changes only where lines cross on the upper envelope.
So the corpus score along the line is piecewise constant and its maximum is found exactly. From
each starting point, lines along the axes and in random directions are searched until none helps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.evaluation.metrics import Metric
from dragoman.tuning.pool import Candidates

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Mert:
    """Exact line search from the current weights and from random ones."""

    restarts: int = 8
    random_directions: int = 8
    max_rounds: int = 30

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
            steps = [line_search(candidates, weights, d, metric) for d in directions]
            chosen = max(range(len(steps)), key=lambda i: steps[i][1])
            gamma, reached = steps[chosen]
            if reached <= value + 1e-9:
                break
            weights, value = weights + gamma * directions[chosen], reached
        return weights, value


def line_search(
    candidates: Candidates, weights: Vector, direction: Vector, metric: Metric
) -> tuple[float, float]:
    """The gamma that maximises the corpus score along the line, and that score.

    Of equally good intervals the widest wins, because it generalises best; its middle is taken.
    """
    gammas, sentences, rows, first = envelopes(candidates, weights, direction)
    order = np.argsort(gammas, kind="stable")
    gammas, sentences, rows = gammas[order], sentences[order], rows[order]
    # At each breakpoint one sentence exchanges its candidate; totals are running sums.
    previous = _previous_rows(sentences, rows, first)
    changes = candidates.statistics[rows] - candidates.statistics[previous]
    start = candidates.statistics[first].sum(axis=0)
    totals = np.vstack([start, start + np.cumsum(changes, axis=0)])
    sign = 1 if metric.higher_is_better else -1
    scores = sign * metric.scores(np.rint(totals) if _whole(candidates.statistics) else totals)
    edges = np.concatenate(([-np.inf], gammas, [np.inf]))
    widths = np.diff(edges)
    scores = np.where(widths > 0, scores, -np.inf)  # several sentences may change at one point
    top = scores.max()
    interval = int(np.argmax(np.where(scores >= top - 1e-12, widths, -1.0)))
    return _middle(edges[interval], edges[interval + 1]), float(top)


def _whole(statistics: NDArray[np.float64]) -> bool:
    return bool((statistics == np.rint(statistics)).all())


def _previous_rows(
    sentences: NDArray[np.int64], rows: NDArray[np.int64], first: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The row that each breakpoint replaces: the sentence's one before, or its first."""
    current = first.copy()
    previous = np.empty_like(rows)
    for at, (sentence, row) in enumerate(zip(sentences, rows, strict=True)):
        previous[at] = current[sentence]
        current[sentence] = row
    return previous


def _middle(low: float, high: float) -> float:
    """A point inside the interval, near its finite end when the other is infinite."""
    if np.isinf(low) and np.isinf(high):
        return 0.0
    if np.isinf(low):
        return high - 0.1 * max(1.0, abs(high))
    if np.isinf(high):
        return low + 0.1 * max(1.0, abs(low))
    return (low + high) / 2


def envelopes(
    candidates: Candidates, weights: Vector, direction: Vector
) -> tuple[Vector, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where each sentence's best candidate changes along the line.

    Returns breakpoints (gamma, sentence, the row that becomes best) in no particular order, and
    the row that is best at gamma = -infinity for each sentence. All sentences walk along their
    envelopes at once: one step finds each one's next crossing.
    """
    heights, slopes = candidates.features @ weights, candidates.features @ direction
    sizes = np.diff(candidates.starts)
    first = _steepest_down(candidates, heights, slopes)
    current = first.copy()
    gammas, sentences, rows = [], [], []
    active = np.arange(len(candidates))
    # Only the candidates of sentences still under way are looked at.
    members = np.arange(len(heights))
    owner = np.repeat(np.arange(len(candidates)), sizes)
    while len(active):
        now = current[owner[members]]
        rise = slopes[members] - slopes[now]
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = np.where(
                rise > 0, (heights[now] - heights[members]) / np.where(rise > 0, rise, 1), np.inf
            )
        starts = np.concatenate(([0], np.cumsum(sizes[active])[:-1]))
        nearest = np.minimum.reduceat(crossing, starts)
        # Of lines that cross at the same point, the steepest is on top beyond it.
        at_nearest = crossing == np.repeat(nearest, sizes[active])
        steepest = np.maximum.reduceat(
            np.where(at_nearest & np.isfinite(crossing), slopes[members], -np.inf), starts
        )
        moving = np.isfinite(nearest)
        chosen = at_nearest & (slopes[members] == np.repeat(steepest, sizes[active]))
        chosen &= np.repeat(moving, sizes[active])
        picked = members[chosen]
        sentence, index = np.unique(owner[picked], return_index=True)
        current[sentence] = picked[index]
        gammas.append(nearest[moving])
        sentences.append(sentence)
        rows.append(picked[index])
        members = members[np.repeat(moving, sizes[active])]
        active = active[moving]
    return np.concatenate(gammas), np.concatenate(sentences), np.concatenate(rows), first


def _steepest_down(candidates: Candidates, heights: Vector, slopes: Vector) -> NDArray[np.int64]:
    """The line on top at minus infinity: the smallest slope, then the greatest height."""
    owner = np.repeat(np.arange(len(candidates)), np.diff(candidates.starts))
    order = np.lexsort((-heights, slopes, owner))
    return np.asarray(order[candidates.starts[:-1]], dtype=np.int64)
