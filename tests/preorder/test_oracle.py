"""Oracle labels: s(v) as the paper defines it, and the proof of its section 2.3."""

import numpy as np
import pytest
from hypothesis import given, settings
from tests.preorder.conftest import aligned_trees
from tests.preorder.test_trees import FIGURE_1
from tests.reference import preordering as reference

from dragoman.alignment.links import Links
from dragoman.errors import InputError
from dragoman.evaluation.reorder_scores import fuzzy_reordering_score, kendall_tau
from dragoman.preorder import (
    Orders,
    oracle_orders,
    oracle_scores,
    parse_brackets,
    score_orders,
)
from dragoman.preorder.orders import original_links


def scores_of(tree, links):
    trees = parse_brackets([reference.brackets(tree)])
    return trees, oracle_scores(trees, Links.of([links]))


@settings(deadline=None)
@given(aligned_trees())
def test_scores_are_the_papers(case):
    tree, links = case
    values = reference.positions(links, len(reference.leaves(tree)))
    _, scores = scores_of(tree, links)
    assert scores.tolist() == reference.node_scores(tree, values)


@settings(deadline=None)
@given(aligned_trees())
def test_local_decisions_reach_the_best_tau(case):
    """Section 2.3: no other way of turning nodes over has more concordant pairs."""
    tree, links = case
    values = reference.positions(links, len(reference.leaves(tree)))
    trees, scores = scores_of(tree, links)
    order = oracle_orders(trees, scores)[0].tolist()
    ours = reference.concordant([values[word] for word in order])
    best = max(
        reference.concordant([values[word] for word in other]) for other in reference.orders(tree)
    )
    assert ours == best
    # Ties may be turned over or not: it makes no difference.
    turned = trees.reorder((scores <= 0).astype(np.uint8)).tolist()
    assert reference.concordant([values[word] for word in turned]) == best


def test_the_papers_example():
    """Figure 2: Reordering is binary classification -> Reordering binary classification is."""
    trees = parse_brackets([FIGURE_1])
    scores = oracle_scores(trees, Links.of([[(0, 0), (1, 3), (2, 1), (3, 2)]]))
    assert scores.tolist() == [1, -2, 3]
    orders = oracle_orders(trees, scores)
    words = "Reordering is binary classification"
    assert orders.apply(words, 0) == "Reordering binary classification is"


def test_unaligned_and_doubly_aligned_words():
    trees = parse_brackets(["(S (X a) (S (X b) (S (X c) (X d))))"])
    # b has no links: its node is undecided. c lies at 1.5, the middle of 0 and 3.
    scores = oracle_scores(trees, Links.of([[(0, 2), (2, 0), (2, 3), (3, 1)]]))
    assert scores.tolist() == [-1, 0, -2]


def test_links_beyond_the_sentence():
    trees = parse_brackets(["(S (X a) (X b))"])
    with pytest.raises(InputError, match="sentence pair 1: link 2-0 points outside a sentence of"):
        oracle_scores(trees, Links.of([[(2, 0)]]))
    with pytest.raises(InputError, match="2 lines of links for 1 trees"):
        oracle_scores(trees, Links.of([[], []]))


@settings(deadline=None)
@given(aligned_trees())
def test_scores_of_orders(case):
    tree, links = case
    words = len(reference.leaves(tree))
    values = reference.positions(links, words)
    trees, scores = scores_of(tree, links)
    orders = oracle_orders(trees, scores)
    aligned = [word for word in orders[0].tolist() if values[word] is not None]
    result = score_orders(orders, Links.of([links]))
    if len(aligned) < 2:
        assert (result.tau, result.sentences) == (1.0, 0)
        return
    assert result.tau == pytest.approx(kendall_tau([values[word] for word in aligned]))
    gold = sorted(sorted(aligned), key=lambda word: values[word])
    assert result.fuzzy == pytest.approx(fuzzy_reordering_score(aligned, gold))


def test_links_come_back_to_the_original_words():
    orders = Orders.of([[2, 0, 1], [0, 1]])
    moved = original_links(Links.of([[(0, 0), (1, 1), (2, 2)], [(1, 0)]]), orders)
    assert moved[0].tolist() == [[0, 1], [1, 2], [2, 0]]
    assert moved[1].tolist() == [[1, 0]]


def test_links_can_be_left_out():
    links = Links.of([[(0, 0), (1, 1)], [(0, 1)], []])
    left = links.without(np.array([True, False, False]))
    assert [pair.tolist() for pair in left] == [[], [[0, 1]], []]


def test_phrasebook_oracle_is_never_worse(phrasebook):
    trees = parse_brackets(phrasebook("dev.ja.trees").read_text("utf-8").splitlines())
    pairs = Links.read(phrasebook("dev.en-ja.links"))
    links = Links.of([[(int(j), int(i)) for i, j in pair] for pair in pairs])
    before = score_orders(Orders.identity(trees.token_offsets), links)
    after = score_orders(oracle_orders(trees, oracle_scores(trees, links)), links)
    assert before.tau < 0.3
    assert after.tau > 0.8
