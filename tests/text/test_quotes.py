"""Quotation marks go in pairs of one kind."""

from __future__ import annotations

import pytest

from dragoman.text.quotes import with_matching_quotes


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('« a " b', "« a » b"),
        ('" a » b', "« a » b"),
        ('« a " et " b "', '« a » et " b "'),
        ("“ a « b » c ”", "“ a « b » c ”"),
        ("„ a “ und „ b ”", "„ a “ und „ b ”"),
        ("» a «", "» a «"),
        ('" a " b "', '" a " b "'),
        ("« a", "« a"),
        ("” a ”", "” a ”"),
        ("a b", "a b"),
    ],
)
def test_pairs(words: str, expected: str) -> None:
    assert " ".join(with_matching_quotes(words.split())) == expected
