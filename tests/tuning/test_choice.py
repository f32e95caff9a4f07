"""Which round of tuning wins, when it ends and what the optimiser is given, by hand."""

import numpy as np
import pytest

from dragoman.evaluation.metrics import make_metric
from dragoman.tuning.loop import make_optimiser, tune
from dragoman.tuning.mert import Mert
from dragoman.tuning.mira import Mira
from dragoman.tuning.pool import NbestLists
from dragoman.tuning.pro import Pro

REFERENCE = ["a b c d e f g h i j"] * 4
WORDS = REFERENCE[0].split()


def wrong(count):
    """A translation with so many wrong words; its TER is ten times as much."""
    return " ".join([*WORDS[: 10 - count], *["x"] * count])


class Script:
    """A decoder whose translation of round r is known, and an optimiser that says only r.

    An entry is a number of wrong words; a second one makes the candidate look new again.
    """

    def __init__(self, *rounds):
        self.rounds = [entry if isinstance(entry, tuple) else (entry, at)
                       for at, entry in enumerate(rounds)]  # fmt: skip
        self.asked = []
        self.given = []

    def decode(self, weights):
        self.asked.append(float(weights[0]))
        errors, mark = self.rounds[len(self.asked) - 1]
        return NbestLists([wrong(errors)] * 4, np.ones(4, dtype=int), np.full((4, 1), mark))

    def optimise(self, candidates, weights, metric, seed):
        self.given.append((len(candidates.features), float(weights[0]), seed))
        return weights + 1

    def run(self, metric="ter", **options):
        return tune(
            self.decode,
            [REFERENCE],
            np.array([10.0]),
            make_metric(metric, tokenize="none"),
            self,
            **options,
        )


@pytest.mark.parametrize("metric", ["ter", "bleu", "chrf", "ribes"])
def test_the_round_with_the_fewest_errors_wins_whatever_the_metric(metric):
    script = Script(4, 2, 3, 5)
    result = script.run(metric, patience=2)
    assert result.weights.tolist() == [11.0]
    scores = [entry.score for entry in result.iterations]
    assert result.score == scores[1]
    assert scores[1] == (min if metric == "ter" else max)(scores)
    assert len(set(scores)) == 4
    assert result.reason == "no better for 2 rounds"


def test_scores_of_ter_by_hand():
    result = Script(4, 2, 3, 5).run(patience=2)
    assert [entry.score for entry in result.iterations] == pytest.approx([40, 20, 30, 50])


@pytest.mark.parametrize(
    ("rounds", "patience", "most", "ended_after", "best", "reason"),
    [
        ((4, 3, 2, 1, 0), 1, 5, 5, 5, "5 rounds done"),
        ((4, 3, 2, 1, 0), 1, 4, 4, 4, "4 rounds done"),
        ((4, 3, 2), 3, 1, 1, 1, "1 rounds done"),
        ((2, 3), 1, 9, 2, 1, "no better for 1 rounds"),
        ((2, 3, 3, 1, 3, 3, 3), 3, 9, 7, 4, "no better for 3 rounds"),
        ((2, 2, 2), 2, 9, 3, 1, "no better for 2 rounds"),  # of equals the first
        ((2, 3, 2, 3, 1), 3, 9, 4, 1, "no better for 3 rounds"),
        # Nothing new once is not the end, twice running is.
        (((2, 0), (2, 0), (1, 1), (1, 1), (1, 1)), 9, 9, 5, 3, "the search finds nothing new"),
        # Both at once: nothing new says more.
        (((2, 0), (2, 0), (2, 0)), 2, 9, 3, 1, "the search finds nothing new"),
    ],
)
def test_when_it_ends(rounds, patience, most, ended_after, best, reason):
    script = Script(*rounds)
    result = script.run(patience=patience, max_iterations=most)
    assert (len(result.iterations), result.reason) == (ended_after, reason)
    assert result.weights.tolist() == [9.0 + best]
    assert [entry.number for entry in result.iterations] == list(range(1, ended_after + 1))
    # It decodes with the start, and then with what the optimiser says of the round before.
    assert script.asked == [10.0 + number for number in range(ended_after)]


def test_the_optimiser_gets_all_rounds_the_last_weights_and_a_seed_of_its_own():
    script = Script(4, 3, (3, 1), 2)
    result = script.run(max_iterations=4, seed=70)
    assert script.given == [(4, 10.0, 71), (8, 11.0, 72), (8, 12.0, 73)]
    assert [entry.new_candidates for entry in result.iterations] == [4, 4, 0, 4]
    assert [entry.weights for entry in result.iterations] == [[10.0], [11.0], [12.0], [13.0]]


def test_defaults_are_the_documented_ones():
    rounds = Script(*range(0, 100)).run("ter")
    assert rounds.reason == "no better for 3 rounds"
    rising = Script(*[(10 - at / 2, at) if at % 2 == 0 else (10 - (at - 1) / 2, at)
                      for at in range(20)])  # fmt: skip
    rising.rounds = [(int(errors), mark) for errors, mark in rising.rounds]
    assert rising.run("ter").reason == "12 rounds done"
    assert rising.given[0][2] == 2


def test_optimisers_by_name():
    lowest = np.array([0.0])
    assert make_optimiser("mira", lowest=lowest) == Mira(lowest=lowest)
    assert make_optimiser("perceptron", lowest=lowest) == Mira(
        lowest=lowest, margin=False, aggressiveness=0.001
    )
    assert make_optimiser("mert", threads=3) == Mert(threads=3)
    assert make_optimiser("pro", threads=3) == Pro()


def test_the_first_of_each_list_is_what_counts():
    lists = NbestLists(["a", "b", "c"], np.array([2, 0, 1]), np.zeros((3, 1)))
    assert lists.first_texts() == ["a", "", "c"]
