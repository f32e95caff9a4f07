"""Confidence against definitions: right words by trying all ways, the regression by its
gradient, the scale by the words that were held out, curve and ranking pair by pair."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from dragoman.translation import confidence
from dragoman.translation.confidence import Confidence, CurvePoint, calibrated, right_words


@dataclass
class Posterior:
    word_probability: float
    phrase_probability: float
    unknown: bool = False
    phrase_words: int = 1


class Graph:
    """What posteriors a graph has at each scale."""

    def __init__(self, by_scale: dict[float, list[Posterior]]) -> None:
        self.word_posteriors = by_scale.__getitem__


def cheapest(said: tuple[str, ...], reference: tuple[str, ...]) -> tuple[int, int]:
    """The least cost of changing one into the other, and the most words kept at that cost."""

    @cache
    def best(i: int, j: int) -> tuple[int, int]:
        if i == 0 or j == 0:
            return 10 * (i + j), 0
        ways = [
            (best(i - 1, j)[0] + 10, best(i - 1, j)[1]),
            (best(i, j - 1)[0] + 10, best(i, j - 1)[1]),
        ]
        same = said[i - 1] == reference[j - 1]
        cost, kept = best(i - 1, j - 1)
        ways.append((cost, kept - 1) if same else (cost + 11, kept))
        return min(ways)

    cost, kept = best(len(said), len(reference))
    return cost, -kept


def test_right_words_are_those_of_a_cheapest_way():
    chance = random.Random(2)
    for _ in range(400):
        said = tuple(chance.choices("abcd", k=chance.randint(0, 7)))
        reference = tuple(chance.choices("abcd", k=chance.randint(0, 7)))
        right = right_words(said, reference)
        assert len(right) == len(said)
        kept = [word for word, one in zip(said, right, strict=True) if one]
        # What is kept stands in the reference in this order; and nothing keeps more for less.
        rest = iter(reference)
        assert all(word in rest for word in kept)
        cost, most = cheapest(said, reference)
        replaced = min(len(said), len(reference)) - len(kept)
        assert len(kept) <= most
        assert any(
            10 * (len(said) - len(kept) - r) + 10 * (len(reference) - len(kept) - r) + 11 * r
            == cost
            for r in range(replaced + 1)
        )


@pytest.mark.parametrize(
    ("probability", "odds"),
    [
        (0.0, -8),
        (1.0, 8),
        (-0.5, -8),
        (1.5, 8),
        (0.5, 0),
        (0.75, math.log(3)),
        (1e-9, -8),
        (1 - 1e-9, 8),
    ],
)
def test_log_odds(probability, odds):
    assert confidence._log_odds(probability) == pytest.approx(odds)


def test_features_by_hand():
    graph = Graph(
        {2.0: [Posterior(0.75, 0.5), Posterior(1.0, 0.0, True, 3), Posterior(0.5, 0.5, False, 0)]}
    )
    assert confidence.word_features(graph, 2.0).tolist() == [
        [1, pytest.approx(math.log(3)), 0, 0, 0],
        [1, 8, -8, 1, pytest.approx(math.log(3))],
        [1, 0, 0, 0, 0],  # the logarithm of no words at all is that of one
    ]
    assert confidence.word_features(Graph({1.0: []}), 1.0).shape == (0, 5)


def test_confidences_of_words_by_hand():
    class Result:
        graph: Any = Graph({2.0: [Posterior(0.75, 0.5), Posterior(0.5, 0.75, True, 4)]})

    found = Confidence(2.0, (0.5, 1.0, 2.0, -1.0, 0.25)).of_words(Result())
    odds = [0.5 + math.log(3), 0.5 + 2 * math.log(3) - 1 + 0.25 * math.log(4)]
    assert found == pytest.approx([1 / (1 + math.exp(-one)) for one in odds])
    # Nothing is surer than log-odds of 8.
    sure = Confidence(2.0, (100.0, 0.0, 0.0, -200.0, 0.0)).of_words(Result())
    assert sure == pytest.approx([1 / (1 + math.exp(-8)), 1 / (1 + math.exp(8))])
    Result.graph = None
    assert Confidence(2.0, (0.0,) * 5).of_words(Result()) == []
    Result.graph = Graph({2.0: []})
    assert Confidence(2.0, (0.0,) * 5).of_words(Result()) == []


def test_the_regression_is_where_the_slope_is_none():
    chance = np.random.default_rng(5)
    rows = np.column_stack([np.ones(60), chance.normal(size=(60, 4))])
    labels = (chance.uniform(size=60) < 0.7).astype(float)
    weights = confidence._fitted(rows, labels)
    said = 1 / (1 + np.exp(-(rows @ weights)))
    # All but the bias are drawn to zero, by one unit of ridge each.
    ridge = np.array([1e-6, 1, 1, 1, 1])
    assert rows.T @ (labels - said) - ridge * weights == pytest.approx(np.zeros(5), abs=1e-8)
    # With nothing to tell words apart, the bias is what all words have in common.
    alone = confidence._fitted(np.ones((8, 1)), np.array([1, 1, 1, 1, 1, 1, 0, 0.0]))
    assert alone == pytest.approx([math.log(3)], abs=1e-5)


def test_curve_by_hand():
    said = np.array([0.0, 0.04, 0.1, 0.55, 0.59, 0.999, 1.0])
    labels = np.array([0, 1, 1, 0, 1, 1, 1.0])
    assert confidence._curve(said, labels) == (
        CurvePoint(2, 0.02, 0.5),
        CurvePoint(1, 0.1, 1.0),
        CurvePoint(2, 0.57, 0.5),
        CurvePoint(2, 0.9995, 1.0),
    )


def test_ranking_pair_by_pair():
    chance = random.Random(3)
    for _ in range(50):
        said = [chance.choice((0.1, 0.2, 0.5, 0.9)) for _ in range(8)]
        labels = [chance.choice((0.0, 1.0)) for _ in range(8)]
        pairs = [
            1.0 if one > other else 0.5 if one == other else 0.0
            for one, right in zip(said, labels, strict=True)
            for other, also in zip(said, labels, strict=True)
            if right == 1 and also == 0
        ]
        expected = sum(pairs) / len(pairs) if pairs else 1.0
        assert confidence._ranking(np.array(said), np.array(labels)) == pytest.approx(expected)


def made_graphs(seed: int) -> tuple[list[Graph], list[list[bool]]]:
    """Posteriors tell the truth at one scale, and something else at all others."""
    chance = np.random.default_rng(seed)
    true_scale = float(chance.choice(confidence.SCALES))
    graphs, rights = [], []
    for _ in range(41):
        truth = chance.uniform(0.05, 0.95, int(chance.integers(1, 9)))
        by_scale = {}
        for scale in confidence.SCALES:
            noise = 0.0 if scale == true_scale else 1.0
            odds = np.log(truth / (1 - truth)) + noise * chance.normal(size=len(truth))
            by_scale[scale] = [Posterior(1 / (1 + math.exp(-o)), 0.5) for o in odds]
        graphs.append(Graph(by_scale))
        rights.append((chance.uniform(size=len(truth)) < truth).tolist())
    return graphs, rights


@pytest.mark.parametrize("seed", range(5))
def test_calibration_by_hand(seed):
    graphs, rights = made_graphs(seed)
    labels = [float(right) for one in rights for right in one]
    losses, held_out = {}, {}
    for scale in (0.5, 1.0, 2.0, 4.0, 8.0):
        held: list[float] = []
        for number, graph in enumerate(graphs):
            # What is said of a sentence was learnt from the other half: even from odd.
            others = [n for n in range(len(graphs)) if n % 2 != number % 2]
            rows = np.concatenate([confidence.word_features(graphs[n], scale) for n in others])
            learnt = confidence._fitted(
                rows, np.array([x for n in others for x in rights[n]], float)
            )
            odds = confidence.word_features(graph, scale) @ learnt
            held += (1 / (1 + np.exp(-np.clip(odds, -8, 8)))).tolist()
        losses[scale] = -sum(
            math.log(one if right else 1 - one) for one, right in zip(held, labels, strict=True)
        )
        held_out[scale] = held
    best = min(losses, key=losses.__getitem__)
    found = calibrated(graphs, rights)  # type: ignore[arg-type]
    assert found.scale == best
    assert found.words == len(labels)
    rows = np.concatenate([confidence.word_features(graph, best) for graph in graphs])
    assert found.weights == pytest.approx(confidence._fitted(rows, np.array(labels)), abs=1e-6)
    assert all(weight == round(weight, 6) for weight in found.weights)
    said = np.array(held_out[best])
    assert found.curve == confidence._curve(said, np.array(labels))
    apart = sum(one.count * abs(one.confidence - one.right) for one in found.curve) / len(labels)
    assert found.error == round(apart, 4)
    ranking = confidence._ranking(said, np.array(labels))
    assert found.ranking == pytest.approx(ranking, abs=1e-4)


def test_everything_is_kept(tmp_path):
    whole = Confidence(4.0, (1.0, 2.0, 3.0, 4.0, 5.0), 7, (CurvePoint(3, 0.25, 0.5),), 0.125, 0.75)
    whole.save(tmp_path / "confidence.json")
    assert Confidence.load(tmp_path / "confidence.json") == whole
