"""Filling translation memories."""

from __future__ import annotations

from pathlib import Path

from dragoman.documents.filled import Filled, Translate
from dragoman.documents.inline import inline_passage
from dragoman.documents.xml_file import Node, read_document, walk
from dragoman.errors import InputError, UsageError
from dragoman.text.languages import matches


def fill_tmx(path: Path, languages: tuple[str, str], translate: Translate, final: bool) -> Filled:
    """The memory with a variant in the target language for each unit that has only the source."""
    if not all(languages):
        raise UsageError(f"{path}: the model does not say which languages it translates")
    document = read_document(path)
    if document.root.name != "tmx":
        raise InputError.at(path, None, "is XML, but not TMX")
    empty: list[tuple[Node, Node, Node | None]] = []
    kept = 0
    for unit in walk(document.root):
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
    passages = [inline_passage(document.content(one.all("seg")[0])) for _, one, _ in empty]
    mark = "" if final else ' creationid="dragoman"'
    for (_, source, target), text in zip(empty, translate(passages), strict=True):
        if target is not None:
            segment = target.all("seg")[0]
            document.replace(segment.begin, segment.after, f"<seg>{text}</seg>")
        else:
            new = f'<tuv xml:lang="{languages[1]}"{mark}><seg>{text}</seg></tuv>'
            document.replace(source.after, source.after, document.indent(source) + new)
    return Filled(document.written(), len(empty), kept)


def _variant(unit: Node, language: str) -> Node | None:
    """The variant of a unit in a language, exactly that one first."""
    variants = [variant for variant in unit.all("tuv") if variant.all("seg")]

    def held(variant: Node) -> str:
        return variant.attributes.get("xml:lang") or variant.attributes.get("lang") or ""

    ranked = [one for one in variants if held(one).lower() == language.lower()]
    ranked += [one for one in variants if matches(language, held(one))]
    return ranked[0] if ranked else None
