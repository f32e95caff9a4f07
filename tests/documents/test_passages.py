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


def test_where_tags_of_html_end():
    upper = {
        "<!--> a --> b": "<!--> a --> B",
        "<!-- a": "<!-- a",
        "<script>a < b</script >c": "<script>a < b</script >C",
        "<PRE>a</pre>b": "<PRE>a</pre>B",
        "<textarea/>a</textarea>b": "<textarea/>A</textarea>B",
        "a<br>b<hr/>c": "A<br>B<hr/>C",
        "x <code>a b</code> y": "X <code>a b</code> Y",
        "1 < a <": "1 &lt; A &lt;",
        "<p title='a>b'>c": "<p title='a>b'>C",
        "</svg>a": "</svg>A",
        "<pre>a": "<pre>a",
    }
    for text, expected in upper.items():
        assert through(html_passage(text).cut(), str.upper) == expected


def test_character_data_of_xml_is_text_and_written_as_such():
    content = "a <![CDATA[<b> & c]]> d<![CDATA[]]> &lt;e"
    assert through(inline_passage(content).cut(), str.upper) == "A &lt;b&gt; &amp; C D &lt;E"


def test_codes_of_xml_are_kept_with_what_they_hold():
    for content in (
        'a<bpt i="1">{x</bpt>b<ept i="1">x}</ept>',
        "a<ph/>b",
        "a<!-- b -->c",
        "a<?b c?>d",
        "a<x:ph id='>'>b</x:ph>c",
        "a<phrase>b</phrase>c",
    ):
        assert through(inline_passage(content).cut()) == content
    assert through(inline_passage("a<ph>b</ph>c").cut(), str.upper) == "A<ph>b</ph>C"
    assert through(inline_passage("a<phrase>b</phrase>").cut(), str.upper) == "A<phrase>B</phrase>"
    assert through(inline_passage("a<ph/>b<ph/>").cut(), str.upper) == "A<ph/>B<ph/>"
