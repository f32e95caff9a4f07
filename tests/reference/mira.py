"""Batch MIRA (Cherry & Foster 2012), one candidate at a time, with the metric's own scores."""

from __future__ import annotations

import numpy as np


def gains(statistics, background, metric):
    """The score of background and candidate together, times the size of the references."""
    sign = 1 if metric.higher_is_better else -1
    size = background[1] + sum(row[1] for row in statistics) / len(statistics)
    return [
        sign * float(metric.scores((row + background)[None, :])[0]) / 100 * size
        for row in statistics
    ]


def epoch(
    features,
    statistics,
    starts,
    metric,
    order,
    lowest,
    weights,
    background,
    largest,
    decay,
    margin=True,
):
    """Averaged weights, weights and background after one pass."""
    weights, background = weights.copy(), background.copy()
    total = np.zeros_like(weights)
    for sentence in order:
        rows = range(starts[sentence], starts[sentence + 1])
        gain = gains([statistics[row] for row in rows], background, metric)
        score = [sum(w * f for w, f in zip(weights, features[row], strict=True)) for row in rows]
        places = range(len(rows))
        hope = max(places, key=lambda i: (score[i] + gain[i], -i))
        fear = max(places, key=lambda i: (score[i] - gain[i], -i))
        chosen = max(places, key=lambda i: (score[i], -i))
        if not margin:
            fear = chosen
        step = features[rows[hope]] - features[rows[fear]]
        loss = (gain[hope] - gain[fear]) - (score[hope] - score[fear])
        size = float((step**2).sum())
        if size > 0 and (loss > 0 if margin else gain[hope] > gain[fear]):
            length = min(largest, loss / size) if margin else largest
            weights = np.maximum(lowest, weights + length * step)
        background = decay * background + statistics[rows[chosen]]
        total += weights
    return total / len(order), weights, background
