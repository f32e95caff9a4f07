"""TMX, the exchange format of translation memories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from dragoman.corpus.read.xml import LANG, local_name, stream, text_of
from dragoman.errors import InputError, UsageError
from dragoman.text.languages import matches


def read_tmx(path: Path, source_language: str, target_language: str) -> Iterator[tuple[str, str]]:
    """Pairs of the two languages; a unit without both of them is passed over."""
    if not source_language or not target_language:
        raise UsageError(f"{path}: a TMX file needs to know its languages: give --from and --to")
    found: Counter[str] = Counter()
    pairs = 0
    parents: list[Element] = []
    for event, element in stream(path):
        if event == "start":
            parents.append(element)
            continue
        parents.pop()
        if local_name(element) != "tu":
            continue
        variants = _variants(element)
        found.update(language for language, _ in variants)
        left = _pick(variants, source_language)
        right = _pick(variants, target_language)
        if left is not None and right is not None:
            pairs += 1
            yield left, right
        for parent in parents:
            parent.clear()  # the units done with; memory holds one at a time
    if pairs == 0:
        held = ", ".join(f"{language} ({count})" for language, count in found.most_common())
        raise InputError.at(
            path,
            None,
            f"no unit has both {source_language} and {target_language}; "
            f"the file holds {held or 'no units'}",
        )


def _variants(unit: Element) -> list[tuple[str, str]]:
    variants = []
    for variant in unit:
        if local_name(variant) != "tuv":
            continue
        language = variant.get(LANG) or variant.get("lang") or "?"
        segments = [text_of(child) for child in variant if local_name(child) == "seg"]
        if segments:
            variants.append((language, segments[0]))
    return variants


def _pick(variants: list[tuple[str, str]], wanted: str) -> str | None:
    """The text in exactly the wanted language, else in a variety of it."""
    ranked = [text for language, text in variants if language.lower() == wanted.lower()]
    ranked += [text for language, text in variants if matches(wanted, language)]
    return ranked[0] if ranked else None
