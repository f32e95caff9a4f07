"""Node classifiers: the features of Table 1, learning, and the predictor."""

import random
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.preorder.test_trees import FIGURE_1
from tests.reference import preordering as reference

from dragoman._core import NodeClassifier, node_feature_rows
from dragoman.alignment.links import Links
from dragoman.errors import InputError, ModelError, UsageError
from dragoman.preorder import (
    accuracy,
    classifier,
    examine,
    learn_preordering,
    load_preorderer,
    oracle_scores,
    parse_brackets,
    train_classifier,
)
from dragoman.preorder.config import PreorderConfig
from dragoman.preorder.features import PAPER, SETS, set_bits, set_names

SMALL = PreorderConfig(method="trees", hash_bits=16, min_count=1)
EVERY_BUCKET = np.arange(1 << 24, dtype=np.int32)  # so many that hashes do not collide


def buckets_of(trees, sets):
    """The hashed features of every node."""
    wanted = np.ones(int(trees.node_offsets[-1]), dtype=np.uint8)
    columns, offsets = node_feature_rows(trees, wanted, sets, EVERY_BUCKET, 1)
    return [columns[a:b].tolist() for a, b in pairwise(offsets)]


def random_tree(draw, words):
    if words == 1:
        return (draw.choice("NVA"), draw.choice("abcd"))
    split = draw.randint(1, words - 1)
    return (draw.choice(["S", "NP"]), random_tree(draw, split), random_tree(draw, words - split))


def test_features_are_those_of_table_1():
    """The same text makes the same hash, and other text another."""
    draw = random.Random(1)
    trees = [random_tree(draw, draw.randint(2, 6)) for _ in range(12)]
    native = buckets_of(parse_brackets([reference.brackets(tree) for tree in trees]), 31)
    texts = [reference.features(node) for tree in trees for node in reference.inner(tree)]
    # Features are compared by where they occur, not by the order in which they are made.
    places_native, places_text = defaultdict(list), defaultdict(list)
    for node, (ours, theirs) in enumerate(zip(native, texts, strict=True)):
        for bucket in ours:
            places_native[bucket].append(node)
        for text in theirs:
            places_text[text].append(node)
    assert sorted(places_native.values()) == sorted(places_text.values())


def test_instances_of_table_2():
    """For the VP node: what each template sees."""
    vp = ("VP", ("VBZ", "is"), ("NP", ("JJ", "binary"), ("NN", "classification")))
    found = reference.features(vp)
    for instance in (
        "left t VBZ",
        "left w is",
        "right t JJ_NN",
        "right w binary_classification",
        "near right t JJ",
        "near right w binary",
        "sigma (VP (VBZ is) (NP (JJ binary) (NN classification)))",
        "sigma_t (VP(VBZ)(NP(JJ)(NN)))",
        "sigma_w ((is)((binary)(classification)))",
    ):
        assert instance in found
    assert sorted(reference.relations(vp)) == sorted(
        f"label {x}" for x in ("VP", "VBZ", "NP", "JJ", "NN")
    ) + sorted(f"pair {x}" for x in ("VP_VBZ", "VP_NP", "NP_JJ", "NP_NN"))


@pytest.mark.parametrize("name", SETS)
def test_sets_can_be_switched_off(name):
    trees = parse_brackets([FIGURE_1])
    alone = buckets_of(trees, set_bits([name]))
    everything = buckets_of(trees, sum(SETS.values()))
    rest = buckets_of(trees, sum(SETS.values()) - SETS[name])
    for one, all_of_them, others in zip(alone, everything, rest, strict=True):
        assert one
        assert sorted(one + others) == sorted(all_of_them)
    assert set_names(SETS[name]) == (name,)


def test_unknown_sets():
    with pytest.raises(UsageError, match="no feature set 'nonsense'"):
        set_bits(["nonsense"])
    with pytest.raises(UsageError, match="needs a feature set"):
        set_bits([])


def head_final(count):
    """Objects stand before verbs, which should be turned over, and adjectives before nouns,
    which should not."""
    trees = [f"(VP (NP (A a{k % 3}) (N n{k % 5})) (V v{k % 7}))" for k in range(count)]
    links = Links.of([[(0, 1), (1, 2), (2, 0)]] * count)
    return parse_brackets(trees), links


def test_what_is_learnt_is_used(tmp_path):
    trees, links = head_final(40)
    report = train_classifier(trees, links, tmp_path / "model", SMALL)
    assert (report.turned, report.kept, report.ties) == (40, 40, 0)
    model = NodeClassifier(str(tmp_path / "model"))
    scores = model.scores(trees, 1)
    assert accuracy(scores, oracle_scores(trees, links)) == 1
    assert (scores == model.scores(trees, 3)).all()
    new = parse_brackets(["(VP (NP (A unseen) (N word)) (V here))"])
    assert trees.reorder((scores > 0).astype(np.uint8))[:3].tolist() == [2, 0, 1]
    assert (model.scores(new, 1) > 0).tolist() == [False, True]
    assert model.binarisation == "head"
    assert set_names(model.sets) == SMALL.features


@pytest.mark.parametrize("weighting", ["equal", "gain"])
def test_labels_count_by_what_they_decide(tmp_path, monkeypatch, weighting):
    """Of three words, a verb turned over brings two pairs of words into order, an adjective
    one."""
    counted = []

    def fit(indices, offsets, width, labels, weights, *rest):
        counted.append((labels.tolist(), weights))
        return 0.0, np.zeros(width, dtype=np.float32)

    monkeypatch.setattr(classifier, "_fit", fit)
    trees, links = head_final(2)
    config = replace(SMALL, weighting=weighting)
    train_classifier(trees, links, tmp_path / "model", config)
    [(labels, weights)] = counted
    assert labels == [False, True] * 2
    if weighting == "equal":
        assert weights is None
    else:
        assert weights == pytest.approx([2 / 3, 4 / 3] * 2)


def test_the_same_training_writes_the_same_bytes(tmp_path):
    trees, links = head_final(60)
    train_classifier(trees, links, tmp_path / "one", SMALL)
    train_classifier(trees, links, tmp_path / "two", SMALL)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    ("links", "remark", "turned"),
    [
        ([(0, 0), (1, 1)], "all labels are the same; every node will be left as it is", False),
        ([(0, 1), (1, 0)], "all labels are the same; every node will be turned over", True),
        ([], "no node has a label; every node will be left as it is", False),
    ],
)
def test_one_class_only(tmp_path, links, remark, turned):
    trees = parse_brackets(["(S (N a) (V b))"] * 5)
    report = train_classifier(trees, Links.of([links] * 5), tmp_path / "model", SMALL)
    assert report.remark == remark
    assert (NodeClassifier(str(tmp_path / "model")).scores(trees, 1) > 0).all() == turned


def test_memory_is_bounded_by_a_sample(tmp_path):
    trees, links = head_final(50)
    config = PreorderConfig(method="trees", hash_bits=12, min_count=1, max_nodes=30)
    assert train_classifier(trees, links, tmp_path / "model", config).sampled <= 30


def test_phrasebook(phrasebook, tmp_path):
    def part(name):
        trees = parse_brackets(phrasebook(f"{name}.ja.trees").read_text("utf-8").splitlines())
        pairs = Links.read(phrasebook(f"{name}.en-ja.links"))
        text = phrasebook(f"{name}.ja").read_text("utf-8").splitlines()
        return text, trees, Links.of([[(int(j), int(i)) for i, j in pair] for pair in pairs])

    text, trees, links = part("train")
    count = 600
    chosen = trees.select(np.arange(count, dtype=np.int64))
    learn_preordering(
        text[:count], tmp_path / "p", SMALL, links=links.slice(0, count), trees=chosen
    )
    text, trees, links = part("dev")
    result = examine(load_preorderer(tmp_path / "p"), text, links, trees)
    assert result.accuracy > 0.9
    assert result.before.tau + 0.4 < result.after.tau <= result.oracle.tau
    assert result.after.fuzzy > result.before.fuzzy


def test_a_sentence_without_a_tree_keeps_its_order(tmp_path):
    trees, links = head_final(20)
    text = [trees.text(k) for k in range(20)]
    learn_preordering(text, tmp_path, SMALL, links=links, trees=trees)
    found = load_preorderer(tmp_path).orders(["a0 n0 v0", "x y"], trees.select(np.array([0, -1])))
    assert [found[k].tolist() for k in range(2)] == [[2, 0, 1], [0, 1]]


def test_what_cannot_be_learnt_from(tmp_path):
    trees, links = head_final(3)
    text = [trees.text(k) for k in range(3)]
    with pytest.raises(UsageError, match="give one of them"):
        learn_preordering(text, tmp_path, SMALL, trees=trees)
    with pytest.raises(UsageError, match="needs trees"):
        learn_preordering(text, tmp_path, SMALL, links=links)
    with pytest.raises(InputError, match="word 1 of the tree"):
        learn_preordering(["other", *text[1:]], tmp_path, SMALL, links=links, trees=trees)


def test_damaged_models(tmp_path):
    with pytest.raises(ModelError, match="no preordering in it"):
        load_preorderer(tmp_path)
    (tmp_path / "classifier").write_bytes(b"nonsense")
    with pytest.raises(ModelError):
        load_preorderer(tmp_path)


def test_the_papers_sets_are_the_default_and_ours():
    assert set(PAPER) < set(PreorderConfig().features)
