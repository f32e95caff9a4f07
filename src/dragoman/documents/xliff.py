"""Filling XLIFF files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import quoteattr

from dragoman.corpus.read.xliff import UNTRANSLATED
from dragoman.documents.filled import Beside, Filled, Translate
from dragoman.documents.inline import escape_markup, inline_passage, xml_pieces
from dragoman.documents.xml_file import Document, Node, read_document, walk
from dragoman.errors import InputError
from dragoman.text.languages import matches
from dragoman.translation.source import Passage


def fill_xliff(
    path: Path,
    languages: tuple[str, str],
    translate: Translate,
    final: bool,
    beside: Beside | None = None,
) -> Filled:
    """The file with empty or missing targets filled; how many were, and how many were not empty.

    XLIFF 1.2 targets get the state "needs-review-translation", 2.x segments "translated", which is
    what has not been reviewed. What else is offered for a unit stands beside it, with its quality
    and origin, and so does the machine's translation with how sure it is: as alt-trans in 1.2, in
    2.x as matches of the module for translation candidates.
    """
    document = read_document(path)
    if document.root.name != "xliff":
        raise InputError.at(path, None, "is XML, but not XLIFF")
    version_2 = document.root.attributes.get("version", "1.2").startswith("2")
    for node in walk(document.root):
        held = node.attributes.get("srcLang" if version_2 else "source-language")
        if held and languages[0] and not matches(languages[0], held):
            raise InputError.at(
                path, None, f"holds {held}, but the model translates {languages[0]}"
            )
    unit_name = "segment" if version_2 else "trans-unit"
    empty: list[tuple[Node, Node, Node | None]] = []
    kept = 0
    for unit in _translatable(document.root):
        if unit.name != unit_name:
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
    passages = [inline_passage(document.content(source)) for _, source, _ in empty]
    candidates = _Candidates(document)
    texts = translate(passages)
    for (unit, source, target), passage, text in zip(empty, passages, texts, strict=True):
        prefix = _prefix(document, source)
        offers = _offers(beside, passage, document.content(source), text)
        if target is not None:
            tag = document.start_tag(target).rstrip("/>").rstrip()
            if not version_2:
                tag = _with_state(tag, final)
            new = f"{tag}>{text}</{prefix}target>"
            if not version_2:
                new += _alternatives(offers, prefix, document.indent(target))
            document.replace(target.begin, target.after, new)
        else:
            state = "" if version_2 else _with_state("", final)
            new = f"{document.indent(source)}<{prefix}target{state}>{text}</{prefix}target>"
            if not version_2:
                new += _alternatives(offers, prefix, document.indent(source))
            # Behind a segmented source of XLIFF 1.2, which comes before the target.
            place = max([source, *unit.all("seg-source")], key=lambda node: node.after)
            document.replace(place.after, place.after, new)
        if version_2:
            tag = document.start_tag(unit)
            cleaned = re.sub(r"""\sstate=("[^"]*"|'[^']*')""", "", tag).rstrip(">")
            state = ' state="final"' if final else ' state="translated"'
            named = candidates.add(unit, prefix, offers) if offers else ""
            document.replace(unit.begin, unit.inner, f"{cleaned}{named}{state}>")
    candidates.write()
    return Filled(document.written(), len(empty), kept)


@dataclass(frozen=True)
class _Candidate:
    kind: Literal["tm", "mt"]
    quality: int  # percent
    origin: str
    source: str  # as XML
    target: str


def _offers(beside: Beside | None, passage: Passage, source: str, text: str) -> list[_Candidate]:
    """What is offered for a unit; its source and its translation are XML."""
    if beside is None:
        return []
    found = [
        _Candidate(
            "tm", one.quality, one.origin, escape_markup(one.source), escape_markup(one.target)
        )
        for one in beside.offers(passage)
    ]
    sure = beside.confidence(passage)
    if sure is not None:
        # Without inline elements, which would need their data once more.
        plain = ("".join(p for tag, p in xml_pieces(one) if not tag) for one in (source, text))
        found.append(_Candidate("mt", round(100 * sure), "machine translation", *plain))
    return found


def _translatable(root: Node) -> list[Node]:
    """All nodes but those of which they, or else what they lie in, say translate="no"."""
    found = []
    pending = [(root, True)]
    while pending:
        node, wanted = pending.pop()
        wanted = node.attributes.get("translate", "yes" if wanted else "no") != "no"
        if wanted:
            found.append(node)
        pending += [(child, wanted) for child in reversed(node.children)]
    return found


def _with_state(tag: str, final: bool) -> str:
    """A start tag of XLIFF 1.2, still open, that says how far its content can be trusted."""
    cleaned = re.sub(r"""\sstate(?:-qualifier)?=("[^"]*"|'[^']*')""", "", tag)
    state = "translated" if final else "needs-review-translation"
    return f'{cleaned} state="{state}" state-qualifier="leveraged-mt"'


def _alternatives(offers: Sequence[_Candidate], prefix: str, indent: str) -> str:
    """Offers as XLIFF 1.2 has them, behind a target."""
    return "".join(
        f'{indent}<{prefix}alt-trans match-quality="{offer.quality}%" '
        f"origin={quoteattr(offer.origin)}>{_both(offer, prefix)}</{prefix}alt-trans>"
        for offer in offers
    )


def _both(offer: _Candidate, prefix: str) -> str:
    return (
        f"<{prefix}source>{offer.source}</{prefix}source>"
        f"<{prefix}target>{offer.target}</{prefix}target>"
    )


class _Candidates:
    """Offers as XLIFF 2 has them: together at the beginning of each unit, each with the name of
    the segment that it is for."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._units = {
            id(segment): unit
            for unit in walk(document.root)
            if unit.name == "unit"
            for segment in walk(unit)
            if segment.name == "segment"
        }
        self._taken = {node.attributes.get("id", "") for node in walk(document.root)}
        self._found: dict[int, tuple[Node, list[str]]] = {}

    def add(self, segment: Node, prefix: str, offers: Sequence[_Candidate]) -> str:
        """Take the offers for a segment; an attribute that gives it a name, if it has none."""
        name, named = segment.attributes.get("id", ""), ""
        if not name:
            name = next(n for n in map("s{}".format, count(1)) if n not in self._taken)
            self._taken.add(name)
            named = f' id="{name}"'
        unit = self._units[id(segment)]
        told = self._found.setdefault(id(unit), (unit, []))[1]
        told += [
            f'<mtc:match ref="#{name}" type="{offer.kind}" matchQuality="{offer.quality}" '
            + (f'similarity="{offer.quality}" ' if offer.kind == "tm" else "")
            + f"origin={quoteattr(offer.origin)}>"
            f"{_both(offer, prefix)}</mtc:match>"
            for offer in offers
        ]
        return named

    def write(self) -> None:
        """Put them into the document."""
        for unit, told in self._found.values():
            indent = self._document.indent(unit.children[0])
            space = 'xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"'
            text = f"<mtc:matches {space}>{''.join(told)}</mtc:matches>"
            self._document.replace(unit.inner, unit.inner, indent + text)


def _prefix(document: Document, node: Node) -> str:
    """The namespace prefix an element is written with."""
    match = re.match(r"<([\w.-]+:)", document.start_tag(node))
    return match[1] if match else ""
