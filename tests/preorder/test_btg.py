"""Word classes, and preordering that makes its own trees."""

import math
import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from dragoman._core import BtgParser, WordClusterer, build_vocabulary
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import SentenceIds
from dragoman.errors import InputError, ModelError
from dragoman.preorder import cluster_words, examine, learn_preordering, load_preorderer
from dragoman.preorder.config import PreorderConfig

SMALL = PreorderConfig(method="btg", hash_bits=16, word_classes=4, rounds=4)


def encode(lines):
    vocabulary = build_vocabulary(lines)
    return SentenceIds(*vocabulary.encode(lines)), vocabulary


def likelihood(lines, class_of):
    """What the exchange algorithm raises: the likelihood of a class bigram model, but for the
    words' own frequencies."""
    pairs, totals = Counter(), Counter()
    for line in lines:
        classes = ["#", *(class_of[word] for word in line.split()), "#"]
        pairs.update(pairwise(classes))
        totals.update(classes[1:])
    return sum(n * math.log(n) for n in pairs.values()) - 2 * sum(
        n * math.log(n) for n in totals.values()
    )


def two_kinds(count=200, seed=1):
    draw = random.Random(seed)
    return [
        " ".join(
            word
            for _ in range(draw.randint(1, 4))
            for word in (f"d{draw.randint(0, 3)}", f"n{draw.randint(0, 9)}")
        )
        for _ in range(count)
    ]


def test_classes_raise_the_likelihood():
    lines = two_kinds()
    ids, vocabulary = encode(lines)
    clusterer = WordClusterer(ids.native, len(vocabulary), 3, 1)
    spelt = {vocabulary.word(k): k for k in range(3, len(vocabulary))}
    last = -math.inf
    for _ in range(4):
        classes = clusterer.classes()
        own = likelihood(lines, {word: int(classes[k]) for word, k in spelt.items()})
        assert clusterer.objective == pytest.approx(own)
        assert own >= last
        last = own
        clusterer.sweep()


def test_words_that_stand_alike_share_a_class():
    ids, vocabulary = encode(two_kinds())
    classes = cluster_words(ids, len(vocabulary), classes=2, min_count=1)
    kinds = {
        kind: {
            int(classes[k])
            for k in range(3, len(vocabulary))
            if vocabulary.word(k).startswith(kind)
        }
        for kind in "dn"
    }
    assert [len(kinds[kind]) for kind in "dn"] == [1, 1]
    assert kinds["d"] != kinds["n"]


def test_rare_words_have_no_class():
    ids, vocabulary = encode(["a a b", "a c"])
    classes = cluster_words(ids, len(vocabulary), classes=2)
    assert {vocabulary.word(k): int(classes[k]) > 0 for k in range(3, len(vocabulary))} == {
        "a": True,
        "b": False,
        "c": False,
    }


def object_verb(count=300, seed=3):
    """Sentences "subject object o verb" whose translation has the verb in the middle."""
    draw = random.Random(seed)
    text, links = [], []
    for _ in range(count):
        adjectives = draw.randint(0, 2)
        words = [f"s{draw.randint(0, 5)}", "wa"]
        words += [f"a{draw.randint(0, 4)}" for _ in range(adjectives)]
        words += [f"n{draw.randint(0, 8)}", "o", f"v{draw.randint(0, 6)}"]
        text.append(" ".join(words))
        n = len(words)
        pairs = [(0, 0), (n - 1, 1)]
        pairs += [(2 + k, 2 + k) for k in range(adjectives + 1)]
        links.append(pairs)
    return text, Links.of(links)


def test_an_order_is_learnt_without_trees(tmp_path):
    text, links = object_verb()
    learn_preordering(text, tmp_path / "p", SMALL, links=links)
    new, new_links = object_verb(60, seed=9)
    result = examine(load_preorderer(tmp_path / "p"), new, new_links)
    assert result.before.tau < 0.6
    assert result.after.tau > 0.95
    assert result.oracle is None
    # The same bytes every time, the same orders with any number of threads.
    learn_preordering(text, tmp_path / "q", SMALL, links=links)
    assert (tmp_path / "p/btg").read_bytes() == (tmp_path / "q/btg").read_bytes()
    parser = BtgParser(str(tmp_path / "p/btg"))
    assert (parser.orders(new, 1)[0] == parser.orders(new, 3)[0]).all()


def test_every_order_is_a_permutation(tmp_path):
    text, links = object_verb(30)
    learn_preordering(text, tmp_path, SMALL, links=links)
    lines = ["", "one", "never seen before", " ".join(["v1", "n1"] * 40), *text]
    orders = load_preorderer(tmp_path).orders(lines)
    for index, line in enumerate(lines):
        assert sorted(orders[index].tolist()) == list(range(len(line.split())))


def test_links_must_fit(tmp_path):
    with pytest.raises(InputError, match="link 5-0 points outside"):
        learn_preordering(["a b"], tmp_path, SMALL, links=Links.of([[(5, 0)]]))
    with pytest.raises(InputError, match="2 sentence pairs of links for a corpus of 1"):
        learn_preordering(["a b"], tmp_path, SMALL, links=Links.of([[], []]))


def test_nothing_to_learn_from_leaves_everything(tmp_path):
    learn_preordering(["a b c", ""], tmp_path, SMALL, links=Links.of([[], []]))
    assert load_preorderer(tmp_path).orders(["a b c"])[0].tolist() == [0, 1, 2]


def test_damaged_parser(tmp_path):
    text, links = object_verb(10)
    learn_preordering(text, tmp_path, SMALL, links=links)
    whole = (tmp_path / "btg").read_bytes()
    (tmp_path / "btg").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError):
        load_preorderer(tmp_path)


def test_long_sentences_are_not_learnt_from(tmp_path):
    text, links = object_verb(20)
    config = PreorderConfig(method="btg", hash_bits=12, max_words=2, rounds=1)
    learn_preordering(text, tmp_path, config, links=links)
    assert (np.diff(load_preorderer(tmp_path).orders(text).array[:4]) == 1).all()
