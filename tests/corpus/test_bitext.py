"""Sentence pairs as numbers in a file, and back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.corpus.bitext import Bitext, write_bitext

WORD = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=5)
LINE = st.lists(WORD, max_size=8).map(" ".join)


@given(st.lists(st.tuples(LINE, LINE), max_size=30))
@settings(max_examples=50)
def test_a_bitext_gives_back_its_text(tmp_path_factory, pairs):
    # Tokens are separated by ASCII white space only; the others are ordinary characters here.
    place = tmp_path_factory.mktemp("bitext")
    paths = place / "b", place / "s", place / "t"
    assert write_bitext(pairs, *paths) == len(pairs)
    bitext = Bitext.open(*paths)
    assert len(bitext) == len(pairs)
    read = [(bitext.source_text(i), bitext.target_text(i)) for i in range(len(bitext))]
    assert read == pairs
    with pytest.raises(IndexError):
        bitext.source_text(len(pairs))
