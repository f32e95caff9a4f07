"""Permutation trees: brute force, both methods against each other, round trips, bad input."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.permutation import as_printed, pattern, smallest_rank

from dragoman.errors import InputError
from dragoman.grammar import compose, is_simple, permutation_tree, rank


@pytest.mark.parametrize(
    ("permutation", "expected", "width"),
    [
        ([7, 1, 4, 6, 3, 5, 8, 2], "(7 1 (4 6 3 5) 8 2)", 5),  # the example of section 4
        ([2, 1, 3, 4, 7, 5, 8, 6], "((((2 1) 3) 4) (7 5 8 6))", 4),  # figure 1, left
        ([1], "1", 1),
        ([0], "0", 1),
        ([1, 0], "(1 0)", 2),
        ([3, 2, 1], "((3 2) 1)", 2),
        ([2, 4, 1, 3], "(2 4 1 3)", 4),
        ([4, 1, 2, 3], "(4 ((1 2) 3))", 2),
    ],
)
def test_trees_by_hand(permutation, expected, width):
    for method in ("linear", "sorting"):
        assert str(permutation_tree(permutation, method=method)) == expected
    assert rank(permutation) == width


def test_canonical_form_draws_runs_as_one_node():
    assert str(permutation_tree([2, 1, 3, 4, 6, 5], "canonical")) == "((2 1) 3 4 (6 5))"
    assert str(permutation_tree(range(5), "canonical")) == "(0 1 2 3 4)"


def check(permutation):
    """Both methods agree, the tree is valid, composes the permutation and has the best rank."""
    for form in ("left-branching", "canonical"):
        tree = permutation_tree(permutation, form)
        other = permutation_tree(permutation, form, "sorting")
        for field in ("child_offsets", "children", "order", "kinds", "begins", "ends"):
            assert np.array_equal(getattr(tree, field), getattr(other, field))
        assert np.array_equal(compose(tree), permutation)
        assert tree.rank == other.rank
        for node in range(len(tree)):
            values = sorted(permutation[tree.begins[node] : tree.ends[node]])
            assert values == list(range(values[0], values[0] + len(values)))
    assert tree.rank == smallest_rank(tuple(permutation))


@pytest.mark.parametrize("length", range(1, 9))
def test_all_short_permutations_have_the_brute_force_rank(length):
    for permutation in itertools.permutations(range(length)):
        tree = permutation_tree(permutation)
        assert tree.rank == smallest_rank(permutation)
        if length <= 6:
            check(permutation)


def test_ten_thousand_random_permutations_have_the_brute_force_rank():
    chance = random.Random(1)
    for round_number in range(10_000):
        permutation = list(range(chance.randint(1, 12)))
        if round_number % 2:
            chance.shuffle(permutation)
        else:  # turned pieces give deeper trees
            for _ in range(6):
                a, b = sorted(chance.choices(range(len(permutation) + 1), k=2))
                permutation[a:b] = reversed(permutation[a:b])
        tree = permutation_tree(permutation)
        assert np.array_equal(compose(tree), permutation)
        assert tree.rank == smallest_rank(tuple(permutation))
        if round_number % 10 == 0:
            check(permutation)


SIMPLE = [p for k in (4, 5, 6) for p in itertools.permutations(range(k)) if smallest_rank(p) == k]


def nested(draw, depth, forbidden=None):
    """A random canonical tree as nested (order, children); leaves are None."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return None
    kind = draw(st.sampled_from([k for k in ("up", "down", "simple") if k != forbidden]))
    if kind == "simple":
        order = draw(st.sampled_from(SIMPLE))
    else:
        width = draw(st.integers(2, 4))
        order = tuple(range(width)) if kind == "up" else tuple(reversed(range(width)))
    below = None if kind == "simple" else kind
    return order, [nested(draw, depth - 1, below) for _ in order]


def flatten(tree):
    """The permutation of a nested tree, and the set of its nodes' (begin, end)."""
    if tree is None:
        return [0], set()
    order, children = tree
    parts = [flatten(child) for child in children]
    sizes = [len(part[0]) for part in parts]
    low = [sum(sizes[k] for k in range(len(order)) if order[k] < rank) for rank in order]
    values, spans, begin = [], set(), 0
    for (part, inner), base in zip(parts, low, strict=True):
        spans |= {(begin + a, begin + b) for a, b in inner}
        values += [value + base for value in part]
        begin += len(part)
    return values, spans | {(0, begin)}


@given(st.data())
def test_random_trees_round_trip(data):
    permutation, spans = flatten(nested(data.draw, 3))
    for method in ("linear", "sorting"):
        tree = permutation_tree(permutation, "canonical", method)
        assert set(zip(tree.begins.tolist(), tree.ends.tolist(), strict=True)) == spans
        assert np.array_equal(compose(tree), permutation)


@given(st.permutations(range(30)))
def test_longer_random_permutations(permutation):
    check(permutation[:12] if len(permutation) < 12 else list(pattern(permutation[:12])))
    tree = permutation_tree(permutation)
    other = permutation_tree(permutation, method="sorting")
    assert np.array_equal(tree.children, other.children)
    assert np.array_equal(compose(other), permutation)


def test_simple_permutations_are_counted_right():
    """Albert, Atkinson & Klazar (2003): 1, 2, 0, 2, 6, 46, 338 of length 1 to 7."""
    counts = [
        sum(is_simple(p) for p in itertools.permutations(range(length))) for length in range(1, 8)
    ]
    assert counts == [1, 2, 0, 2, 6, 46, 338]


def chain_to_one_side(n):
    """One half is a chain that reduces step by step; the other half joins only at the end."""
    half = n // 2
    centre = half
    left = [centre + (k // 2 + 1) * (1 if k % 2 == 0 else -1) for k in range(half)]
    others = sorted(set(range(n)) - set(left) - {centre}, key=lambda value: value * 7919 % n)
    return [*reversed(left), centre, *others]


def outward_chain(n):
    """... 4 2 0 1 3 5 ..."""
    return [*range(n - 2 + n % 2, -1, -2), *range(1, n, 2)]


@pytest.mark.parametrize("family", [outward_chain, chain_to_one_side])
def test_the_pseudo_code_as_printed_is_quadratic_on_chains(family):
    """Why REDUCE writes corners only, and why scans are kept (docs/lab/001.md)."""
    steps = []
    for n in (256, 512, 1024):
        permutation = family(n)
        assert sorted(permutation) == list(range(n))
        reductions, count = as_printed(permutation)
        steps.append(count)
        greedy = permutation_tree(permutation, method="sorting")
        assert greedy.rank == rank(permutation)
        assert len(reductions) == len(greedy)
    assert steps[2] > 3.5 * steps[1] > 3.5 * 3.5 * steps[0]


def test_the_pseudo_code_as_printed_finds_the_same_rank():
    chance = random.Random(3)
    for _ in range(500):
        permutation = list(range(chance.randint(2, 11)))
        chance.shuffle(permutation)
        reductions, _ = as_printed(permutation)
        tree = permutation_tree(permutation)
        assert len(reductions) == len(tree)


def test_numpy_arrays_of_any_integer_type():
    for dtype in (np.int8, np.uint8, np.int32, np.uint64):
        assert str(permutation_tree(np.array([2, 1, 3], dtype=dtype))) == "((2 1) 3)"
    assert str(permutation_tree(np.arange(6)[::2] // 2)) == "((0 1) 2)"


@pytest.mark.parametrize("family", [outward_chain, lambda n: list(range(n)), chain_to_one_side])
def test_deep_trees_do_not_recurse(family):
    tree = permutation_tree(family(20_000))
    assert str(tree).count("(") == len(tree)
    assert len(list(tree.nodes())) == len(tree)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "empty"),
        ([1, 1], "1 comes twice"),
        ([1, 3], "element 2 is 3"),
        ([0, 2], "element 2 is 2"),
        ([-1, 0], "element 1 is -1"),
        ([0.5, 1], "whole numbers"),
        (["a"], "whole numbers"),
        ([[1, 2]], "one dimension"),
        ([[1], [1, 2]], "not a permutation"),
        (np.array([1, 2**64 - 1], dtype=np.uint64), "element 2"),
    ],
)
def test_what_is_no_permutation_is_refused(values, message):
    with pytest.raises(InputError, match=message):
        permutation_tree(values)


def test_unknown_forms_and_methods_are_refused():
    with pytest.raises(ValueError, match="form is"):
        permutation_tree([1], "wide")
    with pytest.raises(ValueError, match="method is"):
        permutation_tree([1], method="magic")


def test_the_papers_example_step_by_step():
    """Figures 6 and 7: what is sorted at each level, and each scan of the last merge."""
    events = []
    permutation = [7, 1, 4, 6, 3, 5, 8, 2]
    as_printed(
        [value - 1 for value in permutation],
        lambda event, *state: events.append((event, *(number + 1 for number in state))),
    )
    levels = [state for event, *state in events if event == "sorted"]
    assert levels == [
        [1, 2, 3, 4, 5, 6, 7, 8],  # 6a
        [2, 1, 3, 4, 5, 6, 8, 7],  # 6b: 8 stands before 2 and they are exchanged
        [2, 3, 4, 1, 8, 5, 6, 7],  # 6c
        [2, 8, 5, 3, 6, 4, 1, 7],  # where 1, 2, ... 8 stand
    ]
    places = [place for place, event in enumerate(events) if event[0] == "sorted"]
    assert not [event for event in events[: places[2]] if event[0] == "reduce"]
    assert events[places[2] + 1 : places[3]] == [
        ("begin", 4, 5),  # adjacent to the split point
        ("horizontal", 3, 6),
        ("vertical", 3, 6),  # left and right must be extended
        ("horizontal", 3, 6),
        ("vertical", 3, 6),
        ("reduce", 3, 6, 3, 6),  # the permutation of size four
        ("begin", 2, 3),  # adjacent to the left edge of the reduction
        ("horizontal", 1, 6),
        ("vertical", 2, 8),  # right must be extended
        ("horizontal", 1, 8),  # top must be extended
        ("vertical", 1, 8),  # left must be extended
        ("horizontal", 1, 8),
        ("vertical", 1, 8),
        ("begin", 6, 7),  # the rival beyond the right edge finds the same
        ("horizontal", 3, 8),
        ("vertical", 1, 7),
        ("horizontal", 1, 8),
        ("vertical", 1, 8),
        ("horizontal", 1, 8),
        ("vertical", 1, 8),
        ("reduce", 1, 8, 1, 8),  # the permutation of size five
    ]
    tree = permutation_tree(permutation, method="sorting")
    assert [(node["begin"], node["end"], len(node["children"])) for node in tree.nodes()] == [
        (2, 6, 4),
        (0, 8, 5),
    ]
