"""Filling XLIFF files."""

from __future__ import annotations

import re
from pathlib import Path

from dragoman.corpus.read.xliff import UNTRANSLATED
from dragoman.documents.filled import Filled, Translate
from dragoman.documents.inline import inline_passage
from dragoman.documents.xml_file import Document, Node, read_document, walk
from dragoman.errors import InputError
from dragoman.text.languages import matches


def fill_xliff(
    path: Path, languages: tuple[str, str], translate: Translate, final: bool
) -> Filled:
    """The file with empty or missing targets filled; how many were, and how many were not empty.

    XLIFF 1.2 targets get the state "needs-review-translation", 2.x segments "translated", which is
    what has not been reviewed.
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
    return Filled(document.written(), len(empty), kept)


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


def _prefix(document: Document, node: Node) -> str:
    """The namespace prefix an element is written with."""
    match = re.match(r"<([\w.-]+:)", document.start_tag(node))
    return match[1] if match else ""
