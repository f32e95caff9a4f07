"""Markup and terminology: what they demand of a line, and what is refused."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import terms as slow_terms

from dragoman._core import GivenTranslation
from dragoman.errors import InputError
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm
from dragoman.text.protect import HeldPieces
from dragoman.translation.demands import MarkedLine, parse_markup
from dragoman.translation.terms import Terms
from dragoman.unknown.forms import NO_FORMS, Forms

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
        ('<t term="x" prob="0">a</t>', "between 0 and 1"),
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


def terms_of(*sources, forms=NO_FORMS):
    return Terms.of([(source, source.upper(), None) for source in sources], TOKENS, forms)


def spans(terms, **line):
    marked = MarkedLine(**line)
    before = len(marked.given)
    terms.apply(marked)
    return [(given.begin, given.end) for given in marked.given[before:]]


@pytest.mark.parametrize(
    ("terms", "tokens", "line", "expected"),
    [
        # Against each other: the left one first, and of those the longest.
        (("a b", "b c"), "a b c", {}, [(0, 2)]),
        (("a b", "b c", "c"), "a b c", {}, [(0, 2), (2, 3)]),
        (("a", "a b c", "b"), "a b c", {}, [(0, 3)]),
        (("a b", "b"), "b a b b", {}, [(0, 1), (1, 3), (3, 4)]),
        (("a a",), "a a a", {}, [(0, 2)]),
        # Against walls: a wall inside refuses it, at its edges not.
        (("a b",), "a b", {"walls": [1]}, []),
        (("a b",), "a b", {"walls": [0, 2]}, [(0, 2)]),
        (("a b", "b"), "a b", {"walls": [1]}, [(1, 2)]),
        (("a b c", "a b"), "a b c", {"walls": [2]}, [(0, 2)]),
        # Against zones: inside, around or apart, but not half and half.
        (("b c",), "a b c d", {"zones": [(0, 3)]}, [(1, 3)]),
        (("b c",), "a b c d", {"zones": [(1, 2)]}, [(1, 3)]),
        (("b c",), "a b c d", {"zones": [(1, 3)]}, [(1, 3)]),
        (("b c",), "a b c d", {"zones": [(0, 2)]}, []),
        (("b c",), "a b c d", {"zones": [(2, 4)]}, []),
        (("b c",), "a b c d", {"zones": [(0, 1), (3, 4)]}, [(1, 3)]),
        # Against what the line says itself; its suggestions leave room.
        (("a b",), "a b", {"given": [(1, 2, "x")]}, []),
        (("a b",), "a b c", {"given": [(2, 3, "x")]}, [(0, 2)]),
        (("a b",), "a b", {"given": [(1, 2, "x", -1.0, False)]}, [(0, 2)]),
    ],
)
def test_term_conflicts_by_hand(terms, tokens, line, expected):
    line = {name: list(value) for name, value in line.items()}
    line["given"] = [GivenTranslation(*one) for one in line.get("given", ())]
    assert spans(terms_of(*terms), tokens=tokens.split(), **line) == expected


SPAN = st.tuples(st.integers(0, 6), st.integers(1, 3))


@given(
    st.lists(st.sampled_from("ab"), max_size=8),
    st.sets(st.lists(st.sampled_from("ab"), min_size=1, max_size=3).map(" ".join), max_size=5),
    st.lists(SPAN, max_size=2),
    st.lists(st.integers(0, 8), max_size=2),
    st.lists(SPAN, max_size=2),
)
@settings(deadline=None, max_examples=100)
def test_terms_are_applied_as_the_slow_ones(tokens, sources, given, walls, zones):
    inside = [(b, b + n) for b, n in given if b + n <= len(tokens)]
    zones = [(b, b + n) for b, n in zones if b + n <= len(tokens)]
    taken = {place for b, e in inside for place in range(b, e)}
    found = spans(
        terms_of(*sources),
        tokens=list(tokens),
        given=[GivenTranslation(b, e, "x") for b, e in inside],
        walls=list(walls),
        zones=zones,
    )
    keys = {tuple(source.split()) for source in sources}
    assert found == slow_terms.applied(tokens, keys, taken, walls, zones)


FORMS = Forms(
    {"": ["s"], "s": [""], "y": ["ies"], "ies": ["y"]}, 3, frozenset({frozenset(("new", "news"))})
)


@pytest.mark.parametrize(
    ("terms", "tokens", "expected"),
    [
        (("car",), "two cars .", [(1, 2, "CAR")]),
        (("cars",), "a car , Cars", [(1, 2, "CARS"), (3, 4, "CARS")]),
        (("party",), "the parties party", [(1, 2, "PARTY"), (2, 3, "PARTY")]),
        # A form that has an entry of its own, and one that means something else.
        (("car", "cars"), "cars car", [(0, 1, "CARS"), (1, 2, "CAR")]),
        (("new",), "news new", [(1, 2, "NEW")]),
        (("as", "a"), "as a", [(0, 1, "AS"), (1, 2, "A")]),  # a stem of fewer letters is none
        # Of several words each may be another form; as many as possible are as they are.
        (("bus stop",), "buss stops bus stops", [(0, 2, "BUS STOP"), (2, 4, "BUS STOP")]),
        (
            ("bus stops", "buss stop"),
            "buss stop , bus stop",
            [(0, 2, "BUSS STOP"), (3, 5, "BUS STOPS")],
        ),
        # The longest one counts, whatever its forms; capitals are those of the entry.
        (("red car", "red"), "red cars", [(0, 2, "RED CAR")]),
        (("Bahn",), "der Bahns bahns", [(1, 2, "BAHN"), (2, 3, "BAHN")]),
    ],
)
def test_forms_of_terms_by_hand(terms, tokens, expected):
    marked = MarkedLine(tokens.split())
    terms_of(*terms, forms=FORMS).apply(marked)
    assert [(one.begin, one.end, one.target) for one in marked.given] == expected


def test_capitals_of_forms():
    terms = Terms.of([("car", "wagen", None), ("Haus", "home", None)], TOKENS, FORMS)
    marked = MarkedLine(["Cars", "the", "CARS", "a", "Car", "Hauss", "hauss"])
    terms.apply(marked)
    assert [one.target for one in marked.given] == ["wagen", "WAGEN", "Wagen", "home", "home"]


def test_probabilities_of_terms():
    terms = Terms.of([("a", "A", 1.0), ("a", "B", 0.25), ("b", "C", None)], TOKENS)
    marked = MarkedLine(["a", "b"])
    terms.apply(marked)
    assert marked.given == [
        GivenTranslation(0, 1, "A", 0.0, False),
        GivenTranslation(0, 1, "B", math.log(0.25), False),
        GivenTranslation(1, 2, "C", 0.0, True),
    ]
    for bad in (0.0, 1.01, -0.5, float("nan")):
        with pytest.raises(InputError, match="between 0 and 1"):
            Terms.of([("a", "A", bad)], TOKENS)
    assert Terms.of([], TOKENS).longest == 0
    assert Terms.of([("a b c", "x", None), ("a", "y", None)], TOKENS).longest == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("alone", "terms:1"),
        ("\tx", "empty"),
        ("a\tb\tc", "probability"),
        ("a\tb\t0", "probability"),
        ("a\tb\t1.5", "probability"),
        (b"a\xff\tb", "terms: not UTF-8"),
        ("a\tb\t0.5\tx", "expected"),
    ],
)
def test_bad_terms(write, line, message):
    with pytest.raises(InputError, match=message):
        Terms.read(write("terms", line), TOKENS)


def test_a_probability_of_one_is_one(write):
    assert parse('<t term="x" prob="1">a</t>').given == [GivenTranslation(0, 1, "x", 0.0, False)]
    terms = Terms.read(write("terms", "a\tb\t1\n"), TOKENS)
    assert terms.entries == {("a",): (("b", 1.0),)}


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
