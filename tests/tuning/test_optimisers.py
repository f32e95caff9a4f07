"""Optimisers: the line search against brute force, and that each raises a bad start."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.reference import mira as slow_mira

from dragoman import _core
from dragoman.errors import InputError
from dragoman.evaluation.metrics import bleu_scores, make_metric
from dragoman.tuning.loop import make_optimiser
from dragoman.tuning.mert import line_search
from dragoman.tuning.pool import Candidates
from dragoman.tuning.pro import Pro

METRIC = make_metric("bleu", tokenize="none")
METHODS = ("mira", "mert", "pro", "perceptron")


def make_candidates(seed, sentences=6, each=8, features=4, truth=None):
    """Random candidates; with `truth`, better statistics go with a higher score under it."""
    random = np.random.default_rng(seed)
    values = np.round(random.normal(size=(sentences * each, features)), 2)
    quality = values @ truth if truth is not None else random.normal(size=len(values))
    quality = np.clip((quality - quality.min()) / np.ptp(quality), 0, 1)
    totals = np.array([12, 11, 10, 9])
    matches = np.sort(np.floor(quality[:, None] * (totals + 0.99)), axis=1)[:, ::-1]
    lengths = np.full((len(values), 2), 12)
    statistics = np.hstack([lengths, matches, np.tile(totals, (len(values), 1))])
    starts = np.arange(0, len(values) + 1, each)
    return Candidates(values, statistics.astype(float), starts)


@given(st.integers(0, 10_000), st.booleans())
@example(718, True)  # two candidates on one line: rounding alone must not choose between them
@settings(max_examples=40, deadline=None)
def test_line_search_finds_the_brute_force_maximum(seed, integral):
    candidates = make_candidates(seed)
    if integral:  # many ties and parallel lines
        candidates = Candidates(
            np.rint(candidates.features), candidates.statistics, candidates.starts
        )
    random = np.random.default_rng(seed + 1)
    weights, direction = random.normal(size=4), random.normal(size=4)
    if integral:
        weights, direction = np.rint(2 * weights), np.rint(2 * direction)
    gamma, value = line_search(candidates, weights, direction, METRIC)
    # What is promised at gamma is what is found there.
    assert candidates.objective(weights + gamma * direction, METRIC) == pytest.approx(value)
    # And nowhere on a fine grid that reaches past all crossings is it better.
    grid = np.concatenate([np.linspace(-30, 30, 401), [-1e6, 1e6]])
    values = [candidates.objective(weights + g * direction, METRIC) for g in grid]
    if not integral:  # at a tie the grid may catch a better candidate by its place alone
        assert value >= max(values) - 1e-9


def test_line_search_by_hand():
    # Two sentences; candidate lines cross at gamma = 1 and gamma = 2.
    features = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 2.0], [1.0, 0.0]])
    good, bad = [4, 4, 4, 3, 2, 1, 4, 3, 2, 1], [4, 4, 2, 1, 1, 1, 4, 3, 2, 1]
    statistics = np.array([good, bad, bad, good], dtype=float)
    candidates = Candidates(features, statistics, np.array([0, 2, 4]))
    # Best is sentence 1's first (gamma < 1) with sentence 2's second (gamma > 2): not to be had;
    # between them both are bad or one is good.
    gamma, value = line_search(candidates, np.array([0.0, 1.0]), np.array([1.0, 0.0]), METRIC)
    one_good = bleu_scores(np.array([good]) + np.array([bad]))[0]
    assert value == pytest.approx(one_good)
    assert gamma < 1 or gamma > 2


def test_bleu_in_bulk_equals_sacrebleu():
    random = np.random.default_rng(1)
    totals = np.cumsum(random.integers(1, 20, size=(200, 4))[:, ::-1], axis=1)[:, ::-1]
    matches = np.floor(random.random((200, 4)) * (totals + 1))
    matches[::7, 3] = 0
    matches[::11, 2:] = 0
    matches[::13] = 0
    lengths = np.stack([totals[:, 0], random.integers(1, 100, 200)], axis=1)
    rows = np.hstack([lengths, matches, totals])
    expected = [METRIC.score(row) for row in rows]
    assert bleu_scores(rows) == pytest.approx(expected)
    assert bleu_scores(np.zeros((1, 10)))[0] == 0


@pytest.mark.parametrize("method", METHODS)
def test_each_raises_the_score_from_a_bad_start(method):
    truth = np.array([1.0, -2.0, 0.5, 3.0])
    candidates = make_candidates(5, sentences=40, each=15, truth=truth)
    weights = -truth  # as bad as can be
    before = candidates.objective(weights, METRIC)
    optimiser = Pro(drawn=200) if method == "pro" else make_optimiser(method)
    for seed in range(10):  # PRO and MIRA go only a part of the way each time
        weights = optimiser.optimise(candidates, weights, METRIC, seed)
    ceiling = candidates.objective(truth, METRIC)
    assert candidates.objective(weights, METRIC) > before + 0.9 * (ceiling - before)


def test_mira_keeps_its_bounds():
    truth = np.array([1.0, -2.0, 0.5, 3.0])
    candidates = make_candidates(5, sentences=40, each=15, truth=truth)
    lowest = np.array([0.0, 0.0, -np.inf, 0.0])
    weights = np.ones(4)
    for seed in range(10):
        weights = make_optimiser("mira", lowest=lowest).optimise(candidates, weights, METRIC, seed)
    assert (weights >= lowest).all()
    # As near to the truth as the bounds allow.
    assert weights[1] < 0.05 * weights[3]


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_weights(method):
    candidates = make_candidates(2, sentences=20)
    start = np.ones(4)
    first = make_optimiser(method).optimise(candidates, start, METRIC, 7)
    assert (make_optimiser(method).optimise(candidates, start, METRIC, 7) == first).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["all equal", "one sentence", "one candidate", "no matches"])
def test_degenerate_candidates_give_finite_weights(method, kind):
    candidates = make_candidates(3, sentences=1 if kind == "one sentence" else 5)
    features, statistics, starts = candidates.features, candidates.statistics, candidates.starts
    if kind == "all equal":
        features, statistics = np.ones_like(features), np.tile(statistics[0], (len(features), 1))
    elif kind == "one candidate":
        features, statistics, starts = features[:5], statistics[:5], np.arange(6)
    elif kind == "no matches":
        statistics[:, 2:6] = 0
    degenerate = Candidates(features, statistics, starts)
    for start in (np.ones(4), np.zeros(4)):
        weights = make_optimiser(method).optimise(degenerate, start, METRIC, 1)
        assert np.isfinite(weights).all()


@pytest.mark.parametrize("method", ["mira", "mert"])
@pytest.mark.parametrize("name", ["ter", "chrf", "ribes"])
def test_other_metrics_can_be_the_objective(method, name):
    metric = make_metric(name)
    reference, right, wrong = "a b c d e f", "a b c d e x", "f e d c b a"
    rows = metric.rows([right, wrong] * 20, [[reference] * 40])
    features = np.tile([[0.0, 1.0], [1.0, 0.0]], (20, 1))
    candidates = Candidates(features, rows, np.arange(0, 41, 2))
    weights = make_optimiser(method).optimise(candidates, np.array([1.0, 0.0]), metric, 1)
    assert weights[1] > weights[0]


WORDS = st.lists(st.sampled_from("abc"), max_size=9).map(" ".join)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=6))
@settings(max_examples=80, deadline=None)
def test_native_bleu_statistics_are_sacrebleus(lines):
    from sacrebleu.metrics import BLEU

    hypotheses, *references = map(list, zip(*lines, strict=True))
    slow = BLEU(tokenize="none", force=True)
    expected = slow._extract_corpus_statistics(hypotheses, references)
    assert METRIC.rows(hypotheses, references).tolist() == expected
    # Asked for in another order and several times, with the references counted once.
    backwards = np.array([*range(len(lines))][::-1] * 2)
    count = METRIC.counter(references, threads=2)
    found = count([hypotheses[at] for at in backwards], backwards)
    assert found.tolist() == [expected[at] for at in backwards]


def test_bleu_statistics_split_at_all_white_space_and_carry_sacrebleus_signature():
    from sacrebleu.metrics import BLEU

    metric, slow = make_metric("bleu", tokenize="none"), BLEU(tokenize="none", force=True)
    hypotheses, references = ["é\u00a0b c", "x"], [["é b c d", "x"], ["é", "x"]]
    rows = metric.rows(hypotheses, references)
    assert rows.tolist() == slow._extract_corpus_statistics(hypotheses, references)
    assert metric.signature() == str(slow.get_signature())


@given(st.integers(0, 10_000), st.sampled_from(["bleu", "chrf", "ter", "ribes"]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_native_mira_takes_the_steps_of_the_slow_one(seed, name, margin):
    metric = make_metric(name, tokenize="none")
    random = np.random.default_rng(seed)
    words = np.array(list("abcd"))
    text = [" ".join(random.choice(words, random.integers(1, 8))) for _ in range(24)]
    reference = [" ".join(random.choice(words, 6)) for _ in range(4)]
    owner = np.repeat(np.arange(4), 6)
    statistics = metric.counter([reference])(text, owner)
    features, starts = random.normal(size=(24, 3)), np.arange(0, 25, 6)
    weights, lowest = random.normal(size=3), np.array([-np.inf, -0.2, 0.1])
    # Whole numbers, as sacrebleu wants them; so nothing is forgotten, but for metrics of ours.
    background, decay = statistics[0], 0.9 if name in ("bleu", "ribes") else 1.0
    order = random.permutation(4)
    expected = slow_mira.epoch(
        features,
        statistics,
        starts,
        metric,
        order,
        lowest,
        weights,
        background,
        0.05,
        decay,
        margin,
    )
    candidates = _core.CandidateRows(features, statistics, starts)
    step = _core.MiraStep(aggressiveness=0.05, decay=decay, margin=margin)
    found = _core.mira_epoch(candidates, metric.name, step, order, lowest, weights, background)
    for one, other in zip((found.average, found.weights, found.background), expected, strict=True):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9)
    gains = _core.sentence_gains(candidates, metric.name, background)
    assert gains[:6] == pytest.approx(slow_mira.gains(statistics[:6], background, metric))


def test_native_code_refuses_what_does_not_fit():
    features, statistics = np.ones((3, 2)), np.ones((3, 10))
    for starts in ([0, 2], [0, 3, 3], [1, 3], [0]):
        with pytest.raises(InputError):
            _core.CandidateRows(features, statistics, np.array(starts))
    with pytest.raises(InputError, match="right size"):
        _core.CandidateRows(features, statistics, np.array([0, 3])).best(np.ones(3))
    with pytest.raises(InputError, match="no references|equally many"):
        _core.BleuReferences([["a"], []])
    with pytest.raises(InputError, match="without references"):
        _core.BleuReferences([["a"]]).statistics(["a"], np.array([1]))
