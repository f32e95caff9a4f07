"""Minimal rules of word alignments and their ranks, also on real hand-made alignments."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import InputError
from dragoman.grammar import Parser, alignment_ranks, minimal_rules, rank


def packed(sets):
    """Lists of links as the arrays the library takes."""
    flat = [link for links in sets for link in links]
    offsets = np.cumsum([0, *map(len, sets)]).astype(np.uint64)
    return np.array(flat, dtype=np.uint16).reshape(-1, 2), offsets


def test_ranks_by_hand():
    straight = [(0, 0), (1, 1), (2, 2)]
    simple = [(0, 1), (1, 3), (2, 0), (3, 2)]
    around = [(0, 0), (2, 0), (1, 1)]  # ne X pas -> not X
    found = alignment_ranks(*packed([straight, simple, around, [], [(0, 1), (1, 0)]]))
    assert found.rank.tolist() == [2, 4, 1, 0, 2]
    assert found.straight.tolist() == [2, 0, 0, 0, 0]
    assert found.inverted.tolist() == [0, 0, 0, 0, 1]
    assert found.simple.tolist() == [0, 1, 1, 0, 0]
    assert found.histogram() == [1, 1, 2, 0, 1]
    assert found.report()["binarisable"] == 4


@given(st.permutations(range(12)))
def test_a_permutation_is_an_alignment(permutation):
    links = list(enumerate(permutation))
    assert alignment_ranks(*packed([links])).rank[0] == rank(permutation)


def test_threads_do_not_change_the_answer():
    chance = np.random.default_rng(2)
    sets = [chance.integers(0, 12, size=(10, 2)).tolist() for _ in range(1000)]
    one = alignment_ranks(*packed(sets))
    three = alignment_ranks(*packed(sets), threads=3)
    assert np.array_equal(one.rank, three.rank)
    assert np.array_equal(one.simple, three.simple)


words = st.integers(1, 6)


@settings(deadline=None)
@given(st.data(), words, words)
def test_minimal_rules_generate_their_pair(data, n, m):
    link = st.tuples(st.integers(0, n - 1), st.integers(0, m - 1))
    links = data.draw(st.lists(link, max_size=8))
    source = " ".join(f"s{i}" for i in range(n))
    target = " ".join(f"t{j}" for j in range(m))
    grammar, counts = minimal_rules([source], [target], *packed([links]))
    assert Parser(grammar).parse(source, target).generated
    assert len(counts) == len(grammar)
    assert grammar.rank == alignment_ranks(*packed([links])).rank[0]


def test_rules_are_counted_over_the_corpus():
    grammar, counts = minimal_rules(
        ["a b", "b a", "a"], ["x y", "x y", "x"],
        *packed([[(0, 0), (1, 1)], [(0, 1), (1, 0)], [(0, 0)]]),
    )  # fmt: skip
    found = {rule.text: int(count) for rule, count in zip(grammar, counts, strict=True)}
    assert found == {
        "X -> a | x": 3,
        "X -> b | y": 2,
        "X -> X[1] X[2] | X[1] X[2]": 1,
        "X -> X[1] X[2] | X[2] X[1]": 1,
    }
    assert sum(np.exp(rule.log_probability) for rule in grammar) == pytest.approx(1)


def test_bad_links_are_refused():
    with pytest.raises(InputError, match="sentence pair 2: link 0-3 points outside"):
        minimal_rules(["a", "a"], ["x", "x"], *packed([[(0, 0)], [(0, 3)]]))
    with pytest.raises(InputError, match="links of 1 pairs"):
        minimal_rules(["a", "b"], ["x", "y"], *packed([[]]))
    links, offsets = packed([[(0, 0)], [(0, 0)]])
    with pytest.raises(InputError, match="must run from 0"):
        alignment_ranks(links, offsets[:-1])
    with pytest.raises(InputError, match="must not decrease"):
        alignment_ranks(links, np.array([0, 3, 2], dtype=np.uint64))


def test_hand_made_alignments(data):
    """Real alignments: the minimal rules of the sure links derive the sentences they are from."""
    source = data("gold/roen.ro").read_text("utf-8").splitlines()
    target = data("gold/roen.en").read_text("utf-8").splitlines()
    lines = data("gold/roen.links").read_text("utf-8").splitlines()
    sets = [
        [tuple(map(int, link.split("-"))) for link in line.split() if "-" in link]
        for line in lines
    ]
    ranks = alignment_ranks(*packed(sets))
    assert len(ranks) == len(lines)
    assert ranks.binarisable.mean() > 0.5
    short = [i for i in range(len(sets)) if len(source[i].split()) <= 8][:5]
    assert short
    for i in short:
        grammar, _ = minimal_rules([source[i]], [target[i]], *packed([sets[i]]))
        assert grammar.rank == ranks.rank[i]
        assert Parser(grammar).parse(source[i], target[i]).generated
