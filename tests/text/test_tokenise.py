"""Cutting text loses nothing, and cuts where it should."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.errors import InputError
from dragoman.text.marked import detokenise, tokenise
from dragoman.text.normalise import normalise
from dragoman.text.protect import PLAIN_PROTECTION
from dragoman.text.tokenise import Cut, TokeniserName, make_tokeniser

# Scripts, symbols, spaces, combining marks; anything else that Unicode has.
PIECES = st.one_of(
    st.sampled_from(
        ["the", "l'eau", "don't", "e.g.", "U.S.", "1,000.50", "10:30", "t-shirt", "–", "…", "...",
         "«", "»", "\u00a0", "\u202f", " ", "  ", "\t", "\"", "'", "’", "¿", "?", "東京タワー",
         "ภาษาไทย", "ру́сский", "हिन्दी", "می\u200cخواهم", "e\u0301", "\u0301", "👩\u200d👩\u200d👧",
         "%s", "&", "_", "￭", "▁", "@-@", "⟨url⟩", "-", "--", "\U000f0000"]
    ),
    st.text(max_size=4),
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=20).map("".join)


@pytest.mark.parametrize("name", ["words", "char"])
@given(text=TEXTS)
@example(text="a\u00a0b")
@example(text="\ud800 lone")
def test_nothing_is_lost(name: TokeniserName, text: str) -> None:
    for language in ("en", "fr", "de"):
        line = normalise(text)
        tokeniser = make_tokeniser(name, language)
        cut = tokeniser.cut(line)
        if tokeniser.join is None:
            assert cut.text == line
        else:
            assert tokeniser.join(cut.tokens) == line
        assert " ".join(cut.tokens).split() == cut.tokens
        assert len(cut.gaps) == len(cut.tokens) + 1


@pytest.mark.parametrize("name", ["words", "char"])
@given(text=TEXTS)
@example(text="  a\u00a0 b\r")
@example(text="￭￭ ␣␣ ␣0020 ￭a")
def test_marked_tokens_are_the_text_again(name: TokeniserName, text: str) -> None:
    line = unicodedata.normalize("NFC", text)
    if any("\ud800" <= character <= "\udfff" for character in text):
        with pytest.raises(InputError, match="half a character"):
            tokenise(text, "fr", tokeniser=name, marked=True)
        return
    marked = " ".join(tokenise(text, "fr", tokeniser=name, marked=True))
    assert detokenise(marked.split(" ") if marked else []) == line


@given(text=TEXTS)
def test_normal_text_is_normal(text: str) -> None:
    line = normalise(text)
    assert normalise(line) == line
    assert "  " not in line
    assert line == line.strip()
    line.encode()


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("en", "Don't use John's, e.g. in the U.S.", "Don 't use John 's , e.g. in the U.S."),
        ("fr", "L'eau d'aujourd'hui", "L' eau d' aujourd' hui"),
        ("de", "Wie geht's?", "Wie geht's ?"),
        ("ay", "t'ant'a", "t'ant'a"),
        ("en", "At 10:30, 1,000.5 or 3-5%...", "At 10:30 , 1,000.5 or 3 - 5 % ..."),
        ("en", "a well-known OpenOffice.org", "a well - known OpenOffice.org"),
        ("en", "“Curly” (and/or) AT&T", "“ Curly ” ( and / or ) AT & T"),
        ("es", "¿Qué?", "¿ Qué ?"),
        ("en", "東京タワー is high。", "東京タワー is high 。"),
        ("fa", "می\u200cخواهم.", "می\u200cخواهم ."),
        ("fr", "« Oui\u00a0! »", "« Oui ! »"),
        ("en", "a\U000f0000\U000f0001\u0301b", "a \U000f0000 \U000f0001 \u0301b"),
    ],
)
def test_words(language: str, text: str, tokens: str) -> None:
    assert make_tokeniser("words", language).cut(text).tokens == tokens.split(" ")


@pytest.mark.parametrize(
    ("tokens", "gaps", "expected"),
    [
        (["a", "-", "b"], ["", "", "", ""], "a @-@ b"),
        (["a", "-", "b", "-", "c"], [""] * 6, "a @-@ b @-@ c"),
        (["a", "-", "b"], ["", " ", "", ""], "a - b"),  # a dash
        (["a", "-", "b"], ["", "", " ", ""], "a - b"),
        (["-", "b"], [""] * 3, "- b"),
        (["a", "-"], [""] * 3, "a -"),
        ([".", "-", "b"], [""] * 4, ". - b"),
        (["a", "-", "."], [""] * 4, "a - ."),
        (["1.", "-", "b", "C"], [""] * 5, "1. - b D"),  # what stands beside it, not what begins
        (["x", "C"], [""] * 3, "x D"),
    ],
)
def test_hyphens_inside_words_are_no_dashes(
    tokens: list[str], gaps: list[str], expected: str
) -> None:
    cut = Cut(tokens, gaps)
    assert cut.for_model({"C": "D"}) == Cut(expected.split(), gaps)


def test_spaces_of_every_kind_are_kept_apart() -> None:
    cut = make_tokeniser("words", "fr").cut("Oui\u00a0! Non\u202f?")
    assert cut.gaps == ["", "\u00a0", " ", "\u202f", ""]


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("  a\tb \r\n", "a b"),
        ("a \u00a0b", "a\u00a0b"),
        ("e\u0301\u200b\ufeff", "é"),
        ("a\x00b\x1f", "ab"),
        ("a\u2028b\u3000c", "a b c"),
    ],
)
def test_normalise(raw: str, normal: str) -> None:
    assert normalise(raw) == normal


MILLION = 1_000_000
LONG = [
    "a",
    "1.",
    "%",
    "a_",
    "<a ",
    "{",
    "{a,plural,{",
    "a.b@",
    "/a",
    "http://",
    "e\u0301",
    "東",
    "<b>",
]


@pytest.mark.slow
@pytest.mark.parametrize("piece", LONG)
def test_lines_of_a_million_characters(piece: str) -> None:
    text = piece * (MILLION // len(piece))
    line = unicodedata.normalize("NFC", text)
    begun = time.process_time()
    list(PLAIN_PROTECTION.find(text))
    assert detokenise(tokenise(text, "en", marked=True)) == line
    assert time.process_time() - begun < 30  # seconds; what explodes takes years
