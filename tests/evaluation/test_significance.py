"""Significance: small where it should be, large where it should be, the same each time."""

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


def test_bad_input(rows):
    metric, good, bad = rows
    with pytest.raises(InputError, match="200 sentences and the system 199"):
        compare(metric, good, bad[:-1])
    with pytest.raises(InputError, match="at least one trial"):
        compare(metric, good, bad, trials=0)
