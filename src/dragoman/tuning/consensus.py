"""How models agree, tuned: the weights of a consensus and how sharply its models believe.

The lists of the models do not depend on the weights, so each scale needs one optimisation over one
pool, without rounds of decoding. The scale is chosen by the dev score, like the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dragoman._core import DecodeResult
from dragoman.evaluation.metric import Metric
from dragoman.model.weights import Vector
from dragoman.search.consensus import Opinion, candidates, default_weights
from dragoman.tuning.length import fit_length
from dragoman.tuning.mira import Mira
from dragoman.tuning.pool import NbestLists, Pool

SCALES = (0.5, 1.0, 2.0, 5.0)
# MIRA goes on from where it ended.
_ROUNDS = 3


@dataclass(frozen=True)
class TunedConsensus:
    """What was found, and its score on the dev set."""

    scale: float
    weights: Vector
    score: float


def tune_consensus(
    results: Sequence[list[DecodeResult]],
    references: Sequence[Sequence[str]],
    metric: Metric,
    *,
    opinion: Opinion | None = None,
    seed: int = 1,
    threads: int = 1,
) -> TunedConsensus:
    """Weights and scale for the lists of each model, and the `opinion` of a network."""
    start = default_weights(len(results), network=opinion is not None)
    # Whatever a model expects, or a network thinks, can only count for a translation.
    lowest = np.zeros(len(start))
    words = len(default_weights(len(results))) - 1
    lowest[words] = -np.inf
    optimiser = Mira(part=1.0, lowest=lowest)
    best: TunedConsensus | None = None
    for scale in SCALES:
        pool = Pool(metric, references, threads)
        pool.add(NbestLists.joined([candidates(results, scale, opinion, threads)], len(start)))
        pooled = pool.candidates()
        weights = start
        for round_ in range(_ROUNDS):
            weights = optimiser.optimise(pooled, weights, metric, seed + round_)
            weights = fit_length(pooled, weights, metric, words)
        score = pooled.objective(weights, metric)
        if best is None or score > best.score:
            best = TunedConsensus(scale, weights / np.abs(weights).sum(), score)
    assert best is not None
    return best
