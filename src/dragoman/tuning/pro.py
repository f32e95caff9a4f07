"""Pairwise ranked optimisation (Hopkins & May 2011).

Tuning as classification: of two candidates of a sentence, which is better? Pairs are drawn at
random, those that differ most in sentence score are kept, and logistic regression learns weights
that rank them the right way round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.evaluation.metric import Metric
from dragoman.tuning.pool import Candidates

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Pro:
    """Sampling has the paper's parameters.

    The paper interpolates with 0.1 over 30 rounds; candidates accumulate here, which steadies
    the weights by itself, and a half gets there in fewer.
    """

    drawn: int = 5000  # pairs drawn per sentence (Gamma)
    kept: int = 50  # of those, how many are kept (Xi)
    threshold: float = 0.05  # smallest difference in sentence score, of 1
    interpolation: float = 0.5  # how far the weights move to the new ones (Psi)

    def optimise(
        self, candidates: Candidates, weights: Vector, metric: Metric, seed: int
    ) -> Vector:
        """Interpolated weights; those given when no pair of candidates differs."""
        from sklearn.linear_model import LogisticRegression

        random = np.random.default_rng(seed)
        differences = [
            self._sample(candidates, sentence, metric, random)
            for sentence in range(len(candidates))
        ]
        examples = np.concatenate(differences)
        if not len(examples):
            return weights
        # Features of very different size would be regularised very differently.
        scale = np.abs(examples).max(axis=0)
        scale[scale == 0] = 1.0
        both = np.concatenate([examples, -examples]) / scale
        labels = np.repeat([1, -1], len(examples))
        model = LogisticRegression(C=100.0, fit_intercept=False, max_iter=1000)
        learnt: Vector = model.fit(both, labels).coef_[0] / scale
        # Always of the same length, so that what was there before fades at a steady pace.
        learnt /= float(np.abs(learnt).sum()) or 1.0
        return self.interpolation * learnt + (1 - self.interpolation) * weights

    def _sample(
        self, candidates: Candidates, sentence: int, metric: Metric, random: np.random.Generator
    ) -> NDArray[np.float64]:
        """Feature differences, better minus worse, of the pairs that differ most."""
        start, end = candidates.starts[sentence], candidates.starts[sentence + 1]
        features = candidates.features[start:end]
        scores = smoothed_scores(candidates.statistics[start:end], metric)
        pairs = random.integers(end - start, size=(self.drawn, 2))
        gaps = scores[pairs[:, 0]] - scores[pairs[:, 1]]
        usable = np.flatnonzero(np.abs(gaps) > self.threshold)
        top = usable[np.argsort(-np.abs(gaps[usable]), kind="stable")[: self.kept]]
        better = np.where(gaps[top, None] > 0, pairs[top], pairs[top, ::-1])
        return np.asarray(features[better[:, 0]] - features[better[:, 1]])


def smoothed_scores(statistics: NDArray[np.float64], metric: Metric) -> Vector:
    """Sentence scores between 0 and 1; BLEU with one added to every count but the words'."""
    sign = 1 if metric.higher_is_better else -1
    if metric.name == "BLEU":
        orders = (statistics.shape[1] - 2) // 2
        statistics = statistics.copy()
        statistics[:, 3 : 2 + orders] += 1
        statistics[:, 3 + orders :] += 1
    return sign * np.asarray(metric.scores(statistics)) / 100
