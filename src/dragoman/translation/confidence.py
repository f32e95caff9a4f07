"""How sure a translation is, word by word and as a whole.

The search graph of a sentence says how probable each word of the best translation is among all
translations in it (``word_posteriors``). These numbers rank words well, but are no probabilities
that somebody could rely on: a logistic regression on the dev set, of whether a word stands in the
reference, makes them such (calibration). The confidence of a sentence is the mean of its words':
the share of them that is expected to be right.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import DecodeResult, Hypergraph
from dragoman.errors import ModelError
from dragoman.files import number_within, read_json

Matrix = NDArray[np.float64]

# Scales of the scores that are tried; the model's own are differences that mean little.
SCALES = (0.5, 1.0, 2.0, 4.0, 8.0)
FEATURES = ("word", "phrase", "unknown", "length")
BINS = 10
_LARGEST = 1e6  # of what a training can have learnt
_FARTHEST = 8.0  # of log-odds: nothing is surer
_RIDGE = 1.0
_ROUNDS = 25


@dataclass(frozen=True)
class CurvePoint:
    """Words of about the same confidence: how many, how sure, and how many of them were right."""

    count: int
    confidence: float
    right: float


@dataclass(frozen=True)
class Confidence:
    """How posteriors become confidences."""

    scale: float
    weights: tuple[float, ...]  # the bias first, then one for each of FEATURES
    words: int = 0  # of the dev set that it was learnt from
    # What was measured on sentences that were not learnt from, each in its turn.
    curve: tuple[CurvePoint, ...] = ()
    error: float = 0.0  # the mean distance of confidence and share of right words
    ranking: float = 0.0  # how often a right word is surer than a wrong one

    def of_words(self, result: DecodeResult) -> list[float]:
        """The confidence of each word of the best translation, which needs a graph."""
        if result.graph is None:
            return []
        found = word_features(result.graph, self.scale)
        return [] if not len(found) else _probability(found, np.array(self.weights)).tolist()

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path) -> Confidence:
        """Read what a training has written."""
        content = read_json(path)
        try:
            found = cls(
                number_within(content.pop("scale"), 0, _LARGEST),
                tuple(number_within(one, -_LARGEST, _LARGEST) for one in content.pop("weights")),
                curve=tuple(CurvePoint(**point) for point in content.pop("curve")),
                **content,
            )
        except (ValueError, TypeError, KeyError) as problem:
            raise ModelError(f"{path}: damaged: {problem}") from problem
        if len(found.weights) != len(FEATURES) + 1:
            raise ModelError(f"{path}: damaged: {len(found.weights)} weights")
        return found


# Of a model that has no dev set to learn it from: what the graph says, as it is.
UNSURE = Confidence(1.0, (0.0, 1.0, 0.0, 0.0, 0.0))


def sentence_confidence(words: Sequence[float]) -> float:
    """The share of words that is expected to be right; of none at all, all are."""
    return float(np.mean(words)) if len(words) else 1.0


def word_features(graph: Hypergraph, scale: float) -> Matrix:
    """A row of FEATURES for each word of the best translation of a graph, and 1 for the bias."""
    return np.array(
        [
            (
                1.0,
                _log_odds(one.word_probability),
                _log_odds(one.phrase_probability),
                float(one.unknown),
                np.log(max(1, one.phrase_words)),
            )
            for one in graph.word_posteriors(scale)
        ]
    ).reshape(-1, len(FEATURES) + 1)


def right_words(said: Sequence[str], reference: Sequence[str]) -> list[bool]:
    """Which words of a translation stand in its reference, in the same order: those that need not
    be replaced or deleted when the fewest words are changed."""
    # Replacing costs a little more than its share of deleting and inserting, so that of equally
    # short ways the one is taken that keeps more words.
    edit, replace = 10, 11
    costs = [[edit * j for j in range(len(reference) + 1)]]
    for i, word in enumerate(said, 1):
        row = [edit * i]
        for j, other in enumerate(reference, 1):
            kept = costs[-1][j - 1] + (0 if word == other else replace)
            row.append(min(kept, costs[-1][j] + edit, row[-1] + edit))
        costs.append(row)
    right = [False] * len(said)
    i, j = len(said), len(reference)
    while i and j:
        same = said[i - 1] == reference[j - 1]
        if costs[i][j] == costs[i - 1][j - 1] + (0 if same else replace):
            i, j = i - 1, j - 1
            right[i] = same
        elif costs[i][j] == costs[i - 1][j] + edit:
            i -= 1
        else:
            j -= 1
    return right


def calibrated(graphs: Sequence[Hypergraph], rights: Sequence[Sequence[bool]]) -> Confidence:
    """Learn from the graphs of a dev set and which words of its translations were right.

    The scale is the one with the best likelihood of words that were not learnt from: halves of
    the sentences are taken by turns. The curve is measured in the same way.
    """
    labels = np.array([right for one in rights for right in one], dtype=np.float64)
    halves = np.array([n % 2 for n, one in enumerate(rights) for _ in one])
    found: tuple[float, float, Matrix, Matrix] | None = None
    for scale in SCALES:
        rows = np.concatenate([word_features(graph, scale) for graph in graphs])
        held = np.empty(len(labels))
        for half in (0, 1):
            learnt = _fitted(rows[halves != half], labels[halves != half])
            held[halves == half] = _probability(rows[halves == half], learnt)
        loss = -float(np.mean(np.log(np.where(labels == 1, held, 1 - held))))
        if found is None or loss < found[0]:
            found = loss, scale, rows, held
    assert found is not None
    _, scale, rows, held = found
    weights = tuple(round(float(weight), 6) for weight in _fitted(rows, labels))
    curve = _curve(held, labels)
    apart = sum(point.count * abs(point.confidence - point.right) for point in curve)
    return Confidence(
        scale,
        weights,
        len(labels),
        curve,
        round(apart / len(labels), 4),
        round(_ranking(held, labels), 4),
    )


def _log_odds(probability: float) -> float:
    if probability <= 0:
        return -_FARTHEST
    if probability >= 1:
        return _FARTHEST
    return float(np.clip(np.log(probability / (1 - probability)), -_FARTHEST, _FARTHEST))


def _probability(rows: Matrix, weights: Matrix) -> Matrix:
    odds = np.clip(rows @ weights, -_FARTHEST, _FARTHEST)
    return np.asarray(1 / (1 + np.exp(-odds)))


def _fitted(rows: Matrix, labels: Matrix) -> Matrix:
    """Logistic regression by Newton's method; weights but the bias are drawn towards zero."""
    weights = np.zeros(rows.shape[1])
    ridge = np.full(rows.shape[1], _RIDGE)
    ridge[0] = 1e-6
    for _ in range(_ROUNDS):
        said = _probability(rows, weights)
        slope = rows.T @ (labels - said) - ridge * weights
        curvature = (rows.T * (said * (1 - said))) @ rows + np.diag(ridge)
        step = np.linalg.solve(curvature, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-9:
            break
    return weights


def _curve(said: Matrix, labels: Matrix) -> tuple[CurvePoint, ...]:
    """Words in bins of equal width; empty bins are left out."""
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    return tuple(
        CurvePoint(
            int(np.sum(bins == number)),
            round(float(np.mean(said[bins == number])), 4),
            round(float(np.mean(labels[bins == number])), 4),
        )
        for number in range(BINS)
        if np.any(bins == number)
    )


def _ranking(said: Matrix, labels: Matrix) -> float:
    """The area under the ROC curve."""
    right, wrong = int(labels.sum()), int((1 - labels).sum())
    if not right or not wrong:
        return 1.0
    # The mean rank of those that are equally sure, from 1 on.
    _, place, count = np.unique(said, return_inverse=True, return_counts=True)
    ranks = np.cumsum(count) - (count - 1) / 2
    return (float(ranks[place[labels == 1]].sum()) - right * (right + 1) / 2) / (right * wrong)
