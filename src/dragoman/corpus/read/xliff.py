"""XLIFF 1.2 and 2.x, the exchange format of translation tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from dragoman.corpus.read.xml import local_name, stream, text_of
from dragoman.errors import InputError
from dragoman.text.languages import matches

# States of XLIFF 1.2 and 2.0 in which a target is only a placeholder.
UNTRANSLATED = frozenset({"new", "needs-translation", "initial"})


def read_xliff(
    path: Path, source_language: str = "", target_language: str = ""
) -> Iterator[tuple[str, str]]:
    """Pairs of translated segments.

    The languages, when given, must be those of the file; given the other way round they swap
    the sides.
    """
    swap = False
    recognised = False
    parents: list[Element] = []
    for event, element in stream(path):
        name = local_name(element)
        if event == "start":
            parents.append(element)
            recognised = recognised or name == "xliff"
            if name == "xliff" and element.get("srcLang"):
                languages = element.get("srcLang", ""), element.get("trgLang", "")
                swap = _is_swapped(path, languages, (source_language, target_language))
            elif name == "file" and element.get("source-language"):
                languages = element.get("source-language", ""), element.get("target-language", "")
                swap = _is_swapped(path, languages, (source_language, target_language))
            continue
        parents.pop()
        if name not in ("trans-unit", "unit"):
            continue
        for left, right in _pairs_12(element) if name == "trans-unit" else _pairs_2(element):
            yield (right, left) if swap else (left, right)
        for parent in parents:
            parent.clear()
    if not recognised:
        raise InputError.at(path, None, "is XML, but not XLIFF")


def _is_swapped(path: Path, held: tuple[str, str], wanted: tuple[str, str]) -> bool:
    def agree(asked: str, given: str) -> bool:
        return not asked or not given or matches(asked, given) or matches(given, asked)

    if agree(wanted[0], held[0]) and agree(wanted[1], held[1]):
        return False
    if agree(wanted[0], held[1]) and agree(wanted[1], held[0]):
        return True
    raise InputError.at(
        path,
        None,
        f"holds {held[0]} to {held[1] or 'an unnamed language'}, not {wanted[0]} to {wanted[1]}",
    )


def _children(element: Element, name: str) -> list[Element]:
    return [child for child in element if local_name(child) == name]


def _pairs_12(unit: Element) -> Iterator[tuple[str, str]]:
    """A 1.2 unit: its segments when it is segmented on both sides, else the whole."""
    sources, targets = _children(unit, "source"), _children(unit, "target")
    if not sources or not targets or targets[0].get("state") in UNTRANSLATED:
        return
    segmented = _children(unit, "seg-source")
    left = _segments(segmented[0]) if segmented else {}
    right = _segments(targets[0])
    if left and left.keys() == right.keys():
        yield from ((left[mid], right[mid]) for mid in left)
    else:
        yield text_of(sources[0]), text_of(targets[0])


def _segments(element: Element) -> dict[str, str]:
    return {
        mark.get("mid", ""): text_of(mark)
        for mark in element.iter()
        if local_name(mark) == "mrk" and mark.get("mtype") == "seg"
    }


def _pairs_2(unit: Element) -> Iterator[tuple[str, str]]:
    """A 2.x unit: each segment that has a target."""
    for segment in _children(unit, "segment"):
        sources, targets = _children(segment, "source"), _children(segment, "target")
        if sources and targets and segment.get("state") not in UNTRANSLATED:
            yield text_of(sources[0]), text_of(targets[0])
