"""Fills templates: every pattern with its slots, in an order fixed by hashing."""

import hashlib
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from notation import (
    LANGUAGES,
    Group,
    NotationError,
    Part,
    Triple,
    map_words,
    nest,
    parse_word,
    read_triples,
    words,
)
from slots import Filler, Slot, elides

_REFERENCE = re.compile(r"\{([\w-]+)(?:#(\d))?(?::([^}?]*))?\}")
_AGREEMENT = re.compile(r"\{([\w-]+(?:#\d)?)\?([^}]*)\}")
_PIECE = re.compile(r"\[|\]|\{[^}]*\}[^\s\[\]]*|[^\s\[\]]+")

_GENDERS = ("m", "f", "mp", "fp")
_ELIDED = {"de": "d'", "que": "qu'", "jusque": "jusqu'"}

Sides = tuple[tuple[Part, ...], ...]


def order_key(text: str) -> str:
    """A stable pseudo-random key, so that choices need no random state."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _references(template: Triple) -> list[tuple[str, str]]:
    """Each slot a template uses with the key it is used under: place, place#2."""
    found: dict[str, str] = {}
    for line in template.lines:
        for match in _REFERENCE.finditer(line):
            found[match[1] + (f"#{match[2]}" if match[2] else "")] = match[1]
    return list(found.items())


def _agree(line: str, chosen: dict[str, Filler]) -> str:
    def pick(match: re.Match[str]) -> str:
        options = match[2].split(":")
        return options[_GENDERS.index(chosen[match[1]].gender) % len(options)]

    return _AGREEMENT.sub(pick, line)


def _form(filler: Filler, form: str, language: str, chosen: dict[str, Filler]) -> str:
    forms = filler.forms[language]
    if form == "@":
        return filler.counter
    if form not in forms and form in chosen:
        form = chosen[form].gender[0]
    if form not in forms:
        raise NotationError(f"{filler.name!r} has no form {form!r} in {language}")
    return forms[form]


def _fill(line: str, language: str, chosen: dict[str, Filler]) -> tuple[Part, ...]:
    pieces: list[Part | str] = []
    for piece in _PIECE.findall(_agree(line, chosen)):
        match = _REFERENCE.match(piece)
        if not match:
            pieces.append(piece)
            continue
        key = match[1] + (f"#{match[2]}" if match[2] else "")
        text = _form(chosen[key], match[3] or "", language, chosen)
        found = tuple(parse_word(word + piece[match.end() :], key) for word in text.split())
        # Japanese verb phrases go on into the endings of the template: no group of their own.
        whole = language == "en" or not chosen[key].inflected
        pieces.extend([Group(found)] if whole and len(found) > 1 else found)
    return nest(pieces)


def _finish_french(side: tuple[Part, ...]) -> tuple[Part, ...]:
    """Elision between a template's words and a filler; drops the aspiration marks."""
    spelt = [word.text for word in words(side)]
    for position, (text, following) in enumerate(itertools.pairwise(spelt)):
        if text in _ELIDED and elides(following):
            spelt[position] = _ELIDED[text]
    return map_words(side, iter([text.lstrip("*") for text in spelt]))


def _capitalise(side: tuple[Part, ...]) -> tuple[Part, ...]:
    spelt = [word.text for word in words(side)]
    spelt[0] = spelt[0][0].upper() + spelt[0][1:]
    return map_words(side, iter(spelt))


def _fill_all(template: Triple, chosen: dict[str, Filler]) -> Sides:
    sides = [
        _fill(line, language, chosen)
        for line, language in zip(template.lines, LANGUAGES, strict=True)
    ]
    return _capitalise(sides[0]), _capitalise(_finish_french(sides[1])), sides[2]


def expand(template: Triple, slots: dict[str, Slot], limit: int) -> Iterator[Sides]:
    """Up to ``limit`` sentences of a template, those whose hashes come first."""
    references = _references(template)
    combinations = itertools.product(*(slots[name].fillers for _, name in references))
    keyed: list[tuple[str, dict[str, Filler]]] = []
    for fillers in combinations:
        chosen = {key: filler for (key, _), filler in zip(references, fillers, strict=True)}
        names = [filler.name for filler in fillers]
        # A filler twice in one sentence ("the bank is next to the bank") is never meant.
        if len(set(names)) == len(names):
            keyed.append((order_key("|".join([template.lines[0], *names])), chosen))
    keyed.sort(key=lambda item: item[0])
    for _, chosen in keyed[:limit]:
        try:
            yield _fill_all(template, chosen)
        except NotationError as error:
            raise NotationError(f"{template.origin}: {error}") from error


def read_templates(path: Path, slots: dict[str, Slot]) -> list[Triple]:
    """Reads templates.txt and checks that the slots it names exist."""
    templates = list(read_triples(path))
    for template in templates:
        for _, name in _references(template):
            if name not in slots:
                raise NotationError(f"{template.origin}: there is no slot {name!r}")
    return templates
