"""HTML: block by block, inline tags kept, scripts and code left alone."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from dragoman.documents.inline import escape_markup
from dragoman.text.protect import without_codes
from dragoman.translation.source import Passage

# Tags inside a sentence; every other tag ends it.
INLINE = frozenset(
    ("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "data", "del", "dfn", "em", "font",
     "i", "img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike",
     "strong", "sub", "sup", "time", "tt", "u", "var", "wbr")
)  # fmt: skip
# Elements that are kept whole.
OPAQUE = frozenset(("code", "math", "pre", "script", "style", "svg", "template", "textarea"))
_TAG = re.compile(
    r"""<[!?/]?([A-Za-z][\w:-]{0,40})(?:[^<>"']|"[^"]{0,4000}"|'[^']{0,4000}'){0,500}+>"""
)


def html_passage(text: str) -> Passage:
    """A piece of HTML, or text with entities."""
    passage = Passage(escape_markup)
    block = ""
    for kind, piece in _pieces(without_codes(text)):
        if kind == "text":
            # Line ends inside a paragraph are spaces.
            block += re.sub(r"\s+", " ", without_codes(html.unescape(piece)))
        elif kind == "inline" and not passage.held.full:
            block += passage.add_tag(piece)
        else:
            passage.add_text(block)
            block = ""
            passage.keep(piece)
    passage.add_text(block)
    return passage


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Text, inline tags, and what is kept, in their order; every character once."""
    at = begin = 0
    while (at := text.find("<", at)) >= 0:
        end, kind = _tag_at(text, at)
        if end == at:
            at += 1  # a lone < is text
            continue
        if begin < at:
            yield "text", text[begin:at]
        yield kind, text[at:end]
        begin = at = end
    if begin < len(text):
        yield "text", text[begin:]


def _tag_at(text: str, at: int) -> tuple[int, str]:
    """Where the tag at a place ends, and what it is; `at` itself when there is none."""
    if text.startswith("<!--", at):
        end = text.find("-->", at + 4)
        return (end + 3 if end >= 0 else len(text)), "kept"
    match = _TAG.match(text, at)
    if match is None:
        return at, "text"
    name = match[1].lower()
    opens = text[at + 1] not in "/!?" and not match[0].endswith("/>")
    if name in OPAQUE and opens:
        close = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, match.end())
        inline = name == "code"
        return (close.end() if close else len(text)), "inline" if inline else "kept"
    return match.end(), "inline" if name in INLINE else "kept"
