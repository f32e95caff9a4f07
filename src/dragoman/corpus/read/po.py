"""Gettext PO, the format of program messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.corpus.read.lines import find_encoding, open_bytes, read_lines
from dragoman.errors import InputError
from dragoman.text.languages import matches

_KEYWORD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+(".*)')
_ESCAPE = re.compile(r"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


@dataclass
class PoEntry:
    """A message: its fields, whether it is marked as fuzzy, and where it stands."""

    fields: dict[str, str] = field(default_factory=dict)
    fuzzy: bool = False
    # Numbers of its first line, comments included, and of the first and last line of each field;
    # counted from 1.
    first: int = 0
    lines: dict[str, tuple[int, int]] = field(default_factory=dict)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The message and its translation; singular and plural are a pair each."""
        source = self.fields.get("msgid", "")
        if self.fuzzy or not source:
            return
        plural = self.fields.get("msgid_plural", source)
        for key, translation in self.fields.items():
            if key.startswith("msgstr") and translation:
                # Form 0 is the singular; with a single form it serves for both numbers.
                yield (source if key in ("msgstr", "msgstr[0]") else plural), translation


def read_po(
    path: Path, source_language: str = "", target_language: str = ""
) -> Iterator[tuple[str, str]]:
    """Translated messages, msgid first; fuzzy and obsolete ones are passed over.

    A PO file names the language it translates to. When that is the `source_language` wanted,
    the sides are swapped.
    """
    swap = False
    for entry in read_entries(path):
        if entry.fields.get("msgid") == "":
            swap = _is_swapped(path, entry, source_language, target_language)
            continue
        for left, right in entry.pairs():
            yield (right, left) if swap else (left, right)


def _is_swapped(path: Path, header: PoEntry, source_language: str, target_language: str) -> bool:
    match = re.search(r"^Language:\s*(\S+)", header.fields.get("msgstr", ""), re.MULTILINE)
    if match is None:
        return False
    language = match[1]
    if target_language and not matches(target_language, language):
        if source_language and matches(source_language, language):
            return True
        raise InputError.at(path, None, f"translates to {language}, not to {target_language}")
    return False


def read_entries(path: Path) -> Iterator[PoEntry]:
    """Every message of a file, the header included; obsolete ones are passed over."""
    entry, current = PoEntry(), ""
    for number, line in enumerate(read_lines(path, charset(path)), 1):
        text = line.strip()
        if text.startswith("#"):
            if "msgstr" in entry.fields or "msgstr[0]" in entry.fields:
                yield entry
                entry, current = PoEntry(), ""
            entry.first = entry.first or number
            if text.startswith("#,") and "fuzzy" in text:
                entry.fuzzy = True
            continue
        if not text:
            continue
        if keyword := _KEYWORD.fullmatch(text):
            key, rest = keyword[1], keyword[2]
            if key in ("msgctxt", "msgid") and any(k.startswith("msgstr") for k in entry.fields):
                yield entry
                entry = PoEntry()
            if key in entry.fields:
                raise InputError.at(path, number, f"{key} twice in one message")
            current = key
            entry.first = entry.first or number
            entry.fields[key] = _unquote(rest, path, number)
            entry.lines[key] = (number, number)
        elif text.startswith('"') and current:
            entry.fields[current] += _unquote(text, path, number)
            entry.lines[current] = (entry.lines[current][0], number)
        else:
            raise InputError.at(path, number, f"not PO syntax: {text[:40]!r}")
    if entry.fields:
        if not any(key.startswith("msgstr") for key in entry.fields):
            raise InputError.at(path, None, "ends in the middle of a message")
        yield entry


def _unquote(quoted: str, path: Path, number: int) -> str:
    if len(quoted) < 2 or not quoted.endswith('"'):
        raise InputError.at(path, number, "a string has no closing quote")

    def plain(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "01234567":
            return chr(int(code, 8))
        if code[0] == "x" and len(code) > 1:
            return chr(int(code[1:], 16))
        return _SIMPLE.get(code, code)

    return _ESCAPE.sub(plain, quoted[1:-1])


def charset(path: Path) -> str:
    """The encoding that the header declares; UTF-8 without one."""
    with open_bytes(path) as stream:
        start = stream.read(1 << 16)
    match = re.search(rb"Content-Type:[^\n]*charset=([A-Za-z0-9._-]+)", start)
    name = match[1].decode("ascii") if match else "utf-8"
    if name == "CHARSET":  # the placeholder of templates
        return "utf-8"
    return find_encoding(name, path)
