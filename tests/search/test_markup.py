import math

import pytest

from dragoman._core import GivenTranslation
from dragoman.errors import InputError
from dragoman.translation.demands import MarkedLine, Terms, parse


def same(text):
    return " ".join(text.split())


def test_everything_at_once():
    marked = parse(
        'a <t term="X Y">b c</t> <zone>d e</zone> <wall/> <b>f</b> <t term="Z" prob="0.5">g</t> '
        "&lt;h&gt;",
        same,
    )
    assert marked.text.split()[:5] == ["a", "b", "c", "d", "e"]
    assert marked.tokens[-1] == "<h>"
    assert marked.zones == [(3, 5)]
    assert marked.walls == [5, 5, 6, 7, 8]  # the wall itself, then around each tag
    assert GivenTranslation(1, 3, "X Y") in marked.given
    assert GivenTranslation(8, 9, "Z", math.log(0.5), False) in marked.given
    assert marked.tags == ["<b>", "</b>"]
    assert marked.restore_tags(" ".join(marked.tokens[5:8])) == "<b> f </b>"


def test_plain_text_has_no_demands():
    marked = parse("just some words", same)
    assert marked.demands is None
    assert marked.text == "just some words"


def test_terms_are_tokenised_as_the_target():
    marked = parse("<t term='X,Y'>b</t>", same, lambda text: text.replace(",", " , "))
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
        parse(line, same)


def test_terms_longest_first_and_never_against_the_line():
    terms = Terms.parse(["# comment", "", "a b\tAB", "a\tA", "c\tC1", "c\tC2\t0.5"], same, same)
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
def test_bad_terms(line, message):
    with pytest.raises(InputError, match=message):
        Terms.parse([line], same, same)
