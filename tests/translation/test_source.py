"""Text cut into sentences and put together again, and what is held meanwhile."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.translation.through import restored, through

from dragoman.documents.inline import inline_passage
from dragoman.text.accelerators import Accelerator
from dragoman.text.form import TextForm
from dragoman.text.protect import PLAIN_PROTECTION, Protection
from dragoman.translation.demands import mark_line
from dragoman.translation.source import Source, text_passage

PLACEHOLDERS = [
    "Hello %s, you have %(count)d new <b>messages</b>!",
    "{name}: %1$s of {0} (50%)\nSee https://a.example/x?y=1, or a.b@c.example.",
    "<a href='x'>One</a> &amp; ${TWO}",
]
PIECES = ("%s", "%(count)d", "<b>", "{name}", "%1$s", "a.b@c.example", "${TWO}")


def test_white_space_and_lines_stay():
    text = "  One line.  Two of them.\r\n\n\t- \nlast "
    passage = text_passage(text).cut()
    assert through(passage) == text
    assert [one.text for one in passage.sentences] == ["One line.", "Two of them.", "last"]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ('<x id="1"/> Go on.<x id="2"/>', ["Go on."]),  # stand alone
        ("<b>Go <i>on</i>.</b>", ["Go {}on{}."]),  # enclose all, or some of it
        ("<b>Go</b> on.", ["{}Go{} on."]),
        ("<b>Go on. Stop.</b> <a></a>Wait!", ["Go on.", "Stop.", "Wait!"]),
        ("<b><x/>Go</b> on.<b></b>", ["{}{}Go{} on."]),
        ("Press &lt;br/&gt;", ["Press {}"]),  # text, though it looks like a tag
    ],
)
def test_tags_at_the_ends_of_a_sentence_stay_there(content, texts):
    passage = inline_passage(content).cut()
    codes = re.compile("[\U000f0000-\U000ffffd]")
    assert [codes.sub("{}", one.text) for one in passage.sentences] == texts
    assert through(passage) == content


def test_lines_may_stay_whole():
    passage = text_passage("One. Two.\nThree.").cut(whole_lines=True)
    assert [one.text for one in passage.sentences] == ["One. Two.", "Three."]


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_placeholders_stay(text):
    assert through(text_passage(text).cut()) == text
    shouted = through(text_passage(text).cut(), str.upper)
    for piece in PIECES:
        assert (piece in text) == (piece in shouted)


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_a_line_holds_what_a_passage_holds(text):
    line = text.replace("\n", " ")
    source = Source.of_line(line, PLAIN_PROTECTION)
    assert source.spelt == line
    shouted = restored(source, source.text.upper())
    for piece in PIECES:
        assert (piece in line) == (piece in shouted)
    loose = Source.of_line(line)
    assert (loose.text, loose.spelt, bool(loose.held)) == (line, line, False)


def test_a_placeholder_that_moves_gets_its_spaces():
    source = Source.of_line("%s's house (%d)", PLAIN_PROTECTION)
    first, second = (chr(0xF0000 + n) for n in range(2))
    assert restored(source, f"maison de {first} ( {second} )") == "maison de %s (%d)"
    assert restored(source, f"{first} maison") == "%s maison"
    assert restored(Source.of_line("a %s", PLAIN_PROTECTION), f"l' {first}") == "l'%s"


def test_percent_is_no_placeholder_before_a_word():
    assert not Source.of_line("100% sure", PLAIN_PROTECTION).held


def test_what_is_held_is_its_own_translation():
    source = Source.of_line("see %s <b>now</b>", PLAIN_PROTECTION)
    line = mark_line(source.text, source.held, TextForm.tokenised())
    assert [(given.begin, given.end) for given in line.given] == [(1, 2), (2, 3), (4, 5)]
    assert line.walls == [2, 3, 4, 5]  # around tags; a placeholder may move


@pytest.mark.parametrize(
    ("line", "inside", "text", "accelerator"),
    [
        # The names of code are held, so their words do not count.
        ("all_of ~all", "", "\U000f0000 all", Accelerator("~", "a", "all", 0, 7, 0)),
        ("all all_of ~all", "", "all \U000f0000 all", Accelerator("~", "a", "all", 0, 11, 1)),
        ("a::b b &b b", "", "\U000f0000 b b b", Accelerator("&", "b", "b", 0, 7, 1)),
        # What would be held is one word with its mark.
        ("Othe_r", "_", "Other", Accelerator("_", "r", "Other", 4, 4, 0)),
        # A name of code behind a mark or before one is held, and the mark is a character.
        ("~snake_case", "", "~\U000f0000", None),
        ("~a::b", "_~&", "~\U000f0000", None),
        ("a::b&c", "&", "\U000f0000&c", None),
    ],
)
def test_an_accelerator_beside_names_of_code(line, inside, text, accelerator):
    source = Source.of_line(line, Protection(marks=inside))
    assert (source.text, source.accelerator) == (text, accelerator)
    assert source.spelt == line


@given(
    st.lists(st.sampled_from([*"_~&abAé1*. ", "::", "()", "<b>", "%s", "a_b", "all"])),
    st.sampled_from(["", "_", "~&", "_~&"]),
)
def test_every_line_is_spelt_as_it_was_written(pieces, inside):
    line = "".join(pieces)
    assert Source.of_line(line, Protection(marks=inside)).spelt == line.strip()
    passage = text_passage(line).cut(protection=Protection(marks=inside))
    assert passage.assemble([one.spelt for one in passage.sentences]) == line
