"""Mixing: the weights are the best, the result sums to one."""

import math

import numpy as np
import pytest

from dragoman.errors import InputError, UsageError
from dragoman.lm import LanguageModel, estimate_from_lines, mix
from dragoman.lm.mix import best_weights

SEA = ["the boat is late", "the sea is calm", "the boat is at sea", "a calm sea"]
TOWN = ["the tram is late", "the street is loud", "a loud tram", "the tram stops here"]


@pytest.fixture
def models(tmp_path):
    for name, lines, order in [("sea", SEA, 3), ("town", TOWN, 2)]:
        estimate_from_lines(lines, tmp_path / name, order=order)
    return [LanguageModel.open(tmp_path / name) for name in ("sea", "town")]


def total_probability(model, context):
    state = model.begin_state()
    for word in context.split():
        _, state = model.score_word(state, word)
    return sum(
        math.exp(model.native.score_word(state, word).log_prob)
        for word in range(len(model))
        if model.native.word(word) != "<s>"
    )


def test_weights_are_the_best():
    rng = np.random.default_rng(1)
    log_probs = np.log(rng.random((2, 500)) ** np.array([[1.0], [3.0]]))
    weight = best_weights(log_probs)[0]

    def likelihood(first):
        return np.logaddexp(
            math.log(first) + log_probs[0], math.log1p(-first) + log_probs[1]
        ).sum()

    grid = np.linspace(0.001, 0.999, 999)
    assert weight == pytest.approx(grid[np.argmax([likelihood(w) for w in grid])], abs=2e-3)
    assert best_weights(np.array([[-1.0], [-1.0], [-1.0]])).tolist() == pytest.approx([1 / 3] * 3)
    # Nothing underflows, however unlikely the words.
    assert best_weights(np.array([[-1e5], [-2e5]])).tolist() == pytest.approx([1, 0])


def test_mixture_sums_to_one(models, tmp_path):
    result = mix(models, ["the boat is late", "the tram is loud"], tmp_path / "mixed")
    model = LanguageModel.open(tmp_path / "mixed")
    assert model.order == 3
    assert sum(result.weights) == pytest.approx(1)
    for context in ["", "the", "the boat", "a loud", "zeppelin", "the tram is", "at sea"]:
        assert total_probability(model, context) == pytest.approx(1, abs=1e-5)


def test_known_ngrams_have_the_mixed_probability(models, tmp_path):
    mix(models, SEA, tmp_path / "mixed", weights=[3, 1])
    mixed = LanguageModel.open(tmp_path / "mixed")

    def probability(model, word):
        return math.exp(model.score_word(model.begin_state(), word)[0])

    # "boat" is unknown to the second model: its <unk> is shared with the words it lacks.
    union = set(" ".join(SEA + TOWN).split())
    lacking = 1 + len(union - set(" ".join(TOWN).split()))
    assert len(mixed) == len(union) + 3
    assert probability(mixed, "the") == pytest.approx(
        0.75 * probability(models[0], "the") + 0.25 * probability(models[1], "the")
    )
    state = mixed.score_word(mixed.begin_state(), "the")[1]
    first = models[0].score_word(models[0].begin_state(), "the")[1]
    second = models[1].score_word(models[1].begin_state(), "the")[1]
    expected = (
        0.75 * math.exp(models[0].score_word(first, "boat")[0])
        + 0.25 * math.exp(models[1].score_word(second, "<unk>")[0]) / lacking
    )
    assert math.exp(mixed.score_word(state, "boat")[0]) == pytest.approx(expected, rel=1e-5)


def test_a_mixture_of_one_model_with_itself_is_that_model(models, tmp_path):
    mix([models[0], models[0]], SEA, tmp_path / "same")
    same = LanguageModel.open(tmp_path / "same")
    assert same.counts == models[0].counts
    lines = [*SEA, *TOWN, "sea sea the"]
    assert same.score(lines).tolist() == pytest.approx(models[0].score(lines).tolist(), abs=1e-3)


def test_mixing_helps_on_real_text(tmp_path, data):
    """A small in-domain model and a large other one: together they predict better than each."""
    caption = data("multi30k/train.en").read_text("utf-8").splitlines()[:2000]
    other = data("tatoeba/train.en").read_text("utf-8").splitlines()[:20000]
    estimate_from_lines(caption, tmp_path / "small", order=3)
    estimate_from_lines(other, tmp_path / "large", order=3)
    both = [LanguageModel.open(tmp_path / name) for name in ("small", "large")]
    dev = data("multi30k/dev.en").read_text("utf-8").splitlines()
    result = mix(both, dev, tmp_path / "mixed", threads=2)
    assert result.weights[0] > 0.7
    assert result.perplexity.including_unknown < min(result.perplexities)
    mix(both, dev, tmp_path / "again", memory=1 << 20, spool=tmp_path, threads=1)
    assert (tmp_path / "mixed").read_bytes() == (tmp_path / "again").read_bytes()


def test_bad_requests(models, tmp_path):
    with pytest.raises(UsageError, match="at least two"):
        mix(models[:1], SEA, tmp_path / "mixed")
    with pytest.raises(InputError, match="held-out text is empty"):
        mix(models, [], tmp_path / "mixed")
    with pytest.raises(UsageError, match="3 weights for 2 models"):
        mix(models, SEA, tmp_path / "mixed", weights=[1, 1, 1])
    with pytest.raises(UsageError, match="positive"):
        mix(models, SEA, tmp_path / "mixed", weights=[-1, 1])
    with pytest.raises(UsageError, match="memory must be positive"):
        mix(models, SEA, tmp_path / "mixed", memory=0)
