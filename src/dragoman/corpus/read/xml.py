"""What the XML formats share: safe streaming, and text without inline codes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast
from xml.etree.ElementTree import Element, ParseError

from dragoman.corpus.read.lines import find_encoding, open_bytes
from dragoman.errors import InputError

_PROLOGUE = 1000  # bytes in which the encoding must have been named
LANG = "{http://www.w3.org/XML/1998/namespace}lang"

# Inline elements whose content is native mark-up and not text (TMX 1.4b, XLIFF 1.2 and 2.0).
# Others, such as <g>, <hi>, <mrk> and <pc>, wrap text.
CODES = frozenset({"bpt", "ept", "it", "ph", "ut", "x", "bx", "ex", "sc", "ec"})


def local_name(element: Element) -> str:
    """The tag without its namespace."""
    return element.tag.rpartition("}")[2]


def declared_encoding(begin: bytes, path: Path) -> str | None:
    """The encoding that the first line of a file names; InputError when it is none for files, for
    the parser would take whatever Python takes."""
    declared = re.match(rb"""<\?xml[^>]*?encoding=["']([A-Za-z0-9._-]+)""", begin)
    return find_encoding(declared[1].decode("ascii"), path) if declared else None


def stream(path: Path) -> Iterator[tuple[str, Element]]:
    """Start and end events of every element.

    Entities may not be declared: they are how a small file explodes, and no exchange format
    needs them. A reader must clear the elements it is done with.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    with open_bytes(path) as compressed:
        file = io.BufferedReader(cast(io.RawIOBase, compressed))
        declared_encoding(file.peek(_PROLOGUE), path)
        try:
            yield from iterparse(file, events=("start", "end"))
        except ParseError as problem:
            hint = "; is it a file of another format?" if problem.position == (1, 0) else ""
            raise InputError.at(
                path, problem.position[0], f"malformed XML: {problem}{hint}"
            ) from problem
        except DefusedXmlException as problem:
            raise InputError.at(
                path, None, "declares XML entities, which are refused for safety"
            ) from problem
        except (LookupError, ValueError) as problem:
            raise InputError.at(path, None, f"malformed XML: {problem}") from problem


def text_of(element: Element) -> str:
    """The text inside an element, without the content of inline codes."""
    parts = []
    # A stack and not recursion: nothing bounds how deep a file nests.
    pending: list[Element | str] = [element]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append(item.text or "")
        for child in reversed(item):
            pending.append(child.tail or "")
            if local_name(child) not in CODES:
                pending.append(child)
    return "".join(parts)
