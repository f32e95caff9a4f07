"""The weight that decides how long translations are."""

import numpy as np
import pytest

from dragoman.evaluation.metrics import make_metric
from dragoman.tuning.length import fit_length
from dragoman.tuning.loop import tune
from dragoman.tuning.pool import NbestLists, Pool

BLEU = make_metric("bleu", tokenize="none")
TER = make_metric("ter", tokenize="none")
REFERENCES = [["a b c d e f", "u v w x y z"]]
# For each sentence a translation that is too short, the right one, and one that is too long.
# Features: how the model likes it, how many words it has. With -4 + 4w = -4.6 + 6w and
# -4.6 + 6w = -6.4 + 8w the right one is the best where w lies between 0.3 and 0.9.
LISTS = NbestLists(
    ["a b c d", "a b c d e f", "a b c d e f g h", "u v w x", "u v w x y z", "u v w x y z z z"],
    np.array([3, 3]),
    np.array([[-4, 4], [-4.6, 6], [-6.4, 8], [-4, 4], [-4.6, 6], [-6.4, 8]]),
)


def candidates(metric):
    pool = Pool(metric, REFERENCES)
    pool.add(LISTS)
    return pool.candidates()


@pytest.mark.parametrize("metric", [BLEU, TER], ids=["BLEU", "TER"])
@pytest.mark.parametrize("words", [0.0, 2.0], ids=["too short", "too long"])
def test_the_right_length_is_found(metric, words):
    found = fit_length(candidates(metric), np.array([1.0, words]), metric, 1)
    assert found[0] == 1
    assert 0.3 < found[1] < 0.9


def test_weights_that_are_right_stay():
    weights = np.array([1.0, 0.31])
    assert fit_length(candidates(BLEU), weights, BLEU, 1) is weights


def test_without_a_feature_nothing_changes():
    weights = np.array([1.0, 2.0])
    assert fit_length(candidates(BLEU), weights, BLEU, None) is weights


class Stubborn:
    """An optimiser that always wants translations that are too long."""

    def optimise(self, candidates, weights, metric, seed):
        return np.array([1.0, 2.0])


@pytest.mark.parametrize(("length", "last"), [(None, 2.0), (1, 0.6)])
def test_tuning_fits_the_length_once_there_are_lists_of_two_rounds(length, last):
    result = tune(
        lambda weights: LISTS,
        REFERENCES,
        np.array([1.0, 0.0]),
        BLEU,
        Stubborn(),
        max_iterations=3,
        length=length,
    )
    used = [entry.weights[1] for entry in result.iterations]
    assert used[:2] == [0.0, 2.0]
    assert used[2:] == pytest.approx([last])
