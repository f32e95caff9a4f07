"""Which scale and which weights of a consensus win, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from dragoman.search.consensus import default_weights
from dragoman.tuning import consensus
from dragoman.tuning.mira import Mira

METRIC, REFERENCES = object(), [["a b c"]]


class Script:
    """Scores by scale are known; the optimiser doubles the weights, and translations are to be
    shorter by one word each time."""

    def __init__(self, monkeypatch, scores):
        self.scores, self.scale = scores, 0.0
        self.calls, self.made, self.scored = [], [], []
        monkeypatch.setattr(consensus, "candidates", self.candidates)
        monkeypatch.setattr(consensus, "Pool", self.pool)
        monkeypatch.setattr(consensus.NbestLists, "joined", lambda arrays, width: (arrays, width))
        monkeypatch.setattr(consensus, "Mira", self.mira)
        monkeypatch.setattr(consensus, "fit_length", self.fit_length)

    def candidates(self, results, scale, opinion, threads):
        assert (opinion, threads) == (None, 3)  # no network was given
        self.scale = scale
        return ("candidates", len(results), scale)

    def pool(self, metric, references, threads):
        assert (metric, references, threads) == (METRIC, REFERENCES, 3)
        return SimpleNamespace(add=self.add, candidates=self.pooled)

    def pooled(self):
        return SimpleNamespace(objective=self.objective, scale=self.scale)

    def add(self, lists):
        # One array for all sentences, as wide as the weights of two models.
        assert lists == ([("candidates", 2, self.scale)], 13)

    def objective(self, weights, metric):
        assert metric is METRIC
        self.scored.append((self.scale, float(weights[-1])))
        return self.scores[self.scale]

    def mira(self, **options):
        self.made.append(options)
        return self

    def optimise(self, pooled, weights, metric, seed):
        assert pooled.scale == self.scale and metric is METRIC
        self.calls.append((self.scale, float(weights[-1]), seed))
        return weights * 2

    def fit_length(self, pooled, weights, metric, feature):
        assert pooled.scale == self.scale and metric is METRIC
        assert feature == 12  # "words"
        return weights - np.eye(13)[feature]

    def run(self):
        return consensus.tune_consensus([[], []], REFERENCES, METRIC, seed=7, threads=3)


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ((1.0, 2.0, 3.0, 4.0), 5.0),
        ((1.0, 4.0, 3.0, 2.0), 1.0),
        ((2.0, 2.0, 2.0, 2.0), 0.5),  # of equals the first
        ((1.0, 3.0, 3.0, 2.0), 1.0),
    ],
)
def test_the_scale_with_the_best_score_wins(monkeypatch, scores, best):
    script = Script(monkeypatch, dict(zip((0.5, 1.0, 2.0, 5.0), scores, strict=True)))
    tuned = script.run()
    assert (tuned.scale, tuned.score) == (best, max(scores))
    end = default_weights(2) * 8
    assert end[-1] == -8
    end[-1] = -15
    assert tuned.weights == pytest.approx(end / np.abs(end).sum())
    # For each scale three rounds, each from where the last one ended, with a seed of its own.
    assert script.calls == [
        (scale, words, seed)
        for scale in (0.5, 1.0, 2.0, 5.0)
        for words, seed in ((-1, 7), (-3, 8), (-7, 9))
    ]
    assert script.scored == [(scale, -15) for scale in (0.5, 1.0, 2.0, 5.0)]
    # All that a model expects can only count for a translation, its length for or against.
    (options,) = script.made
    assert options["part"] == 1.0
    assert options["lowest"].tolist() == [0.0] * 12 + [-np.inf]
    assert options.keys() == {"part", "lowest"}
    Mira(**options)
