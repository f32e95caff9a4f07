"""The inside of an XML element as a passage."""

from __future__ import annotations

import html
import re

from dragoman.text.protect import without_codes
from dragoman.translation.source import Passage


def escape_markup(text: str) -> str:
    """Text as XML and HTML write it."""
    return html.escape(text, quote=False)


def inline_passage(content: str) -> Passage:
    """The inside of an XML element: its inline elements are kept, those that hold native mark-up
    whole."""
    passage = Passage(escape_markup)
    text = ""
    for tag, piece in xml_pieces(content):
        if tag and not passage.held.full:
            text += passage.add_tag(piece)
        elif not tag:
            text += without_codes(html.unescape(piece))
    passage.add_text(text)
    return passage


# Elements whose content is no text (as in dragoman.corpus.read.xml), comments, instructions,
# other tags; then character data.
_XML_TAG = re.compile(
    r"""<!--.*?-->|<\?.*?\?>
    |<((?:[\w.-]+:)?(?:bpt|ept|it|ph|ut|x|bx|ex|sc|ec))(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*+)?
     (?:/>|(?<!/)>.*?</\1\s*>)
    |</?[\w.:-]+(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*+)?/?>""",
    re.DOTALL | re.VERBOSE,
)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def xml_pieces(content: str) -> list[tuple[bool, str]]:
    """The inside of an XML element cut into tags and the text between; True for tags."""
    content = _CDATA.sub(lambda match: escape_markup(match[1]), content)
    pieces: list[tuple[bool, str]] = []
    at = 0
    for match in _XML_TAG.finditer(content):
        pieces += [(False, content[at : match.start()]), (True, match[0])]
        at = match.end()
    return [*pieces, (False, content[at:])]
