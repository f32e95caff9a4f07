"""The network that has a say in a consensus: what it learns from, what it learns, what it says."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.reference import network as reference

from dragoman._core import AlignedText, NetworkJudge, NetworkShape, network_examples, save_network
from dragoman.alignment.aligner import bitext_of
from dragoman.alignment.links import Links
from dragoman.errors import DragomanError, InputError
from dragoman.files import sha256
from dragoman.neural.config import NeuralConfig
from dragoman.neural.learn import learn

# Small enough for a moment, large enough to learn.
SMALL = NeuralConfig(dimensions=8, hidden=16, passes=6, noise=16, batch=40, rate=0.1)
WORDS = ["red", "green", "blue", "old", "new"]
LINKS = [(0, 0), (1, 2), (2, 1)]


def text():
    """Adjectives that change places with their nouns; the last word never has a link."""
    nouns = ["house", "car", "tree", "dog"]
    pairs = [
        (f"the {word} {noun} !", f"le {noun.upper()} {word.upper()} !")
        for word in WORDS
        for noun in nouns
        for _ in range(5)
    ]
    made = bitext_of([source for source, _ in pairs], [target for _, target in pairs])
    return made, Links.of([LINKS] * len(pairs))


def weights_of(shape: NetworkShape) -> dict[str, np.ndarray]:
    random = np.random.default_rng(5)

    def matrix(*size: int) -> np.ndarray:
        return random.standard_normal(size).astype(np.float32) / 2

    return {
        "source": matrix(shape.source_words, shape.dimensions),
        "target": matrix(shape.target_words, shape.dimensions),
        "first": matrix(shape.inputs * shape.dimensions, shape.hidden),
        "bias": matrix(shape.hidden),
        "output": matrix(shape.target_words, shape.hidden),
        "frequency": matrix(shape.target_words),
    }


def save(path: Path, shape: NetworkShape, weights: dict[str, np.ndarray]) -> None:
    save_network(str(path), shape, **{name: one.ravel() for name, one in weights.items()})


def test_examples_are_those_of_the_definition():
    made, links = text()
    shape = NetworkShape(
        history=2, window=3, dimensions=2, hidden=2, source_words=9, target_words=8
    )
    rows = iter(network_examples(AlignedText(made.native, links.native), shape).tolist())
    for index in range(len(made)):
        source = [word if word < 9 else 0 for word in made.source[index].tolist()]
        target = [word if word < 8 else 0 for word in made.target[index].tolist()]
        middles = [*reference.partners(LINKS, len(target)), len(source)]
        for place, (word, middle) in enumerate(zip([*target, 2], middles, strict=True)):
            before, around = reference.inputs(source, target, middle, place, 2, 3)
            assert next(rows) == [*before, *around, word]
    assert next(rows, None) is None


def test_it_learns_what_follows_from_the_source(tmp_path):
    made, links = text()
    learnt = learn(made, links, tmp_path / "network", replace(SMALL, passes=40))
    assert learnt.examples == len(made) * 5
    assert learnt.passes == 40
    judge = NetworkJudge(str(tmp_path / "network"), made.source_vocabulary, made.target_vocabulary)

    def score(target: str) -> float:
        return judge.score("the red house !", target, LINKS)

    right = score("le HOUSE RED !")
    assert right > score("le HOUSE BLUE !") + 1
    assert right > score("le CAR RED !") + 1
    # Scores are nearly log probabilities, so the right one's is near 0.
    assert -3 < right < 1


def test_scores_are_those_of_the_definition(tmp_path):
    made, _ = text()
    shape = NetworkShape(
        history=2, window=3, dimensions=4, hidden=37, source_words=9, target_words=8
    )
    weights = weights_of(shape)
    save(tmp_path / "network", shape, weights)
    judge = NetworkJudge(str(tmp_path / "network"), made.source_vocabulary, made.target_vocabulary)
    for source, target, links in [
        ("the red house !", "le HOUSE RED !", LINKS),
        ("the old zwieback dog", "DOG zwieback le OLD", [(3, 0), (2, 1), (1, 3), (0, 3), (2, 3)]),
        ("red", "", []),
        ("", "le le le le le", [(0, 3)]),
    ]:
        ids = [
            voc.encode([line])[0].tolist()
            for voc, line in ((made.source_vocabulary, source), (made.target_vocabulary, target))
        ]
        expected = reference.score(weights, ids[0], ids[1], links, 2, 3)
        assert judge.score(source, target, links) == pytest.approx(expected, abs=1e-4)


def test_the_same_text_gives_the_same_bytes(tmp_path):
    made, links = text()
    for name in ("one", "two"):
        learn(made, links, tmp_path / name, SMALL)
    assert sha256(tmp_path / "one") == sha256(tmp_path / "two")


def test_an_interrupted_training_goes_on(tmp_path, monkeypatch):
    made, links = text()
    learn(made, links, tmp_path / "whole", SMALL)
    (tmp_path / "kept").mkdir()
    begun = []

    class StoppedError(Exception):
        pass

    rounds = np.random.default_rng

    def stopping(seed):
        if isinstance(seed, list):
            begun.append(seed[1])
            if begun == [0, 1, 2]:
                raise StoppedError
        return rounds(seed)

    monkeypatch.setattr(np.random, "default_rng", stopping)
    with pytest.raises(StoppedError):
        learn(made, links, tmp_path / "resumed", SMALL, resume=tmp_path / "kept")
    learn(made, links, tmp_path / "resumed", SMALL, resume=tmp_path / "kept")
    assert begun == [0, 1, 2, 2, 3, 4, 5]
    assert sha256(tmp_path / "whole") == sha256(tmp_path / "resumed")


@pytest.mark.parametrize(
    ("most", "examples", "passes"), [(10_000, 500, 6), (1200, 500, 2), (300, 250, 1)]
)
def test_much_text_is_not_all_looked_at(tmp_path, most, examples, passes):
    made, links = text()
    learnt = learn(made, links, tmp_path / "network", replace(SMALL, most=most))
    assert (learnt.examples, learnt.passes) == (examples, passes)


def test_no_text_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no text"):
        learn(bitext_of([], []), Links.of([]), tmp_path / "network", SMALL)


def test_a_network_of_another_model_is_refused(tmp_path):
    made, _ = text()
    shape = NetworkShape(
        history=1, window=1, dimensions=2, hidden=3, source_words=500, target_words=5
    )
    save(tmp_path / "network", shape, weights_of(shape))
    with pytest.raises(DragomanError, match="more words than there are"):
        NetworkJudge(str(tmp_path / "network"), made.source_vocabulary, made.target_vocabulary)


@pytest.mark.parametrize(("name", "value"), [("history", 0), ("hidden", 5000), ("window", 9)])
def test_shapes_that_no_network_has(name, value):
    shape = {"history": 3, "window": 4, "dimensions": 2, "hidden": 3}
    shape |= {"source_words": 5, "target_words": 5}
    with pytest.raises(ValueError, match="shape"):
        NetworkShape(**(shape | {name: value}))
