"""How long translations are.

Steps from sentence to sentence see the brevity penalty of the corpus only through a background,
and on hard text they settle on translations that are too long (docs/lab/training.md has the
figures). The weight of one feature that counts words decides about that, so it is searched for
exactly on the candidates, as MERT would do, once the others have been found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.evaluation.metric import Metric
from dragoman.tuning.mert import line_search
from dragoman.tuning.pool import Candidates

Vector = NDArray[np.float64]


def fit_length(
    candidates: Candidates, weights: Vector, metric: Metric, feature: int | None
) -> Vector:
    """The weights, that of a feature changed so that the score of the candidates that they choose
    is as high as it can be; without a feature as they are."""
    if feature is None:
        return weights
    direction = np.zeros_like(weights)
    direction[feature] = 1
    step, score = line_search(candidates, weights, direction, metric)
    if score <= candidates.objective(weights, metric):
        return weights
    return weights + step * direction
