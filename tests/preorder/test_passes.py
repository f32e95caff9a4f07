"""Learning an order and aligning in it, in turns."""

import numpy as np
import pytest
from tests.preorder.test_model import corpus

from dragoman.alignment import aligner
from dragoman.alignment.aligner import bitext_of
from dragoman.alignment.links import Links
from dragoman.alignment.score import GoldLinks
from dragoman.errors import UsageError
from dragoman.preorder import learn_preordering, load_preorderer, parse_brackets, passes
from dragoman.preorder.config import PreorderConfig
from dragoman.preorder.passes import OrderLearner

ROWS = corpus(120, seed=4)
SOURCE, TARGET, TREES = ([row[column] for row in ROWS] for column in range(3))


def learner(method="trees", threads=1, **settings):
    config = PreorderConfig(
        method=method, hash_bits=14, min_count=1, word_classes=6, rounds=3, **settings
    )
    trees = parse_brackets(TREES) if method == "trees" else None
    return OrderLearner(bitext_of(SOURCE, TARGET), trees, config, threads=threads)


@pytest.mark.parametrize("method", ["trees", "btg"])
def test_links_and_orders_are_of_the_original_words(method, tmp_path):
    learnt = learner(method, passes=2).learn(tmp_path)
    bitext = bitext_of(SOURCE, TARGET)
    learnt.links.check_against(bitext.source.offsets, bitext.target.offsets)
    for index, line in enumerate(SOURCE):
        words, target = line.split(), TARGET[index].split()
        assert learnt.orders.apply(line, index).split()[2] == words[4], "the verb comes forward"
        pairs = {(words[i], target[j]) for i, j in learnt.links[index].tolist()}
        assert (words[4], target[1]) in pairs
    assert [path.name for path in tmp_path.iterdir()] == [
        "classifier" if method == "trees" else "btg"
    ]


def test_examples_are_carried_into_the_order_that_is_aligned(tmp_path, monkeypatch):
    bitext = bitext_of(SOURCE, TARGET)
    gold = [GoldLinks(frozenset({(4, 1)}), frozenset({(4, 1), (0, 0)}))] * 2
    asked = []

    def align(text, config, *, examples, **rest):
        asked.append((text.source_text(0), examples, config.posterior_threshold))
        return aligner.train(text, config, examples=examples, **rest)

    monkeypatch.setattr(passes, "align", align)
    config = PreorderConfig(
        method="trees", hash_bits=14, min_count=1, passes=2, posterior_threshold=0.2
    )
    trees = parse_brackets(TREES)
    OrderLearner(bitext, trees, config, examples=gold).learn(tmp_path)
    assert asked[0] == (SOURCE[0], gold, 0.2)
    words, (moved, examples, _) = SOURCE[0].split(), asked[1]
    place = moved.split().index(words[4])
    assert place == 2
    assert examples[0].sure == {(place, 1)}
    assert examples[0].possible == {(place, 1), (moved.split().index(words[0]), 0)}
    with pytest.raises(UsageError, match="nothing to align"):
        learn_preordering(
            SOURCE, tmp_path, config, links=Links.of([[]] * 120), trees=trees, examples=gold
        )


def test_threads_change_nothing(tmp_path):
    for name, threads in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        learner(passes=2, threads=threads).learn(tmp_path / name)
    assert (tmp_path / "one/classifier").read_bytes() == (tmp_path / "two/classifier").read_bytes()


@pytest.mark.parametrize(("folds", "seen"), [(1, [0]), (3, [40, 40, 40, 0])])
def test_what_each_model_learns_from(folds, seen, tmp_path, monkeypatch):
    """How many sentences each training is without; the model itself learns from all."""
    without, applied = [], []

    def record(trees, links, path, *rest, **named):
        empty = np.flatnonzero(np.diff(links.offsets) == 0)
        without.append(empty)
        return train(trees, links, path, *rest, **named)

    train = passes.train_classifier
    monkeypatch.setattr(passes, "train_classifier", record)
    monkeypatch.setattr(
        passes, "load_preorderer", lambda place: applied.append(place) or load_preorderer(place)
    )
    learner(folds=folds, passes=1).learn(tmp_path)
    assert sorted(map(len, without), reverse=True) == sorted(seen, reverse=True)
    held = [empty for empty in without if len(empty)]
    if held:
        assert sorted(np.concatenate(held)) == list(range(len(SOURCE)))
    assert len(applied) == folds


def test_an_interrupted_learner_leaves_nothing_in_the_way(tmp_path, monkeypatch):
    calls = []

    def interrupted(*arguments, **named):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return train(*arguments, **named)

    train = passes.train_classifier
    monkeypatch.setattr(passes, "train_classifier", interrupted)
    with pytest.raises(KeyboardInterrupt):
        learner().learn(tmp_path)
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(passes, "train_classifier", train)
    learner().learn(tmp_path)
    assert load_preorderer(tmp_path).needs_trees


def test_from_text_and_translations(tmp_path):
    config = PreorderConfig(method="trees", hash_bits=14, min_count=1, passes=2)
    report = learn_preordering(
        SOURCE, tmp_path / "p", config, target=TARGET, trees=parse_brackets(TREES)
    )
    assert report.turned > 0
    trees = parse_brackets(TREES[:1])
    (order,) = load_preorderer(tmp_path / "p").orders(SOURCE[:1], trees)
    assert order.tolist()[2] == 4
