"""The tuning loop with a decoder whose translations are known."""

import numpy as np
import pytest

from dragoman.errors import InputError
from dragoman.evaluation.metrics import make_metric
from dragoman.tuning.loop import make_optimiser, tune
from dragoman.tuning.pool import NbestLists, Pool

METRIC = make_metric("bleu", tokenize="none")
REFERENCE = [[" ".join(f"w{i}{j}" for j in range(8)) for i in range(10)]]


class ToyDecoder:
    """Proposes, per sentence, texts with more or fewer right words, by model score.

    The first feature counts right words, the second wrong ones.
    """

    def __init__(self, size=5):
        self.size = size
        self.calls = 0

    def __call__(self, weights):
        self.calls += 1
        texts, features = [], []
        for line in REFERENCE[0]:
            words = line.split()
            candidates = [
                (" ".join(words[:right] + ["x"] * (8 - right)), [float(right), float(8 - right)])
                for right in range(9)
            ]
            candidates.sort(key=lambda candidate: -float(np.array(candidate[1]) @ weights))
            texts += [text for text, _ in candidates[: self.size]]
            features += [values for _, values in candidates[: self.size]]
        return NbestLists(texts, np.full(10, self.size), np.array(features))


def nothing(sentences):
    return NbestLists([], np.zeros(sentences, dtype=np.int64), np.zeros((0, 2)))


@pytest.mark.parametrize("method", ["mira", "mert", "pro"])
def test_tuning_reaches_the_references(method):
    decoder = ToyDecoder()
    start = np.array([-0.5, 0.5])
    result = tune(decoder, REFERENCE, start, METRIC, make_optimiser(method), max_iterations=20)
    assert result.iterations[0].score < 1
    assert result.score > 99
    assert result.weights[0] > result.weights[1]


def test_it_ends_when_nothing_is_new():
    result = tune(ToyDecoder(9), REFERENCE, np.array([1.0, -1.0]), METRIC, make_optimiser("mira"))
    assert result.reason == "the search finds nothing new"
    assert [entry.new_candidates for entry in result.iterations] == [90, 0, 0]


def test_it_ends_when_nothing_gets_better():
    class Stubborn:
        def optimise(self, candidates, weights, metric, seed):
            return weights + np.array([0.0, 1.0])

    decoder = ToyDecoder(1)
    result = tune(decoder, REFERENCE, np.array([1.0, 0.5]), METRIC, Stubborn(), patience=2)
    assert result.score > 99
    assert (result.weights == [1.0, 0.5]).all()
    assert result.reason in ("no better for 2 rounds", "the search finds nothing new")


# How many words are right in each round; the first round is that of the start.
@pytest.mark.parametrize(
    ("right", "rounds"),
    [
        ([6, 2, 3, 4, 5, 7, 7, 7], 8),  # on its way back from a bad round, and past the start
        ([6, 2, 3, 4, 4, 7], 5),  # it does not rise any more
        ([6, 2, 4, 3, 7], 4),
        ([6, 5, 4, 3, 7], 4),
        ([6, 7, 5, 6, 6, 8], 5),  # three rounds behind the second
    ],
)
def test_patience_is_for_rounds_that_do_not_rise(right, rounds):
    class Scripted:
        """Weights that say which round it is."""

        def optimise(self, candidates, weights, metric, seed):
            return weights + 1

    def decode(weights):
        words = right[int(weights[0])]
        texts = [" ".join(line.split()[:words] + ["x"] * (8 - words)) for line in REFERENCE[0]]
        features = np.tile([float(words), weights[0]], (10, 1))
        return NbestLists(texts, np.ones(10, np.int64), features)

    result = tune(decode, REFERENCE, np.zeros(2), METRIC, Scripted(), max_iterations=8, patience=3)
    assert len(result.iterations) == rounds
    assert result.weights[0] == np.argmax(right[:rounds])


def test_an_optimiser_that_fails_does_not_spoil_the_result():
    class Broken:
        def optimise(self, candidates, weights, metric, seed):
            return weights * np.nan

    result = tune(ToyDecoder(), REFERENCE, np.array([1.0, -1.0]), METRIC, Broken())
    assert np.isfinite(result.weights).all()
    assert "lost its way" in result.reason


def test_interrupted_and_resumed_it_ends_with_the_same_weights(tmp_path):
    start = np.array([-0.5, 0.5])
    optimiser = make_optimiser("mira")
    expected = tune(ToyDecoder(), REFERENCE, start, METRIC, optimiser)

    class Interrupted(ToyDecoder):
        def __call__(self, weights):
            if self.calls == 2:
                raise KeyboardInterrupt
            return super().__call__(weights)

    with pytest.raises(KeyboardInterrupt):
        tune(Interrupted(), REFERENCE, start, METRIC, optimiser, resume=tmp_path)
    decoder = ToyDecoder()
    resumed = tune(decoder, REFERENCE, start, METRIC, optimiser, resume=tmp_path)
    assert decoder.calls == len(expected.iterations) - 2
    assert resumed.iterations == expected.iterations
    assert (resumed.weights == expected.weights).all()


def test_resumed_behind_its_end_it_does_nothing_more(tmp_path):
    arguments = (REFERENCE, np.array([-0.5, 0.5]), METRIC, make_optimiser("mira"))
    expected = tune(ToyDecoder(), *arguments, resume=tmp_path)
    decoder = ToyDecoder()
    assert tune(decoder, *arguments, resume=tmp_path).iterations == expected.iterations
    assert decoder.calls == 0


def test_bad_input():
    optimiser = make_optimiser("mira")
    with pytest.raises(InputError, match="dev set is empty"):
        tune(ToyDecoder(), [[]], np.ones(2), METRIC, optimiser)
    with pytest.raises(InputError, match="not all numbers"):
        tune(ToyDecoder(), REFERENCE, np.array([np.nan, 1]), METRIC, optimiser)
    with pytest.raises(InputError, match="1 n-best lists for 10"):
        tune(lambda weights: nothing(1), REFERENCE, np.ones(2), METRIC, optimiser)
    with pytest.raises(InputError, match="no translation of any dev sentence"):
        tune(lambda weights: nothing(10), REFERENCE, np.ones(2), METRIC, optimiser)
    pool = Pool(METRIC, REFERENCE)
    with pytest.raises(InputError, match="sentence 1 has a feature that is no number"):
        sizes = np.array([1] + [0] * 9)
        pool.add(NbestLists(["a"], sizes, np.array([[np.inf]])))


def test_the_pool_keeps_sentences_apart_and_comes_back_whole():
    pool = Pool(METRIC, [["a b", "c d", "e"]])
    first = NbestLists(["a b", "a", "e"], np.array([2, 0, 1]), np.array([[1.0], [2.0], [3.0]]))
    assert pool.add(first) == 3
    kept = [pool.latest()]
    assert pool.add(first) == 0
    kept.append(pool.latest())
    # The same text with other features is another candidate, as is one of another sentence.
    second = NbestLists(["a b", "a b"], np.array([1, 1, 0]), np.array([[9.0], [1.0]]))
    assert pool.add(second) == 2
    kept.append(pool.latest())
    found = pool.candidates()
    assert found.starts.tolist() == [0, 3, 4, 5]
    assert found.features[:, 0].tolist() == [1, 2, 9, 1, 3]
    assert found.statistics[:, 2].tolist() == [2, 1, 2, 0, 1]  # matching words
    loaded = Pool(METRIC, [["a b", "c d", "e"]])
    for arrays in kept:
        loaded.take_up(arrays)
    assert loaded.add(first) == loaded.add(second) == 0
    assert (loaded.candidates().features == found.features).all()
    assert (loaded.candidates().statistics == found.statistics).all()


def test_empty_references_are_survived():
    references = [[""] * 10]
    result = tune(ToyDecoder(), references, np.ones(2), METRIC, make_optimiser("mira"))
    assert np.isfinite(result.weights).all()
