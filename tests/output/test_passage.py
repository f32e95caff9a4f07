"""Text cut into sentences and put together again."""

import pytest
from dragoman.documents.passage import inline_passage, message_passage, text_passage
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.documents.html import html_passage
from dragoman.text.form import TextForm
from dragoman.text.sentences import split_sentences

FORM = TextForm.tokenised()


def through(passage, change=str):
    """As if every sentence were translated by `change`."""
    finished = []
    for text in passage.texts():
        line = passage.mark(text, FORM)
        assert all(given.begin + 1 == given.end for given in line.given)
        finished.append(passage.restore(change(line.text)))
    return passage.assemble(finished)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Mr. Smith met J. Bach. He left.", ["Mr. Smith met J. Bach.", "He left."]),
        ("It costs 3.50 now. See No. 5 there.", ["It costs 3.50 now.", "See No. 5 there."]),
        ('"Why?" She left. (So.) Then…', ['"Why?"', "She left.", "(So.)", "Then…"]),
        ("e.g. this one, etc. and so on.", ["e.g. this one, etc. and so on."]),
        ("駅はどこですか。ありがとう！", ["駅はどこですか。", "ありがとう！"]),
        ("Where is it ? Here .", ["Where is it ?", "Here ."]),
        ("no end", ["no end"]),
        ("", [""]),
    ],
)
def test_sentences(text, parts):
    found = split_sentences(text, "en")
    assert found[::2] == parts
    assert "".join(found) == text


def test_white_space_and_lines_stay():
    text = "  One line.  Two of them.\r\n\n\t- \nlast "
    assert through(text_passage(text)) == text
    assert text_passage(text).texts() == ["One line.", "Two of them.", "last"]


@pytest.mark.parametrize(
    "text",
    [
        "Hello %s, you have %(count)d new <b>messages</b>!",
        "{name}: %1$s of {0} (50%)\nSee https://a.example/x?y=1, or a.b@c.example.",
        "<a href='x'>One</a> &amp; ${TWO}",
    ],
)
def test_placeholders_stay(text):
    assert through(message_passage(text)) == text
    shouted = through(message_passage(text), str.upper)
    for piece in ("%s", "%(count)d", "<b>", "{name}", "%1$s", "a.b@c.example", "${TWO}"):
        assert (piece in text) == (piece in shouted)


def test_a_placeholder_that_moves_gets_its_spaces():
    passage = message_passage("%s's house (%d)")
    first, second = (chr(0xF0000 + n) for n in range(2))
    assert passage.restore(f"maison de {first} ( {second} )") == "maison de %s (%d)"
    assert passage.restore(f"{first} maison") == "%s maison"
    assert message_passage("a %s").restore(f"l' {first}") == "l'%s"


def test_percent_is_no_placeholder_before_a_word():
    assert message_passage("100% sure").codes == []


def test_html_blocks_and_inline_tags():
    passage = html_passage("<div><p>One <i>two</i>\n three.</p><br/>&lt;four&gt;<img src='x>y'>")
    assert [len(text.split()) for text in passage.texts()] == [3, 1]
    assert through(passage, str.upper) == (
        "<div><p>ONE <i>TWO</i> THREE.</p><br/>&lt;FOUR&gt;<img src='x>y'>"
    )


def test_inline_elements_of_xliff():
    content = 'Click <g id="1">here</g> now<ph id="2">&lt;br/></ph> &amp; <x id="3"/>%s'
    passage = inline_passage(content)
    assert through(passage) == content
    assert through(passage, str.upper) == (
        'CLICK <g id="1">HERE</g> NOW<ph id="2">&lt;br/></ph> &amp; <x id="3"/>%s'
    )


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab .!?\n\"'<>&;%s{}/p!-\U000f0001。")))
def test_anything_comes_through(text):
    for make in (text_passage, message_passage, html_passage):
        passage = make(text)
        through(passage)
        joined = passage.assemble([passage.restore(part) for part in passage.texts()])
        if make is text_passage:
            assert joined == text.replace("\U000f0001", "")


def test_long_nonsense_is_no_trouble():
    for text in ("<a'" * 20_000, "!" * 60_000, "<!--" * 20_000, "%(" * 30_000, "<script>" * 9000):
        for make in (text_passage, message_passage, html_passage):
            make(text)
