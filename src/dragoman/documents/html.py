"""HTML: block by block, inline tags kept, scripts and code left alone."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dragoman.corpus.read.lines import decoded, find_encoding
from dragoman.documents.filled import Filled, Translate
from dragoman.documents.inline import escape_markup
from dragoman.documents.read import marked_encoding, read_raw
from dragoman.text.languages import matches
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
# What the page itself says is not to be translated.
_UNTOUCHED = re.compile(
    r"""\stranslate=["']?no\b|\sclass=(?:"[^"]*\bnotranslate\b|'[^']*\bnotranslate\b|notranslate\b)""",
    re.IGNORECASE,
)
# Attributes that people read.
_READ = re.compile(
    r"""(\s(?:alt|aria-label|placeholder|title)=)("[^"]*"|'[^']*')""", re.IGNORECASE
)
_DESCRIPTION = re.compile(
    r"""\sname=["']?(?:description|og:title|og:description)\b""", re.IGNORECASE
)
_CONTENT = re.compile(r"""(\scontent=)("[^"]*"|'[^']*')""", re.IGNORECASE)
_LANGUAGE = re.compile(r"""(\s(?:xml:)?lang=["']?)([A-Za-z0-9_-]+)""", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^<>]{0,200}?charset=["']?\s*([A-Za-z0-9._-]{1,40})""", re.I)
_BEGIN = 2048  # bytes in which the encoding must have been named

_Pieces = Sequence[tuple[str, str]]  # text or inline tags


def html_passage(text: str) -> Passage:
    """A piece of HTML, or text with entities."""
    passage = Passage(escape_markup)
    for block in _blocks(without_codes(text)):
        if isinstance(block, str):
            passage.keep(block)
        else:
            _add(passage, block)
    return passage


def translate_html(
    path: Path, languages: tuple[str, str], translate: Translate, final: bool
) -> Filled:
    """A page with its text translated, titles and descriptions included; all else stays."""
    raw = read_raw(path)
    encoding = marked_encoding(raw)
    if not encoding:
        declared = _CHARSET.search(raw[:_BEGIN])
        encoding = find_encoding(declared[1].decode("ascii"), path) if declared else "utf-8"
    text = _with_attributes(without_codes(decoded(raw, encoding, path)), languages, translate)
    blocks = list(_blocks(text))
    passages: list[Passage] = []
    for block in blocks:
        if not isinstance(block, str):
            passages.append(Passage(escape_markup))
            _add(passages[-1], block)
    said = iter(translate(passages))
    whole = "".join(block if isinstance(block, str) else next(said) for block in blocks)
    # What the encoding has no place for, HTML can still name.
    return Filled(whole.encode(encoding, "xmlcharrefreplace"), len(passages), 0)


def _with_attributes(text: str, languages: tuple[str, str], translate: Translate) -> str:
    """The page with the attributes that people read translated, and its language changed."""
    pieces = [(piece, kind) for kind, piece in _pieces(text)]
    wanted: list[tuple[int, re.Match[str]]] = []
    for place, (tag, kind) in enumerate(pieces):
        if (
            kind == "text"
            or tag.startswith("<!")
            or _name(tag) in OPAQUE
            or _UNTOUCHED.search(tag)
        ):
            continue
        found = list(_READ.finditer(tag))
        if _name(tag) == "meta" and _DESCRIPTION.search(tag):
            found += _CONTENT.finditer(tag)
        wanted += [(place, match) for match in found if any(map(str.isalnum, match[2]))]
    passages = []
    for _, match in wanted:
        passages.append(Passage(html.escape))
        passages[-1].add_text(without_codes(html.unescape(match[2][1:-1])))
    changed: dict[int, list[tuple[re.Match[str], str]]] = {}
    for (place, match), said in zip(wanted, translate(passages), strict=True):
        changed.setdefault(place, []).append((match, f'{match[1]}"{said}"'))
    out = []
    for place, (piece, kind) in enumerate(pieces):
        tag = piece
        for match, new in sorted(changed.get(place, ()), key=lambda one: -one[0].start()):
            tag = tag[: match.start()] + new + tag[match.end() :]
        if kind != "text" and _name(tag) == "html":
            tag = _LANGUAGE.sub(lambda said: _in_target(said, languages), tag)
        out.append(tag)
    return "".join(out)


def _name(tag: str) -> str:
    match = re.match(r"<([A-Za-z][\w:-]*)", tag)
    return match[1].lower() if match else ""


def _in_target(said: re.Match[str], languages: tuple[str, str]) -> str:
    """The language of a page, that of the translation if it was that of the source."""
    source, target = languages
    return said[1] + target if target and source and matches(source, said[2]) else said[0]


def _blocks(text: str) -> Iterator[str | _Pieces]:
    """What is kept, and text with its inline tags in between; every character once."""
    block: list[tuple[str, str]] = []

    def flushed() -> Iterator[str | _Pieces]:
        words = any(kind == "text" and any(map(str.isalnum, piece)) for kind, piece in block)
        if block and not words:
            yield "".join(piece for _, piece in block)
            return
        kind, first = block[0] if block else ("", "")
        if kind == "text":
            begin = len(first) - len(first.lstrip())
            yield first[:begin]
            block[0] = ("text", first[begin:])
        kind, last = block[-1] if block else ("", "")
        end = len(last.rstrip()) if kind == "text" else len(last)
        if block:
            block[-1] = (kind, last[:end])
            yield list(block)
        yield last[end:]

    for kind, piece in _pieces(text):
        if kind == "kept":
            yield from flushed()
            block.clear()
            yield piece
        else:
            block.append((kind, piece))
    yield from flushed()


def _add(passage: Passage, pieces: _Pieces) -> None:
    """Add a block to a passage; line ends inside it are spaces."""
    out = ""
    for kind, piece in pieces:
        if kind == "text":
            out += re.sub(r"\s+", " ", without_codes(html.unescape(piece)))
        elif not passage.held.full:
            out += passage.add_tag(piece)
        else:
            passage.add_text(out)
            passage.keep(piece)
            out = ""
    passage.add_text(out)


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
    if opens and name not in _EMPTY and _UNTOUCHED.search(match[0]):
        return _element_end(text, match.end(), name), "inline" if name in INLINE else "kept"
    return match.end(), "inline" if name in INLINE else "kept"


# Elements that have no end tag.
_EMPTY = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"))


def _element_end(text: str, inner: int, name: str) -> int:
    """Where an element ends whose start tag ends at `inner`; others of its name may be inside."""
    depth = 1
    for match in re.compile(rf"<(/?){name}\b[^<>]*>", re.IGNORECASE).finditer(text, inner):
        depth += -1 if match[1] else 1
        if not depth:
            return match.end()
    return len(text)
