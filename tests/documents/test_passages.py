"""HTML, XML and plain text as passages: what is kept, and that nothing is lost."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.translation.through import restored, through

from dragoman.documents.html import html_passage
from dragoman.documents.inline import inline_passage
from dragoman.text.protect import PLAIN_PROTECTION
from dragoman.translation.source import text_passage


def test_html_blocks_and_inline_tags():
    text = "<div><p>One <i>two</i>\n three.</p><br/>four &lt; five<img src='x>y'>"
    passage = html_passage(text).cut()
    assert [len(one.text.split()) for one in passage.sentences] == [3, 3]
    assert through(passage, str.upper) == (
        "<div><p>ONE <i>TWO</i> THREE.</p><br/>FOUR &lt; FIVE<img src='x>y'>"
    )


def test_a_tag_that_html_shows_is_held_like_one_in_plain_text():
    shown = html_passage("<p>write &lt;em&gt; here</p>").cut()
    assert through(shown, str.upper) == "<p>WRITE &lt;em&gt; HERE</p>"
    assert through(text_passage("write <em> here").cut(), str.upper) == "WRITE <em> HERE"


def test_inline_elements_of_xliff():
    content = 'Click <g id="1">here</g> now<ph id="2">&lt;br/></ph> &amp; <x id="3"/>%s'
    assert through(inline_passage(content).cut()) == content
    assert through(inline_passage(content).cut(), str.upper) == (
        'CLICK <g id="1">HERE</g> NOW<ph id="2">&lt;br/></ph> &amp; <x id="3"/>%s'
    )


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab .!?\n\"'<>&;%s{}/p!-\U000f0001。")))
def test_anything_comes_through(text):
    for make in (text_passage, html_passage):
        through(make(text).cut())
        for protection in (PLAIN_PROTECTION, None):
            passage = make(text).cut(protection=protection)
            if make is text_passage:
                spelt = passage.assemble([one.spelt for one in passage.sentences])
                assert spelt == text.replace("\U000f0001", "")
            if make is text_passage and protection is None:
                plain = passage.assemble([restored(one, one.text) for one in passage.sentences])
                assert plain == text.replace("\U000f0001", "")


def test_long_nonsense_is_no_trouble():
    for text in ("<a'" * 20_000, "!" * 60_000, "<!--" * 20_000, "%(" * 30_000, "<script>" * 9000):
        for make in (text_passage, html_passage):
            make(text).cut()
