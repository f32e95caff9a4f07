"""Batch MIRA (Cherry & Foster 2012), one candidate at a time, with the metric's own scores."""

from __future__ import annotations

from itertools import pairwise

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


def best_rows(features, starts, weights):
    """The first best candidate of each sentence; sums of few products need no tolerance here."""
    chosen = []
    for begin, end in pairwise(starts):
        scores = [
            sum(w * f for w, f in zip(weights, row, strict=True)) for row in features[begin:end]
        ]
        chosen.append(
            int(begin) + max(range(len(scores)), key=lambda i: (round(scores[i], 9), -i))
        )
    return chosen


def corpus_score(features, statistics, starts, metric, weights):
    """Higher is better, whatever the metric."""
    total = sum(statistics[row] for row in best_rows(features, starts, weights))
    return (1 if metric.higher_is_better else -1) * float(metric.scores(total[None, :])[0])


def scaled(features, starts, weights, all_gains):
    """The weights, of such a length that scores differ half as much as the gains do."""

    def spread(values):
        lists = [values[b:e] for b, e in pairwise(starts)]
        return sum(max(one) - min(one) for one in lists) / len(lists)

    scores = [sum(w * f for w, f in zip(weights, row, strict=True)) for row in features]
    gain, score = spread(all_gains), spread(scores)
    return weights * (0.5 * gain / score if gain > 0 and score > 0 else 1.0)


def optimise(
    features,
    statistics,
    starts,
    metric,
    weights,
    seed,
    *,
    epochs,
    largest,
    decay,
    margin,
    part,
    lowest,
):
    """The whole optimiser: epochs, their running average, the best of them, part of the way."""
    random = np.random.default_rng(seed)
    chosen = best_rows(features, starts, weights)
    background = sum(statistics[row] for row in chosen) / len(chosen)
    all_gains = []
    for begin, end in pairwise(starts):
        all_gains += gains(statistics[begin:end], background, metric)
    start = current = scaled(features, starts, weights, all_gains)
    averages, tried = [], []
    for _ in range(epochs):
        order = random.permutation(len(starts) - 1)
        average, current, background = epoch(
            features,
            statistics,
            starts,
            metric,
            order,
            lowest,
            current,
            background,
            largest,
            decay,
            margin,
        )
        averages.append(average)
        mean = sum(averages) / len(averages)
        tried.append((corpus_score(features, statistics, starts, metric, mean), mean))
    best = max(range(epochs), key=lambda at: (tried[at][0], -at))
    found = scaled(features, starts, tried[best][1], all_gains)
    return part * found + (1 - part) * start
