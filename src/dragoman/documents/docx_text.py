"""The text of one part of a DOCX file: paragraphs as passages, and the part with other texts.

A paragraph (ECMA-376, part 1, 17.3) is a row of runs, each with its properties, some of them
inside links and the like. Runs of the same properties are one text; those of the properties that
most of the paragraph has need no marks, others are pairs of marks.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dragoman.documents.format_marks import FormatMarks, without_marks
from dragoman.documents.inline import escape_markup
from dragoman.documents.xml_file import Document, Node, walk
from dragoman.translation.source import Passage

# Around runs: links, insertions that are tracked, and what programs mark.
_AROUND = frozenset(
    ("hyperlink", "ins", "moveTo", "smartTag", "customXml", "sdt", "bdo", "dir")
)  # fmt: skip
# What stands between runs without a place of its own in the text.
_BEFORE = re.compile(
    r"(?:bookmark|permission|perm|comment\w*|move\w*|customXml\w*)Start$|\w+RangeStart$"
)
_BEHIND = re.compile(
    r"(?:bookmark|permission|perm|comment\w*|move\w*|customXml\w*)End$|\w+RangeEnd$"
)
# What programs write anew when they show the document.
_DROPPED = frozenset(("proofErr", "lastRenderedPageBreak", "softHyphen"))
_BREAKS = frozenset(("br", "cr", "tab", "ptab"))
# In a run, what is part of the sentence though it is no text; pictures and the marks of notes and
# comments are not. Beside runs, what is not: text that was deleted with changes tracked.
_SAID = frozenset(("t", "sym", "ruby", "fldChar", "instrText", "pgNum"))
_GONE = frozenset(("del", "moveFrom"))
# What is plain has so much of the text at least that other runs are marked, whatever has more.
_PLAIN_SHARE = 1 / 4
# Properties of a run that say nothing about how it looks.
_UNSEEN = re.compile(r"<(?:\w+:)?(?:lang|noProof|rStyleChange)\b[^<>]*/>")


@dataclass(eq=False)
class Inline:
    """Something inside a paragraph: the properties of runs, or XML around or between them."""

    kind: Literal["style", "around", "piece"]
    before: str = ""  # of a style: the properties
    behind: str = ""
    # A piece may hold paragraphs of its own, whose translation comes later.
    span: tuple[int, int] | None = None


@dataclass(frozen=True)
class _Text:
    style: str
    text: str


@dataclass
class _Paragraph:
    begin: int
    end: int
    marks: FormatMarks[Inline]
    base: str
    first: list[tuple[int, int]] = field(default_factory=list)
    last: list[tuple[int, int]] = field(default_factory=list)


_Item = _Text | tuple[Literal["open", "close", "piece", "beside", "break"], Inline]


class PartText:
    """A part and its paragraphs."""

    def __init__(self, document: Document, name: str) -> None:
        self.name, self._document = name, document
        match = re.match(r"<([\w.-]+:)?", document.start_tag(document.root))
        self._prefix = (match[1] or "") if match else ""
        self._paragraphs = [
            found
            for node in walk(document.root)
            if node.name == "p" and not node.empty and self._is_own(node)
            if (found := self._paragraph(node)) is not None
        ]

    def _is_own(self, node: Node) -> bool:
        """Drawings have paragraphs too, of another kind."""
        tag = f"<{self._prefix}{node.name}".encode()
        return self._document.text.startswith(tag, node.begin)

    def passages(self) -> list[Passage]:
        """The paragraphs with text, in their order."""
        return [one.marks.passage for one in self._paragraphs]

    def written(self, said: Iterator[str]) -> bytes:
        """The part with the next translations in place of its paragraphs."""
        texts = [next(said) for _ in self._paragraphs]
        # Inner paragraphs begin behind the beginning of those around them, so these come later
        # and take them along.
        edits: list[tuple[int, int, str]] = []
        for one, text in sorted(
            zip(self._paragraphs, texts, strict=True), key=lambda pair: -pair[0].begin
        ):
            new = self._runs(one, text, edits)
            while edits and edits[-1][0] < one.end:
                edits.pop()
            edits.append((one.begin, one.end, new))
        for begin, end, new in edits:
            self._document.replace(begin, end, new)
        return self._document.written()

    # Reading.

    def _raw(self, begin: int, end: int) -> str:
        return self._document.text[begin:end].decode("utf-8")

    def _paragraph(self, node: Node) -> _Paragraph | None:
        properties = node.all("pPr")
        begin = properties[0].after if properties else node.inner
        found = _Paragraph(
            begin, node.end, FormatMarks(reopens=lambda one: one.kind == "style"), ""
        )
        items = _merged(self._items(node.children, found))
        lengths: Counter[str] = Counter()
        for item in items:
            if isinstance(item, _Text):
                lengths[item.style] += len(item.text.strip())
        if not any(isinstance(one, _Text) and any(map(str.isalnum, one.text)) for one in items):
            return None
        found.base = _base(lengths)
        self._fill(found, items)
        return found

    def _fill(self, found: _Paragraph, items: Sequence[_Item]) -> None:
        """Make the passage of a paragraph."""
        marks, out = found.marks, ""
        for item in items:
            if isinstance(item, _Text):
                text = without_marks(item.text)
                core = text.strip()
                if _seen(item.style) == _seen(found.base) or not core or marks.full:
                    out += text
                    continue
                style = Inline("style", item.style)
                begin = text.index(core)
                out += text[:begin] + marks.opening(style) + core + marks.closing(style)
                out += text[begin + len(core) :]
            elif item[0] == "break" or marks.full:
                marks.passage.add_text(out)
                marks.keep(item[1])
                out = ""
            elif item[0] in ("piece", "beside"):
                out += (marks.piece if item[0] == "piece" else marks.beside)(item[1])
            else:
                out += (marks.opening if item[0] == "open" else marks.closing)(item[1])
        marks.passage.add_text(out)

    def _items(self, nodes: Sequence[Node], found: _Paragraph) -> Iterator[_Item]:
        at = 0
        while at < len(nodes):
            node = nodes[at]
            at += 1
            if node.name == "pPr" or node.name in _DROPPED:
                continue
            if node.name == "r" and self._field(node) == "begin":
                end = self._field_end(nodes, at - 1)
                if end > at:
                    yield from self._field_items(nodes[at - 1 : end], found)
                    at = end
                    continue
            if node.name == "r":
                yield from self._run(node)
            elif node.name in _AROUND:
                yield from self._around(node, found)
            elif _BEFORE.search(node.name):
                found.first.append((node.begin, node.after))
            elif _BEHIND.search(node.name):
                found.last.append((node.begin, node.after))
            else:
                role: Literal["beside", "piece"] = "beside" if node.name in _GONE else "piece"
                yield role, Inline("piece", span=(node.begin, node.after))

    def _around(self, node: Node, found: _Paragraph) -> Iterator[_Item]:
        inside = node
        if node.name == "sdt":
            content = node.all("sdtContent")
            if not content or content[0].empty:
                yield "piece", Inline("piece", span=(node.begin, node.after))
                return
            inside = content[0]
        children = inside.children
        begin = inside.inner
        if children and children[0].name in ("smartTagPr", "customXmlPr"):
            begin, children = children[0].after, children[1:]
        if inside.empty:
            return
        what = Inline("around", self._raw(node.begin, begin), self._raw(inside.end, node.after))
        yield "open", what
        yield from self._items(children, found)
        yield "close", what

    def _run(self, node: Node) -> Iterator[_Item]:
        properties = node.all("rPr")
        style = self._raw(properties[0].begin, properties[0].after) if properties else ""
        for child in node.children:
            if child.name == "t" and "<" not in (text := self._document.content(child)):
                yield _Text(style, html.unescape(text))
            elif child.name == "noBreakHyphen":
                yield _Text(style, "\u2011")
            elif child.name == "rPr" or child.name in _DROPPED:
                continue
            else:
                tag = self._document.start_tag(node)
                opening = (tag[:-2] + ">" if node.empty else tag) + style
                what = Inline("piece", opening, f"</{self._prefix}r>", (child.begin, child.after))
                if child.name in _BREAKS:
                    yield "break", what
                else:
                    yield ("piece" if child.name in _SAID else "beside"), what

    # Fields: instructions to compute something, and what came out.

    def _field(self, run: Node) -> str:
        for child in run.all("fldChar"):
            for name, value in child.attributes.items():
                if name.rpartition(":")[2] == "fldCharType":
                    return value
        return ""

    def _field_end(self, nodes: Sequence[Node], at: int) -> int:
        """Behind the end of the field that begins at a place, or the place itself."""
        depth = 0
        for place in range(at, len(nodes)):
            depth += {"begin": 1, "end": -1}.get(self._field(nodes[place]), 0)
            if not depth:
                return place + 1
        return at

    def _field_items(self, nodes: Sequence[Node], found: _Paragraph) -> Iterator[_Item]:
        """A link's text is text; what other fields have computed is kept."""
        kinds = [self._field(node) for node in nodes]
        begin, end = nodes[0].begin, nodes[-1].after
        instruction = self._raw(begin, nodes[min(len(nodes), 4) - 1].after)
        if "separate" not in kinds or kinds.count("begin") > 1 or "HYPERLINK" not in instruction:
            yield "piece", Inline("piece", span=(begin, end))
            return
        middle = kinds.index("separate")
        what = Inline(
            "around",
            self._raw(begin, nodes[middle].after),
            self._raw(nodes[-1].begin, end),
        )
        yield "open", what
        yield from self._items(nodes[middle + 1 : -1], found)
        yield "close", what

    # Writing.

    def _runs(self, one: _Paragraph, text: str, edits: list[tuple[int, int, str]]) -> str:
        """A translation as runs."""
        styles = [one.base]
        out = [self._raw(*span) for span in one.first]
        for part in one.marks.parts(text):
            if isinstance(part, str):
                name = f"{self._prefix}t"
                run = f'<{name} xml:space="preserve">{escape_markup(part)}</{name}>'
                out.append(f"<{self._prefix}r>{styles[-1]}{run}</{self._prefix}r>")
                continue
            what = part.what
            if what.kind == "piece":
                inner = self._spliced(*what.span, edits) if what.span else ""
                out.append(what.before + inner + what.behind)
            elif what.kind == "around":
                out.append(what.before if part.role == "open" else what.behind)
            elif part.role == "open":
                styles.append(what.before)
            else:
                styles.pop()
        return "".join([*out, *(self._raw(*span) for span in one.last)])

    def _spliced(self, begin: int, end: int, edits: list[tuple[int, int, str]]) -> str:
        """What stands somewhere, with the paragraphs inside translated; `edits` are of all that
        follows, the nearest last."""
        out, at = "", begin
        for first, after, new in reversed(edits):
            if first >= end:
                break
            if first >= begin:
                out += self._raw(at, first) + new
                at = after
        return out + self._raw(at, end)


def _merged(items: Iterator[_Item]) -> list[_Item]:
    """Runs that look alike as one."""
    found: list[_Item] = []
    for item in items:
        last = found[-1] if found else None
        if isinstance(item, _Text) and isinstance(last, _Text) and _alike(item, last):
            found[-1] = _Text(last.style, last.text + item.text)
        else:
            found.append(item)
    return found


def _base(lengths: Counter[str]) -> str:
    """The properties of runs that need no marks, by how many letters have which: of words that a
    translation brings along, nobody knows that they stand out."""
    plain = [style for style in lengths if not _seen(style)]
    if plain and lengths[plain[0]] >= _PLAIN_SHARE * lengths.total():
        return plain[0]
    return lengths.most_common(1)[0][0]


def _alike(one: _Text, other: _Text) -> bool:
    return _seen(one.style) == _seen(other.style)


def _seen(style: str) -> str:
    seen = _UNSEEN.sub("", style)
    return "" if re.fullmatch(r"<[^<>]*>\s*</[^<>]*>", seen) else seen
