"""Significance: small where it should be, large where it should be, the same each time."""

import itertools

import numpy as np
import pytest

from dragoman.errors import InputError
from dragoman.evaluation.metrics import make_metric
from dragoman.evaluation.significance import compare

RANDOM = np.random.default_rng(3)
REFERENCE = [" ".join(RANDOM.choice(list("abcdefgh"), 12)) for _ in range(200)]


def damage(lines, share):
    return [
        " ".join("x" if RANDOM.random() < share else word for word in line.split())
        for line in lines
    ]


@pytest.fixture(scope="module")
def rows():
    metric = make_metric("bleu", tokenize="none")
    good, bad = damage(REFERENCE, 0.2), damage(REFERENCE, 0.4)
    return metric, metric.rows(good, [REFERENCE]), metric.rows(bad, [REFERENCE])


def test_a_clear_difference(rows):
    metric, good, bad = rows
    result = compare(metric, bad, good)
    assert result.system > result.baseline
    assert result.p_randomisation < 0.01
    assert result.p_bootstrap < 0.01
    assert 0 < result.interval[0] < result.system - result.baseline < result.interval[1]
    reverse = compare(metric, good, bad)
    assert reverse.p_bootstrap > 0.99
    assert reverse.p_randomisation < 0.01


def test_no_difference(rows):
    metric, good, _ = rows
    result = compare(metric, good, good)
    assert result.p_randomisation == 1
    assert result.p_bootstrap == 1
    assert result.interval == (0, 0)


def test_lower_is_better_for_ter():
    metric = make_metric("ter")
    good, bad = (metric.rows(damage(REFERENCE, share), [REFERENCE]) for share in (0.1, 0.4))
    assert compare(metric, bad, good, trials=100).p_bootstrap < 0.05


def test_the_same_seed_gives_the_same_answer(rows):
    metric, good, bad = rows
    assert compare(metric, bad, good, seed=5) == compare(metric, bad, good, seed=5)


def test_two_sided_randomisation_is_calibrated():
    """Under no difference, p below 0.1 should come up about one time in ten."""
    metric = make_metric("ribes")
    random = np.random.default_rng(11)
    small = 0
    for seed in range(200):
        rows = np.stack([random.random((2, 40)), np.ones((2, 40))], axis=2)
        small += compare(metric, rows[0], rows[1], trials=99, seed=seed).p_randomisation <= 0.1
    assert 8 <= small <= 36


@pytest.mark.parametrize("trials", [1, 9, 99])
def test_no_number_of_trials_makes_luck_impossible(rows, trials):
    metric, _, bad = rows
    perfect = metric.rows(REFERENCE, [REFERENCE])
    result = compare(metric, bad, perfect, trials=trials)
    assert result.p_bootstrap == result.p_randomisation == 1 / (trials + 1)
    worse = compare(metric, perfect, bad, trials=trials)
    assert (worse.p_bootstrap, worse.p_randomisation) == (1, 1 / (trials + 1))


def exact_randomisation(baseline, system):
    """Over all ways to exchange sentences, of plain means."""
    gaps = np.asarray(system) - np.asarray(baseline)
    signs = np.array(list(itertools.product((1, -1), repeat=len(gaps))))
    return float(np.mean(np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9))


def exact_bootstrap(baseline, system):
    """Over all test sets that can be drawn."""
    gaps = np.asarray(system) - np.asarray(baseline)
    drawn = np.array(list(itertools.product(range(len(gaps)), repeat=len(gaps))))
    return float(np.mean(gaps[drawn].sum(axis=1) <= 0))


@pytest.mark.parametrize(
    ("baseline", "system"),
    [
        ([0.1, 0.4, 0.3, 0.2, 0.5], [0.3, 0.5, 0.2, 0.4, 0.8]),
        ([0.5, 0.4, 0.3, 0.2, 0.5], [0.4, 0.5, 0.2, 0.3, 0.4]),
        ([0.1, 0.2, 0.3, 0.4, 0.5], [0.1, 0.2, 0.3, 0.4, 0.9]),
    ],
)
def test_both_tests_against_all_there_is_to_draw(baseline, system):
    """RIBES is a mean over sentences, so that everything can be enumerated."""
    metric = make_metric("ribes")
    rows = [np.stack([values, np.ones(5)], axis=1) for values in (baseline, system)]
    found = compare(metric, *rows, trials=4000)
    assert found.p_randomisation == pytest.approx(exact_randomisation(baseline, system), abs=0.03)
    assert found.p_bootstrap == pytest.approx(exact_bootstrap(baseline, system), abs=0.03)
    assert found.baseline == pytest.approx(100 * np.mean(baseline))
    assert found.system == pytest.approx(100 * np.mean(system))


def test_the_interval_holds_95_of_100():
    metric = make_metric("ribes")
    random = np.random.default_rng(1)
    gaps = random.normal(0.02, 0.1, 400)
    rows = [np.stack([values, np.ones(400)], axis=1) for values in (np.full(400, 0.5), 0.5 + gaps)]
    low, high = compare(metric, *rows, trials=2000).interval
    # Of a mean, in hundredths: 1.96 standard errors on either side.
    error = 100 * gaps.std() / np.sqrt(400)
    assert low == pytest.approx(100 * gaps.mean() - 1.96 * error, abs=0.15 * error)
    assert high == pytest.approx(100 * gaps.mean() + 1.96 * error, abs=0.15 * error)


def test_a_thousand_trials_unless_told(rows):
    metric, good, bad = rows
    assert compare(metric, bad, good) == compare(metric, bad, good, trials=1000, seed=1)


def test_bad_input(rows):
    metric, good, bad = rows
    with pytest.raises(InputError, match="200 sentences and the system 199"):
        compare(metric, good, bad[:-1])
    with pytest.raises(InputError, match="at least one trial"):
        compare(metric, good, bad, trials=0)
