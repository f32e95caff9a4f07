"""Pieces that are no words: held, and put back with the white space they had."""

import pytest

from dragoman.text.protect import HeldPieces, without_codes


def held(text, escape=str):
    pieces = HeldPieces(escape)
    kept = pieces.hold(text)
    pieces.note_spaces(kept)
    return pieces, kept


@pytest.mark.parametrize(
    "piece",
    [
        *("%s", "%1$s", "%(name)s", "%-5.2f", "%L1", "{0}", "${HOME}", "$HOME", "&amp;"),
        *("https://a.example/b?c=d", "me@b.example", "<b>", "</b>", "<br/>", '<a href="x">'),
    ],
)
def test_what_is_held(piece):
    pieces, kept = held(f"take {piece} now")
    assert len(kept) == len("take  now") + 1
    assert pieces.spelt(kept) == pieces.restore(kept) == f"take {piece} now"
    assert pieces.restore(kept.upper()) == f"TAKE {piece} NOW"


@pytest.mark.parametrize("text", ["100% sure", "a < b > c", "3 & 4", "$5", "a@b", "{ }"])
def test_what_is_not(text):
    pieces, kept = held(text)
    assert kept == text
    assert not pieces


def test_text_is_escaped_and_pieces_only_once():
    pieces, kept = held("a & %s <b>", lambda text: text.replace("&", "&amp;"))
    assert pieces.restore(kept) == pieces.spelt(kept) == "a &amp; %s <b>"


def test_characters_that_stand_for_nothing():
    pieces, kept = held("a %s")
    assert without_codes("a\U000f0000b") == "ab"
    assert pieces.find("\U000f0007") is None
    assert pieces.restore(f"x \U000f0007 y {kept}") == "x \U000f0007 y a %s"
    assert pieces.spelt("\U000f0007") == "\U000f0007"
