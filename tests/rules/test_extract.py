"""Native extraction against the definitions, on random alignments and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import phrases as reference

from dragoman._core import extract_phrases
from dragoman.errors import InputError

KINDS = list(reference.KINDS)


def link_array(links):
    return np.array(sorted(links), dtype=np.uint16).reshape(-1, 2)


def native(source_length, target_length, links, longest):
    rows = extract_phrases(source_length, target_length, link_array(links), longest, KINDS)
    result = {}
    for row in rows.tolist():
        key = ((row[0], row[1]), (row[2], row[3]))
        assert key not in result
        result[key] = {
            (kind, direction): row[4 + 2 * number + direction]
            for number, kind in enumerate(KINDS)
            for direction in (reference.BACKWARD, reference.FORWARD)
        }
    return result


@st.composite
def alignments(draw, longest=9):
    source = draw(st.integers(1, longest))
    target = draw(st.integers(1, longest))
    links = draw(
        st.sets(st.tuples(st.integers(0, source - 1), st.integers(0, target - 1)), max_size=14)
    )
    return source, target, links


@st.composite
def permutations_with_gaps(draw):
    """One-to-one links in any order, as few words unaligned as asked: many blocks, of which
    some cannot be built by joining two."""
    length = draw(st.integers(1, 9))
    order = draw(st.permutations(range(length)))
    keep = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    return length, length, {(i, j) for i, (j, k) in enumerate(zip(order, keep, strict=True)) if k}


@settings(deadline=None)
@given(alignments(), st.integers(1, 9))
def test_the_reference_is_the_definition(alignment, longest):
    quick = reference.blocks(*alignment, longest)
    assert quick == reference.blocks_by_definition(*alignment, longest)


@settings(deadline=None, max_examples=400)
@given(alignments() | permutations_with_gaps(), st.integers(1, 9))
def test_random_alignments_agree_with_the_definitions(alignment, longest):
    assert native(*alignment, longest) == reference.orientations(*alignment, longest)


def test_a_swap_by_hand():
    # maria dio una bofetada | mary slapped: "dio una bofetada" belongs to one word.
    links = {(0, 0), (1, 1), (2, 1), (3, 1)}
    found = native(4, 2, links, 7)
    assert set(found) == {((0, 1), (0, 1)), ((1, 4), (1, 2)), ((0, 4), (0, 2))}
    # la casa verde | the green house
    found = native(3, 3, {(0, 0), (1, 2), (2, 1)}, 7)
    green = found[(2, 3), (1, 2)]
    house = found[(1, 2), (2, 3)]
    assert green["word", reference.BACKWARD] == reference.DISCONTINUOUS
    assert green["phrase", reference.FORWARD] == reference.SWAP
    assert house["phrase", reference.BACKWARD] == reference.SWAP
    assert house["phrase", reference.FORWARD] == reference.DISCONTINUOUS
    assert found[(0, 1), (0, 1)]["hierarchical", reference.FORWARD] == reference.MONOTONE
    assert found[(0, 1), (0, 1)]["phrase", reference.BACKWARD] == reference.MONOTONE


def test_a_block_that_two_cannot_make():
    # 2 4 1 3 and then one more: only the whole four are a block.
    links = {(1, 0), (3, 1), (0, 2), (2, 3), (4, 4)}
    found = native(5, 5, links, 2)
    last = found[(4, 5), (4, 5)]
    assert last["word", reference.BACKWARD] == reference.DISCONTINUOUS
    assert last["phrase", reference.BACKWARD] == reference.DISCONTINUOUS
    assert last["hierarchical", reference.BACKWARD] == reference.MONOTONE


def test_words_without_links_extend_a_phrase_on_both_sides():
    found = native(3, 3, {(1, 1)}, 7)
    assert set(found) == {
        ((i, j), (k, m)) for i in (0, 1) for j in (2, 3) for k in (0, 1) for m in (2, 3)
    }


def test_no_links_no_phrases():
    assert native(5, 4, set(), 7) == {}
    assert native(0, 0, set(), 7) == {}


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([(3, 0)], "the link 3-0 points outside the sentence pair of 3 and 2 words"),
        ([(0, 2)], "the link 0-2 points outside"),
        ([(1, 0), (0, 0)], "0-0 after 1-0 is out of order"),
        ([(0, 0), (0, 0)], "given twice"),
    ],
)
def test_bad_links(links, message):
    with pytest.raises(InputError, match=message):
        extract_phrases(3, 2, np.array(links, dtype=np.uint16), 7, [])


def test_bad_options():
    none = np.zeros((0, 2), dtype=np.uint16)
    with pytest.raises(InputError, match="1 to 255, not 0"):
        extract_phrases(1, 1, none, 0, [])
    with pytest.raises(InputError, match="unknown reordering model 'mslr'; there are word"):
        extract_phrases(1, 1, none, 7, ["mslr"])
