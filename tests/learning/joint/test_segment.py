"""Long sentence pairs are cut where IBM Model 1 says."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.learning.joint.pairs import bitext_of, lexicon_of
from tests.reference import segmentation as slow

from dragoman.learning.joint.segment import cut, segment


def matrices(alignment, n, m, strong=0.9, weak=0.001):
    """Forward and backward probabilities in which these links stand out."""
    forward, backward = np.full((n + 1, m), weak), np.full((n, m + 1), weak)
    for i, j in alignment:
        forward[i, j] = backward[i, j] = strong
    return forward, backward


def test_a_straight_and_a_crossed_pair():
    straight = matrices([(i, i) for i in range(8)], 8, 8)
    assert cut(*straight, 4) == [((0, 4), (0, 4)), ((4, 8), (4, 8))]
    crossed = matrices([(i, (i + 4) % 8) for i in range(8)], 8, 8)
    assert cut(*crossed, 4) == [((0, 4), (4, 8)), ((4, 8), (0, 4))]


@pytest.mark.parametrize("limit", [2, 3, 5])
def test_parts_are_short_enough_and_do_not_overlap(limit):
    random = np.random.default_rng(1)
    for _ in range(20):
        n, m = random.integers(2, 25, 2)
        parts = cut(random.random((n + 1, m)), random.random((n, m + 1)), limit)
        for axis, size in ((0, n), (1, m)):
            spans = sorted(part[axis] for part in parts)
            assert all(0 < end - begin <= limit for begin, end in spans)
            assert all(a[1] <= b[0] for a, b in pairwise(spans))
            assert not spans or (spans[0][0] >= 0 and spans[-1][1] <= size)


def test_a_part_that_cannot_be_cut_is_left_out():
    assert cut(*matrices([], 1, 9), 4) == []


def test_only_long_pairs_are_cut():
    source = ["a b", "a b c d e f", "", "c d"]
    target = ["x y", "x y z u v w", "", "z u"]
    bitext = bitext_of(source, target)
    segments = segment(bitext.source, bitext.target, lexicon_of(bitext), 4)
    assert segments.cut == 1
    assert segments.origins.tolist() == [0, 1, 1, 2, 3]
    joined = np.concatenate([segments.source[index] for index in (1, 2)])
    assert joined.tolist() == bitext.source[1].tolist()
    untouched = segment(bitext.source, bitext.target, lexicon_of(bitext), 10)
    assert untouched.source is bitext.source
    assert untouched.cut == 0


@given(st.integers(0, 10_000), st.integers(1, 9), st.integers(1, 9), st.integers(1, 5))
@settings(deadline=None, max_examples=40)
def test_cuts_are_the_slow_ones(seed, n, m, most):
    random = np.random.default_rng(seed)
    forward, backward = random.random((n + 1, m)) ** 4, random.random((n, m + 1)) ** 4
    assert cut(forward, backward, most) == slow.cut(forward.tolist(), backward.tolist(), most)


def test_of_equal_cuts_the_one_in_the_middle():
    assert cut(np.zeros((9, 6)), np.zeros((8, 7)), 4) == [((0, 4), (0, 3)), ((4, 8), (3, 6))]


def test_a_pair_is_long_when_either_side_is():
    source, target = ["a b c d e", "a b", "a b"], ["x y", "x y z u v", "x y"]
    bitext = bitext_of(source, target)
    found = segment(bitext.source, bitext.target, lexicon_of(bitext), 4)
    assert found.cut == 2
    assert segment(bitext.source, bitext.target, lexicon_of(bitext), 5).cut == 0
    sizes = [len(found.source[index]) for index in range(len(found.source))]
    assert max(sizes) <= 4
    assert found.origins.tolist()[-1] == 2
    assert found.source[len(found.source) - 1].tolist() == bitext.source[2].tolist()
