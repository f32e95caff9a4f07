"""Symmetrisation against the published pseudo-code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.symmetrisation import grow_diag_final

from dragoman.alignment import Links, symmetrise
from dragoman.errors import InputError

METHODS = {
    "intersection": lambda f, b: f & b,
    "union": lambda f, b: f | b,
    "grow-diag": lambda f, b: grow_diag_final(f, b, None),
    "grow-diag-final": lambda f, b: grow_diag_final(f, b, "or"),
    "grow-diag-final-and": lambda f, b: grow_diag_final(f, b, "and"),
    "forward": lambda f, b: f,
    "backward": lambda f, b: b,
}

link_sets = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20)


def one(links):
    return {tuple(map(int, link)) for link in links[0]}


@pytest.mark.parametrize("method", METHODS)
@given(forward=link_sets, backward=link_sets)
def test_methods_follow_their_definition(method, forward, backward):
    found = symmetrise(Links.of([forward]), Links.of([backward]), method)
    assert one(found) == METHODS[method](forward, backward)
    assert [tuple(link) for link in found[0]] == sorted(one(found))


# Forward, backward, method, result: small cases worked out by hand.
TABLE = [
    ("0-0 1-1", "0-0 1-1", "grow-diag-final-and", "0-0 1-1"),
    ("", "", "grow-diag-final-and", ""),
    ("0-0", "", "grow-diag", ""),
    ("0-0", "", "grow-diag-final", "0-0"),
    ("0-0", "", "grow-diag-final-and", "0-0"),
    # A neighbour joins when one of its words is free ...
    ("0-0 0-1", "0-0", "grow-diag", "0-0 0-1"),
    # ... and not when it is no neighbour.
    ("0-0 0-2", "0-0", "grow-diag", "0-0"),
    ("0-0 0-2", "0-0", "grow-diag-final", "0-0 0-2"),
    ("0-0 0-2", "0-0", "grow-diag-final-and", "0-0"),
    # The straight neighbour joins before the diagonal one, whose words are then taken.
    ("0-0 1-0 1-1", "0-0 0-1", "grow-diag", "0-0 0-1 1-0"),
]


@pytest.mark.parametrize(("forward", "backward", "method", "result"), TABLE)
def test_small_cases(forward, backward, method, result):
    found = symmetrise(Links.parse([forward]), Links.parse([backward]), method)
    assert found.to_text() == result + "\n"


def test_unequal_numbers_of_pairs_are_refused():
    with pytest.raises(InputError, match="1 and 2"):
        symmetrise(Links.of([[]]), Links.of([[], []]))


def test_unknown_methods_are_refused_with_the_known_ones():
    with pytest.raises(InputError, match="grow-diag-final-and"):
        symmetrise(Links.of([[]]), Links.of([[]]), "gdfa")
