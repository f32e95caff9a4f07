"""Plain text and pages: what is no text stays byte by byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.made import LANGUAGES, echo, shout

from dragoman.documents.html import translate_html
from dragoman.documents.read import read_text
from dragoman.documents.text import translate_text
from dragoman.documents.wrapping import runs_on, wrapped
from dragoman.errors import FileError, InputError

WRAPPED = """  A title

This is a paragraph that somebody has wrapped at about
sixty characters, so that its lines end where the words
have no room any more. It has two sentences.

- first item of a list that is as long as all the others
- second item\t
12 — 13

One line.\tAnother line.
"""


def test_a_wrapped_paragraph_is_one_text(write):
    seen = []

    def listen(passages):
        seen.extend(one.text for passage in passages for one in passage.cut().sentences)
        return shout(passages)

    done = translate_text(write("a.txt", WRAPPED), LANGUAGES, listen, False)
    assert "so that its lines end where the words have no room any more." in seen[1]
    assert done.content.decode() == WRAPPED.upper()


def test_line_ends_and_encodings_stay(write):
    for content in (
        WRAPPED.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + WRAPPED.encode(),
        WRAPPED.rstrip().encode("utf-16"),
    ):
        path = write("a.txt", content)
        assert translate_text(path, LANGUAGES, echo, False).content == content
    with pytest.raises(InputError, match=r"a\.txt: not valid utf-8"):
        translate_text(write("a.txt", b"caf\xe9"), LANGUAGES, echo, False)
    with pytest.raises(InputError, match="NUL"):
        read_text(write("a.txt", b"a\0b"))
    with pytest.raises(FileError, match=r"nowhere\.txt"):
        read_text(write("a.txt", "").with_name("nowhere.txt"))


@given(st.text(st.sampled_from("ab .\n\r\t-1")))
def test_any_text_comes_back(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("text") / "a.txt"
    path.write_bytes(text.encode())
    content = translate_text(path, LANGUAGES, echo, False).content.decode()
    assert content.split() == text.split()
    lines = [line for line, _ in read_text(path).lines()]
    if not any(runs_on(lines)):
        assert content == text


def test_which_lines_run_on():
    full = "x" * 30 + " " + "y" * 29
    assert runs_on([full, "zz"]) == [True, False]
    assert runs_on([full, "- zz"]) == [False, False]
    assert runs_on(["short", full]) == [False, False]
    assert runs_on([full, full, "a b", "c"]) == [False] * 4  # "c" had room behind "a b"
    assert runs_on(["a" * 200, "b"]) == [False, False]
    assert runs_on([]) == []


def test_wrapping():
    assert wrapped("aa bb cc", 5) == ["aa bb", "cc"]
    assert wrapped("aaaaaaaa b", 3) == ["aaaaaaaa", "b"]
    assert wrapped("  ", 3) == []


PAGE = """<!DOCTYPE html>
<html lang="en-US">
<head>
  <meta charset="utf-8"><title>The station</title>
  <meta name="description" content="where &amp; how">
  <style>p { color: red }</style>
</head>
<body>
  <!-- a comment -->
  <p title='a "title"'>Where is\n   the <b>station</b>?</p>
  <p translate="no">Not <p>this</p> one</p><span class="x notranslate">nor</span>
  <img src="a.png" alt="A picture"> <br/>
  <ul>
    <li>caf&eacute; </li>
  </ul>
</body></html>
"""


def test_pages(write):
    done = translate_html(write("a.html", PAGE), LANGUAGES, shout, False).content.decode()
    wanted = (
        PAGE.replace("The station", "THE STATION")
        .replace("where &amp; how", "WHERE &amp; HOW")
        .replace("'a \"title\"'", '"A &quot;TITLE&quot;"')
        .replace("Where is\n   the", "WHERE IS THE")
        .replace(">station<", ">STATION<")
        .replace("A picture", "A PICTURE")
        .replace("caf&eacute;", "CAFÉ")
        .replace('"en-US"', '"fr"')
    )
    assert done == wanted


def test_pages_in_other_encodings(write):
    page = '<meta charset="iso-8859-1"><p>caf\u00e9</p>'
    path = write("a.html", page.encode("latin-1"))
    assert translate_html(path, LANGUAGES, shout, False).content == page.replace(
        "caf\u00e9", "CAF\u00c9"
    ).encode("latin-1")
    said = translate_html(path, LANGUAGES, lambda all_: ["駅" for _ in all_], False)
    assert said.content.endswith(b"<p>&#39365;</p>")
    with pytest.raises(InputError, match="unknown encoding"):
        translate_html(write("a.html", '<meta charset="klingon">'), LANGUAGES, echo, False)


@given(st.text(st.sampled_from("ab <>/p!-=\"'\n&;")))
def test_soup_stays_soup(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("soup") / "a.html"
    path.write_bytes(text.encode())
    content = translate_html(path, LANGUAGES, echo, False).content.decode()
    if not any(map(str.isalnum, text)):
        assert content == text
    assert (
        content.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").split()
        == (text.split())
        or "&" in text
        or "=" in text
    )
