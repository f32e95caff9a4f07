"""Glossaries: terms and how to translate them, from files of other programs.

TSV, as Dragoman writes it: source, tab, target, perhaps tab and a probability, which makes it a
suggestion. CSV, as spreadsheets write it: separated by commas, semicolons or tabs, perhaps with a
first line that names the columns, by languages or as source and target. TBX, the exchange format
of terminology, in its old and its new form (ISO 30042:2008 and 2019).
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from dragoman.corpus.read.lines import open_bytes
from dragoman.corpus.read.xml import LANG, local_name, stream, text_of
from dragoman.errors import InputError, UsageError
from dragoman.text.languages import matches
from dragoman.text.normalise import normalise

# A source, its target, and how probable it is if it is a suggestion.
Entry = tuple[str, str, float | None]

_SEPARATORS = ",;\t"
_NAMES = ({"source", "source term", "term"}, {"target", "target term", "translation"})
_CONCEPTS = {"termEntry", "conceptEntry"}
_LANGUAGES = {"langSet", "langSec"}
# Terms that nobody should use, as the administrative status of TBX calls them.
_UNWANTED = {"deprecatedTerm-admn-sts", "supersededTerm-admn-sts", "obsolete", "deprecated"}


def read_glossary(path: Path, languages: tuple[str, str]) -> Iterator[Entry]:
    """The terms of a file, by the ending of its name; everything else is TSV."""
    match path.suffix.lower():
        case ".csv":
            yield from _read_csv(path, languages)
        case ".tbx":
            yield from _read_tbx(path, languages)
        case _:
            yield from _read_tsv(path)


def _text(path: Path) -> str:
    with open_bytes(path) as file:
        content = file.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError.at(path, None, "not UTF-8") from problem


def _read_tsv(path: Path) -> Iterator[Entry]:
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) not in (2, 3):
            raise InputError.at(path, number, "expected source, tab, target, perhaps a number")
        yield _checked(columns[0], columns[1], columns[2:], path, number)


def _read_csv(path: Path, languages: tuple[str, str]) -> Iterator[Entry]:
    text = _text(path)
    first = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    rows = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    columns: tuple[int, int] | None = None
    try:
        for row in rows:
            number = rows.line_num
            if not any(cell.strip() for cell in row) or row[0].startswith("#"):
                continue
            if columns is None:
                columns = _columns(row, languages)
                if columns is not None:
                    continue
                columns = (0, 1)
            if len(row) <= max(columns):
                raise InputError.at(path, number, f"expected at least {max(columns) + 1} columns")
            more = row[2:3] if columns == (0, 1) and _is_number(row[2:3]) else []
            yield _checked(row[columns[0]], row[columns[1]], more, path, number)
    except csv.Error as problem:
        raise InputError.at(path, rows.line_num, f"no CSV: {problem}") from problem


def _is_number(cells: Sequence[str]) -> bool:
    try:
        return bool(cells) and math.isfinite(float(cells[0]))
    except ValueError:
        return False


def _columns(row: Sequence[str], languages: tuple[str, str]) -> tuple[int, int] | None:
    """Which columns the first line names as source and target; None when it names none."""
    names = [cell.strip() for cell in row]
    found = []
    for language, usual in zip(languages, _NAMES, strict=True):
        places = [
            place
            for place, name in enumerate(names)
            if name.lower() in usual or (language and name and matches(language, name))
        ]
        found.append(places[0] if places else None)
    source, target = found
    return (source, target) if source is not None and target is not None else None


def _checked(
    source: str, target: str, more: Sequence[str], path: Path, number: int | None
) -> Entry:
    source, target = normalise(source), normalise(target)
    if not source:
        raise InputError.at(path, number, "the source term is empty")
    if not more or not more[0].strip():
        return source, target, None
    try:
        probability = float(more[0])
    except ValueError:
        probability = math.nan
    if not 0 < probability <= 1:
        raise InputError.at(path, number, f"a probability lies between 0 and 1, not {more[0]!r}")
    return source, target, probability


def _read_tbx(path: Path, languages: tuple[str, str]) -> Iterator[Entry]:
    if not all(languages):
        raise UsageError(
            f"{path}: the model does not say which languages it translates; give the terms as TSV"
        )
    root = None
    held: set[str] = set()
    pairs = 0
    for event, element in stream(path):
        if root is None:
            root = element
            if local_name(root) not in ("martif", "tbx"):
                raise InputError.at(path, None, f"is XML, but not TBX: {local_name(root)!r}")
        if event != "end" or local_name(element) not in _CONCEPTS:
            continue
        terms: dict[str, list[str]] = {}
        for part in element.iter():
            if local_name(part) in _LANGUAGES:
                code = part.attrib.get(LANG, "")
                terms.setdefault(code, []).extend(_terms(part))
        held |= set(terms)
        sides = [
            [term for code, found in terms.items() if matches(language, code) for term in found]
            for language in languages
        ]
        if sides[1]:
            # The first of several is the preferred one.
            for source in sides[0]:
                pairs += 1
                yield source, sides[1][0], None
        element.clear()
    if not pairs:
        told = ", ".join(sorted(filter(None, held))) or "no languages"
        raise InputError.at(
            path, None, f"has no terms from {languages[0]} to {languages[1]}; it holds {told}"
        )


def _terms(part: Element) -> list[str]:
    """The terms of a language, without those that nobody should use."""
    found = []
    for group in part.iter():
        term = next((one for one in group if local_name(one) == "term"), None)
        if term is None:
            continue
        notes = {(one.text or "").strip() for one in group.iter() if local_name(one) == "termNote"}
        text = normalise(text_of(term))
        if text and not notes & _UNWANTED:
            found.append(text)
    return found
