"""Filling XLIFF and TMX files."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from dragoman.corpus.read.language import matches
from dragoman.corpus.read.lines import open_bytes
from dragoman.corpus.read.xliff import UNTRANSLATED
from dragoman.errors import InputError, UsageError
from dragoman.output.passage import Passage, inline_passage

Translate = Callable[[Sequence[Passage]], list[str]]
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass
class Node:
    """An element and where it stands, in bytes of the UTF-8 text: its start tag is [begin, inner),
    its content [inner, end), and behind its end tag is `after`."""

    name: str
    attributes: dict[str, str]
    begin: int
    inner: int = 0
    end: int = 0
    after: int = 0
    empty: bool = False  # <name/>
    children: list[Node] = field(default_factory=list)

    def all(self, name: str) -> list[Node]:
        """Children of that name."""
        return [child for child in self.children if child.name == name]


@dataclass
class Document:
    """An XML file as text and tree."""

    path: Path
    encoding: str
    text: bytes  # in UTF-8
    root: Node
    edits: list[tuple[int, int, str]] = field(default_factory=list)

    def content(self, node: Node) -> str:
        """What stands between the tags of an element."""
        return self.text[node.inner : node.end].decode("utf-8")

    def replace(self, begin: int, end: int, text: str) -> None:
        """Put text in place of bytes."""
        self.edits.append((begin, end, text))

    def start_tag(self, node: Node) -> str:
        """The start tag as it is written."""
        return self.text[node.begin : node.inner].decode("utf-8")

    def indent(self, node: Node) -> str:
        """The white space before an element: a new one beside it gets the same."""
        before = self.text[max(0, node.begin - 200) : node.begin]
        return before[len(before.rstrip()) :].decode("ascii")

    def written(self) -> bytes:
        """The file with all edits."""
        parts: list[bytes] = []
        at = 0
        for begin, end, text in sorted(self.edits):
            parts += [self.text[at:begin], text.encode("utf-8")]
            at = end
        whole = b"".join([*parts, self.text[at:]]).decode("utf-8")
        try:
            return whole.encode(self.encoding)
        except UnicodeEncodeError as problem:
            raise InputError.at(
                self.path, None, f"a translation cannot be written in {self.encoding}"
            ) from problem


def read_document(path: Path) -> Document:
    """Parse a file, remembering where everything stands."""
    with open_bytes(path) as stream:
        raw = stream.read()
    encoding = next((name for bom, name in _BOMS if raw.startswith(bom)), "")
    if not encoding:
        declared = re.match(rb"""<\?xml[^>]*?encoding=["']([A-Za-z0-9._-]+)""", raw)
        encoding = declared[1].decode("ascii") if declared else "utf-8"
    try:
        text = raw.decode(encoding).encode("utf-8")
    except (LookupError, UnicodeError) as problem:
        raise InputError.at(path, None, f"not valid {encoding}: {problem}") from problem
    return Document(path, encoding, text, _parse(path, text))


def _parse(path: Path, text: bytes) -> Node:
    parser = expat.ParserCreate("utf-8")
    top = Node("", {}, 0)
    open_nodes = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        node = Node(name.rpartition(":")[2], attributes, parser.CurrentByteIndex)
        node.inner = _tag_end(text, node.begin)
        node.empty = text[node.inner - 2 : node.inner] == b"/>"
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def end(_: str) -> None:
        node = open_nodes.pop()
        if node.empty:
            node.end = node.after = node.inner
        else:
            node.end = parser.CurrentByteIndex
            node.after = text.index(b">", node.end) + 1

    def refuse(*_: object) -> None:
        raise InputError.at(path, None, "declares XML entities, which are refused for safety")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as problem:
        raise InputError.at(path, problem.lineno, f"malformed XML: {problem}") from problem
    return top.children[0]


def _tag_end(text: bytes, begin: int) -> int:
    """Behind the > of a start tag; quotes may hold others."""
    match = re.compile(rb"""<(?:[^<>"']|"[^"]*"|'[^']*')*+>""").match(text, begin)
    assert match is not None  # the parser has seen it
    return match.end()


def _walk(node: Node) -> list[Node]:
    """A node and all below it, in the order of the file."""
    found = []
    pending = [node]
    while pending:
        one = pending.pop()
        found.append(one)
        pending += reversed(one.children)
    return found


def fill_xliff(
    path: Path, languages: tuple[str, str], translate: Translate, final: bool
) -> tuple[bytes, int, int]:
    """The file with empty or missing targets filled; how many were, and how many were not empty.

    XLIFF 1.2 targets get the state "needs-review-translation", 2.x segments "translated", which is
    what has not been reviewed.
    """
    document = read_document(path)
    if document.root.name != "xliff":
        raise InputError.at(path, None, "is XML, but not XLIFF")
    version_2 = document.root.attributes.get("version", "1.2").startswith("2")
    for node in _walk(document.root):
        held = node.attributes.get("srcLang" if version_2 else "source-language")
        if held and languages[0] and not matches(languages[0], held):
            raise InputError.at(
                path, None, f"holds {held}, but the model translates {languages[0]}"
            )
    unit_name = "segment" if version_2 else "trans-unit"
    empty: list[tuple[Node, Node, Node | None]] = []
    kept = 0
    for unit in _walk(document.root):
        if unit.name != unit_name or unit.attributes.get("translate") == "no":
            continue
        sources, targets = unit.all("source"), unit.all("target")
        if not sources or not document.content(sources[0]).strip():
            continue
        target = targets[0] if targets else None
        stated = (unit if version_2 else target) if target is not None else None
        state = stated.attributes.get("state", "") if stated is not None else ""
        if target is not None and document.content(target).strip() and state not in UNTRANSLATED:
            kept += 1
        else:
            empty.append((unit, sources[0], target))
    passages = [inline_passage(document.content(source), languages[0]) for _, source, _ in empty]
    for (unit, source, target), text in zip(empty, translate(passages), strict=True):
        prefix = _prefix(document, source)
        if target is not None:
            tag = document.start_tag(target).rstrip("/>").rstrip()
            if not version_2:
                tag = _with_state(tag, final)
            document.replace(target.begin, target.after, f"{tag}>{text}</{prefix}target>")
        else:
            state = "" if version_2 else _with_state("", final)
            new = f"{document.indent(source)}<{prefix}target{state}>{text}</{prefix}target>"
            # Behind a segmented source of XLIFF 1.2, which comes before the target.
            place = max([source, *unit.all("seg-source")], key=lambda node: node.after)
            document.replace(place.after, place.after, new)
        if version_2:
            tag = document.start_tag(unit)
            cleaned = re.sub(r"""\sstate=("[^"]*"|'[^']*')""", "", tag).rstrip(">")
            state = ' state="final"' if final else ' state="translated"'
            document.replace(unit.begin, unit.inner, f"{cleaned}{state}>")
    return document.written(), len(empty), kept


def _with_state(tag: str, final: bool) -> str:
    """A start tag of XLIFF 1.2, still open, that says how far its content can be trusted."""
    cleaned = re.sub(r"""\sstate(?:-qualifier)?=("[^"]*"|'[^']*')""", "", tag)
    state = "translated" if final else "needs-review-translation"
    return f'{cleaned} state="{state}" state-qualifier="leveraged-mt"'


def _prefix(document: Document, node: Node) -> str:
    """The namespace prefix an element is written with."""
    match = re.match(r"<([\w.-]+:)", document.start_tag(node))
    return match[1] if match else ""


def fill_tmx(
    path: Path, languages: tuple[str, str], translate: Translate, final: bool
) -> tuple[bytes, int, int]:
    """The memory with a variant in the target language for each unit that has only the source."""
    if not all(languages):
        raise UsageError(f"{path}: the model does not say which languages it translates")
    document = read_document(path)
    if document.root.name != "tmx":
        raise InputError.at(path, None, "is XML, but not TMX")
    empty: list[tuple[Node, Node, Node | None]] = []
    kept = 0
    for unit in _walk(document.root):
        if unit.name != "tu":
            continue
        source = _variant(unit, languages[0])
        target = _variant(unit, languages[1])
        if source is None or not document.content(source.all("seg")[0]).strip():
            continue
        if target is not None and document.content(target.all("seg")[0]).strip():
            kept += 1
        else:
            empty.append((unit, source, target))
    passages = [
        inline_passage(document.content(source.all("seg")[0]), languages[0])
        for _, source, _ in empty
    ]
    mark = "" if final else ' creationid="dragoman"'
    for (_, source, target), text in zip(empty, translate(passages), strict=True):
        if target is not None:
            segment = target.all("seg")[0]
            document.replace(segment.begin, segment.after, f"<seg>{text}</seg>")
        else:
            new = f'<tuv xml:lang="{languages[1]}"{mark}><seg>{text}</seg></tuv>'
            document.replace(source.after, source.after, document.indent(source) + new)
    return document.written(), len(empty), kept


def _variant(unit: Node, language: str) -> Node | None:
    """The variant of a unit in a language, exactly that one first."""
    variants = [variant for variant in unit.all("tuv") if variant.all("seg")]

    def held(variant: Node) -> str:
        return variant.attributes.get("xml:lang") or variant.attributes.get("lang") or ""

    ranked = [one for one in variants if held(one).lower() == language.lower()]
    ranked += [one for one in variants if matches(language, held(one))]
    return ranked[0] if ranked else None
