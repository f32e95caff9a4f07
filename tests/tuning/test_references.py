"""MIRA and PRO against slow ones that look at one candidate at a time."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import mira as slow_mira
from tests.reference import pro as slow_pro

from dragoman.evaluation.metrics import make_metric
from dragoman.tuning.mert import Mert
from dragoman.tuning.mira import Mira
from dragoman.tuning.pool import Candidates
from dragoman.tuning.pro import Pro, smoothed_scores

BLEU = make_metric("bleu", tokenize="none")


def candidates_of(seed, metric=BLEU, sizes=(5, 1, 4, 6)):
    """Random translations of random references, with random features."""
    random = np.random.default_rng(seed)
    words = np.array(list("abcd"))
    reference = [" ".join(random.choice(words, 7)) for _ in sizes]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    texts = [" ".join(random.choice(words, random.integers(1, 9))) for _ in owner]
    return Candidates(
        np.round(random.normal(size=(len(owner), 3)), 3),
        metric.counter([reference])(texts, owner),
        np.concatenate([[0], np.cumsum(sizes)]),
    )


@given(st.integers(0, 10_000), st.sampled_from(["bleu", "ribes"]), st.booleans())
@settings(max_examples=25, deadline=None)
def test_mira_is_the_slow_one(seed, name, margin):
    metric = make_metric(name, tokenize="none")
    candidates = candidates_of(seed, metric)
    weights = np.array([0.4, -0.3, 0.2])
    lowest = np.array([-np.inf, -0.5, 0.0])
    found = Mira(6, 0.02, 0.9, margin, 0.6, lowest).optimise(candidates, weights, metric, seed)
    expected = slow_mira.optimise(
        candidates.features,
        candidates.statistics,
        candidates.starts,
        metric,
        weights,
        seed,
        epochs=6,
        largest=0.02,
        decay=0.9,
        margin=margin,
        part=0.6,
        lowest=lowest,
    )
    assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)


def test_the_usual_parameters_of_mira():
    candidates, weights = candidates_of(4), np.array([0.4, -0.3, 0.2])
    expected = slow_mira.optimise(
        candidates.features,
        candidates.statistics,
        candidates.starts,
        BLEU,
        weights,
        7,
        epochs=60,
        largest=0.01,
        decay=0.999,
        margin=True,
        part=0.7,
        lowest=np.full(3, -np.inf),
    )
    assert Mira().optimise(candidates, weights, BLEU, 7) == pytest.approx(expected, rel=1e-6)


def test_sentence_bleu_of_pro_is_the_slow_one():
    rows = candidates_of(3).statistics
    expected = [slow_pro.sentence_bleu(row) for row in rows]
    assert smoothed_scores(rows, BLEU) == pytest.approx(expected)
    assert len(set(np.round(expected, 6))) > 5
    before = rows.copy()
    smoothed_scores(rows, BLEU)
    assert (rows == before).all()


def test_for_pro_too_less_ter_is_better():
    metric = make_metric("ter")
    rows = metric.rows(["a b c d", "a b x y"], [["a b c d"] * 2])
    assert smoothed_scores(rows, metric) == pytest.approx([0.0, -0.5])


@given(st.integers(0, 10_000))
@settings(max_examples=6, deadline=None)
def test_pro_is_the_slow_one(seed):
    candidates = candidates_of(seed)
    weights = np.array([0.4, -0.3, 0.2])
    pro = Pro(drawn=30, kept=5, threshold=0.1, interpolation=0.25)
    found = pro.optimise(candidates, weights, BLEU, seed)
    random = np.random.default_rng(seed)
    differences = []
    for begin, end in pairwise(candidates.starts):
        scores = [slow_pro.sentence_bleu(row) for row in candidates.statistics[begin:end]]
        differences += slow_pro.sampled(candidates.features[begin:end], scores, random, 30, 5, 0.1)
    expected = 0.25 * slow_pro.learnt(differences) + 0.75 * weights if differences else weights
    # Where pairs are ranked without a mistake the optimum is flat, and the fast one stops early.
    assert found == pytest.approx(expected, abs=2e-2)


def test_the_usual_parameters_of_pro():
    assert Pro() == Pro(drawn=5000, kept=50, threshold=0.05, interpolation=0.5)


def test_pairs_that_hardly_differ_teach_nothing():
    candidates = candidates_of(3)
    weights = np.array([0.4, -0.3, 0.2])
    assert (Pro(threshold=1.0).optimise(candidates, weights, BLEU, 1) == weights).all()


GOOD, FAIR, BAD = ([8, 8, m, m - 1, m - 2, m - 3, 8, 7, 6, 5] for m in (8, 6, 4))


def test_mert_climbs_from_line_to_line_and_takes_the_best_start():
    # Good only where both weights are positive; from (-1, -1) no line along an axis helps.
    features = np.array([[1.0, 1.0], [3.0, -1.0], [-1.0, 3.0], [-1.0, -1.0]])
    statistics = np.array([GOOD, BAD, BAD, FAIR], dtype=float)
    candidates = Candidates(features, statistics, np.array([0, 4]))
    stuck = np.array([-1.0, -1.0])
    fair = candidates.objective(stuck, BLEU)
    alone = Mert(restarts=0, random_directions=0).optimise(candidates, stuck, BLEU, 1)
    assert candidates.objective(alone, BLEU) >= fair
    found = Mert(restarts=8, random_directions=0).optimise(candidates, stuck, BLEU, 1)
    assert candidates.objective(found, BLEU) == pytest.approx(100)
    # Two steps: first along one axis, then along the other.
    two = Candidates(
        np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]),
        np.array([GOOD, BAD, GOOD, BAD], dtype=float),
        np.array([0, 2, 4]),
    )
    below = np.array([-1.0, -1.0])
    once = Mert(restarts=0, random_directions=0, max_rounds=1).optimise(two, below, BLEU, 1)
    assert (once > 0).sum() == 1
    both = Mert(restarts=0, random_directions=0, max_rounds=2).optimise(two, below, BLEU, 1)
    assert (both > 0).all()


def test_mert_keeps_weights_that_nothing_beats():
    candidates = candidates_of(5)
    best = Mert(restarts=20).optimise(candidates, np.ones(3), BLEU, 1)
    for seed in range(3):
        assert candidates.objective(Mert().optimise(candidates, best, BLEU, seed), BLEU) >= (
            candidates.objective(best, BLEU)
        )


def test_mert_begins_at_the_weights_and_at_random_ones_as_large(monkeypatch):
    candidates = candidates_of(5)
    starts = []

    def climb(self, candidates, weights, metric, random):
        starts.append(weights)
        return weights, candidates.objective(np.ones(3), metric)  # none better than another

    monkeypatch.setattr(Mert, "_climb", climb)
    weights = np.array([0.1, -4.0, 0.2])
    found = Mert(restarts=40).optimise(candidates, weights, BLEU, 3)
    assert starts[0] is weights
    random = np.concatenate(starts[1:])
    assert len(starts) == 41
    assert -4 < random.min() < -3
    assert 3 < random.max() < 4
    assert found is weights  # the first of equals
    assert (Mert() == Mert(restarts=8, random_directions=8, max_rounds=30, threads=1)) is True


def test_weights_of_nothing_have_other_starts_all_the_same(monkeypatch):
    starts = []
    monkeypatch.setattr(
        Mert,
        "_climb",
        lambda self, candidates, weights, *_: starts.append(weights) or (weights, 0),
    )
    Mert(restarts=20).optimise(candidates_of(5), np.zeros(3), BLEU, 1)
    assert 0.5 < np.abs(np.concatenate(starts)).max() < 1
