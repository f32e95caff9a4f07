"""Markup and terminology: what they demand of a line, and what is refused."""

import math

import pytest

from dragoman._core import GivenTranslation
from dragoman.errors import InputError
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm
from dragoman.text.protect import HeldPieces
from dragoman.translation.demands import MarkedLine, Terms, parse_markup

TOKENS = TextForm.tokenised()
RAW = TextForm(TextConfig("en", "fr", truecase="no"))


def parse(line, form=TOKENS):
    return parse_markup(line, HeldPieces(), form)


def test_everything_at_once():
    held = HeldPieces()
    marked = parse_markup(
        'a <t term="X Y">b c</t> <zone>d e</zone> <wall/> <b>f</b> <t term="Z" prob="0.5">g</t> '
        "&lt;h&gt;",
        held,
        TOKENS,
    )
    assert marked.text.split()[:5] == ["a", "b", "c", "d", "e"]
    assert marked.tokens[-1] == "<h>"
    assert marked.zones == [(3, 5)]
    assert sorted(marked.walls) == [5, 5, 6, 7, 8]  # the wall itself, and around each tag
    assert GivenTranslation(1, 3, "X Y") in marked.given
    assert GivenTranslation(8, 9, "Z", math.log(0.5), False) in marked.given
    codes = [marked.source.items.get(token, token) for token in marked.tokens]
    assert [held[codes[place]].text for place in (5, 7)] == ["<b>", "</b>"]
    assert held.spelt(held.spaced(" ".join(codes[5:9]))) == "<b>f</b> g"


def test_plain_text_has_no_demands():
    marked = parse("just some words")
    assert marked.demands is None
    assert marked.text == "just some words"


def test_terms_are_tokenised_as_the_target():
    marked = parse("<t term='X,Y'>b</t>", RAW)
    assert marked.given == [GivenTranslation(0, 1, "X , Y")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("<zone>a", "not closed"),
        ("a</zone>", "closes nothing"),
        ('<zone><t term="x">a</zone></t>', "crosses"),
        ("<zone></zone>", "no words"),
        ("<zone/>", "no words"),
        ("<wall>", "<wall/>"),
        ("<t>a</t>", "needs a term"),
        ('<t term="x" prob="2">a</t>', "between 0 and 1"),
        ('<t term="x" prob="many">a</t>', "between 0 and 1"),
        ('<t term="x" colour="red">a</t>', "colour"),
        ('<t term="x>a</t>', "cannot read"),
        ("a < b", "no markup"),
    ],
)
def test_broken_markup(line, message):
    with pytest.raises(InputError, match=message):
        parse(line)


def test_terms_longest_first_and_never_against_the_line(write):
    terms = Terms.read(write("terms", "# comment\n\na b\tAB\na\tA\nc\tC1\nc\tC2\t0.5\n"), TOKENS)
    marked = MarkedLine(["a", "b", "a", "c"])
    terms.apply(marked)
    assert marked.given == [
        GivenTranslation(0, 2, "AB"),
        GivenTranslation(2, 3, "A"),
        GivenTranslation(3, 4, "C1"),
        GivenTranslation(3, 4, "C2", math.log(0.5), False),
    ]
    taken = MarkedLine(["a", "b"], given=[GivenTranslation(0, 1, "mine")])
    terms.apply(taken)
    assert taken.given == [GivenTranslation(0, 1, "mine")]
    walled = MarkedLine(["a", "b"], walls=[1])
    terms.apply(walled)
    assert walled.given == [GivenTranslation(0, 1, "A")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("alone", "terms:1"),
        ("\tx", "empty"),
        ("a\tb\tc", "probability"),
        ("a\tb\t0.5\tx", "expected"),
    ],
)
def test_bad_terms(write, line, message):
    with pytest.raises(InputError, match=message):
        Terms.read(write("terms", line), TOKENS)


def test_placeholders_are_held_where_raw_text_comes():
    held = HeldPieces()
    marked = parse_markup("see <b>%s</b>, please", held, RAW)
    assert marked.tokens[-2:] == [",", "please"]
    assert marked.tokens[:2] == ["see", "⟨ph⟩"]
    assert held[marked.source.items["⟨ph⟩"]].text == "%s"
    (tag,) = marked.source.tags  # it goes where its word goes
    assert (tag.begin, tag.end, held[tag.opening].text) == (1, 2, "<b>")
    assert marked.walls == []


def test_private_characters_stand_for_nothing_of_the_user():
    for line in ("a \U000f0000 <b>c</b>", "a &#xF0007; <b>c</b>"):
        assert parse(line).text == parse("a <b>c</b>").text
