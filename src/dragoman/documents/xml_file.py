"""An XML file as text and tree, so that pieces of it can be replaced and the rest stays."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from dragoman.corpus.read.lines import decoded, open_bytes
from dragoman.corpus.read.xml import declared_encoding
from dragoman.documents.read import marked_encoding
from dragoman.errors import InputError


@dataclass(slots=True)
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
        whole = b"".join([*parts, self.text[at:]])
        # Nothing ill-formed may take the place of what was well-formed.
        _parse(self.path, whole)
        try:
            return whole.decode("utf-8").encode(self.encoding)
        except UnicodeEncodeError as problem:
            raise InputError.at(
                self.path, None, f"a translation cannot be written in {self.encoding}"
            ) from problem


def read_document(path: Path) -> Document:
    """Parse a file, remembering where everything stands."""
    with open_bytes(path) as stream:
        raw = stream.read()
    return document_of(raw, path)


def document_of(raw: bytes, path: Path, *, most: int | None = None) -> Document:
    """Parse the bytes of a file, or of a part of it; errors name `path`. More than `most` elements
    are refused: a tree takes a hundred times the memory of its text."""
    encoding = marked_encoding(raw) or declared_encoding(raw, path) or "utf-8"
    text = decoded(raw, encoding, path).encode("utf-8")
    return Document(path, encoding, text, _parse(path, text, most))


def _parse(path: Path, text: bytes, most: int | None = None) -> Node:
    parser = expat.ParserCreate("utf-8")
    count = 0
    top = Node("", {}, 0)
    open_nodes = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if most is not None and count > most:
            raise InputError.at(path, None, f"has more than {most:,} elements in one part")
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


def walk(node: Node) -> list[Node]:
    """A node and all below it, in the order of the file."""
    found = []
    pending = [node]
    while pending:
        one = pending.pop()
        found.append(one)
        pending += reversed(one.children)
    return found
