"""Markdown: text is translated, what makes it a document stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.documents.made import LANGUAGES, backwards, echo, shout

from dragoman.documents.markdown import translate_markdown

KEPT = """---
title: a title
---
# The *station* #

Some **bold** text and `code here` with a [link](http://x.y/a_b "title") and an
![image](a.png). A snake_case word, 2 * 3, and a \\*star; see <http://a.b>, [ref][1]
and [^1] and $x_1 + y$, and [not a link] or [1][].

- [ ] item one
- item *two*
    - nested <b>tag</b>

1. first
2. second

> quoted

| a | b c |
|---|-----|
| x \\| y | `z` |

```
code
```

    indented

<div>html
</div>

Setext
======

Hard break  \nnext line\\
third

[1]: http://foo "Title"
"""


def translated(write, text, translate=echo):
    return translate_markdown(write("a.md", text), LANGUAGES, translate, False).content.decode()


def test_what_does_not_change_stays_byte_by_byte(write):
    # A link whose name is its text gets the name beside it, for the text will be another.
    assert translated(write, KEPT) == KEPT.replace("[1][].", "[1][1].")
    windows = KEPT.replace("\n", "\r\n").replace("[1][].", "[1][1].")
    assert translated(write, windows) == windows


def test_texts_are_translated(write):
    done = translated(write, KEPT, shout)
    for text in (
        "# THE *STATION* #\n",
        'SOME **BOLD** TEXT AND `code here` WITH A [LINK](http://x.y/a_b "title") AND',
        "![IMAGE](a.png)",
        "- [ ] ITEM ONE\n- ITEM *TWO*\n    - NESTED <b>TAG</b>\n",
        "| A | B C |\n|---|-----|\n| X \\| Y | `z` |\n",
        "\n```\ncode\n```\n\n    indented\n\n<div>html\n</div>\n\nSETEXT\n======\n",
        "HARD BREAK  \nNEXT LINE\\\nTHIRD\n",
        "title: a title\n---\n",
        '[1]: http://foo "Title"\n',
    ):
        assert text in done


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **b** c", "c **b** a"),
        ("- x", "- x"),
        ("a [b](c) d", "d [b](c) a"),
        ("hello 1.", "1\\. hello"),
        ("world #", "\\# world"),
    ],
)
def test_marks_go_with_their_words(write, text, expected):
    assert translated(write, text, backwards) == expected


def shape(text):
    """The blocks of a document."""
    return [token.type for token in MarkdownIt("commonmark").enable("table").parse(text)]


@settings(max_examples=150)
@given(
    st.lists(
        st.text(st.sampled_from("ab *_`[]()>#-+1.|\\<~$!"), max_size=12).map(str.strip), max_size=5
    ).map("\n".join),
    st.sampled_from([echo, shout]),
)
def test_the_blocks_of_a_document_stay_what_they_are(tmp_path_factory, text, translate):
    path = tmp_path_factory.mktemp("md") / "a.md"
    path.write_bytes(text.encode())
    done = translate_markdown(path, LANGUAGES, translate, False).content.decode()
    assert shape(done) == shape(text)
