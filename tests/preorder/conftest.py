"""Small trees for tests of preordering."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import strategies as st

PHRASEBOOK = Path(__file__).resolve().parents[2] / "examples" / "phrasebook"


@pytest.fixture
def phrasebook():
    return lambda name: PHRASEBOOK / name


@st.composite
def small_trees(draw, most=7):
    """A binary tree over up to `most` words."""
    parts = [
        (draw(st.sampled_from("NVAP")), draw(st.sampled_from(["a", "b", "c", "d"])))
        for _ in range(draw(st.integers(1, most)))
    ]
    while len(parts) > 1:
        place = draw(st.integers(0, len(parts) - 2))
        parts[place : place + 2] = [
            (draw(st.sampled_from(["S", "NP"])), *parts[place : place + 2])
        ]
    return parts[0]


@st.composite
def aligned_trees(draw, most=7):
    """A tree and links of its words: some have none, some several."""
    from tests.reference.preordering import leaves

    tree = draw(small_trees(most))
    words = len(leaves(tree))
    links = draw(
        st.sets(st.tuples(st.integers(0, words - 1), st.integers(0, 6)), max_size=2 * words)
    )
    return tree, sorted(links)
