"""Filling PO files."""

from __future__ import annotations

import re
from pathlib import Path

from dragoman.corpus.read.lines import decoded, open_bytes
from dragoman.corpus.read.po import PoEntry, charset, read_entries
from dragoman.documents.filled import Filled, Translate
from dragoman.errors import InputError
from dragoman.translation.source import text_passage

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_WIDTH = 76


def fill_po(
    path: Path,
    languages: tuple[str, str],
    translate: Translate,
    final: bool,
) -> Filled:
    """The file with its empty msgstr filled; how many were, and how many were not empty.

    New translations are fuzzy until somebody has looked at them. Plural messages get the
    translation of msgid in form 0 and that of msgid_plural in the others.
    """
    encoding = charset(path)
    with open_bytes(path) as stream:
        raw = stream.read()
    lines = decoded(raw, encoding, path).split("\n")
    empty: list[tuple[PoEntry, str, str]] = []
    kept = 0
    for entry in read_entries(path):
        source = entry.fields.get("msgid", "")
        if not source:
            continue
        plural = entry.fields.get("msgid_plural", source)
        for key, translation in entry.fields.items():
            if not key.startswith("msgstr"):
                continue
            if translation:
                kept += 1
            else:
                empty.append((entry, key, source if key in ("msgstr", "msgstr[0]") else plural))
    passages = [text_passage(text) for _, _, text in empty]
    # Line numbers to what stands there instead; the lines of a field after its first go away.
    changed: dict[int, list[str]] = {}
    for (entry, key, text), translation in zip(empty, translate(passages), strict=True):
        begin, end = entry.lines[key]
        changed |= {number: [] for number in range(begin, end + 1)}
        changed[begin] = _quoted(key, _same_ends(text, translation))
        if not final and not entry.fuzzy:
            _flag(entry, lines, changed)
    out: list[str] = []
    for number, line in enumerate(lines, 1):
        carriage = "\r" if line.endswith("\r") else ""
        if number in changed:
            out += [text + carriage for text in changed[number]]
        else:
            out.append(line)
    try:
        content = "\n".join(out).encode(encoding)
    except UnicodeEncodeError as problem:
        raise InputError.at(
            path, None, f"a translation cannot be written in {encoding}; make the file UTF-8"
        ) from problem
    return Filled(content, len(empty), kept)


def _flag(entry: PoEntry, lines: list[str], changed: dict[int, list[str]]) -> None:
    """Mark an entry as fuzzy: among its flags, or in a line before the message."""
    message = min(begin for begin, _ in entry.lines.values())
    for number in range(entry.first, message):
        flags = lines[number - 1].strip()
        if flags.startswith("#,"):
            changed[number] = ["#, fuzzy," + flags.removeprefix("#,")]
            return
    changed[message] = ["#, fuzzy", lines[message - 1].rstrip("\r")]


def _same_ends(source: str, translation: str) -> str:
    """Gettext demands that both begin and end with a line feed, or neither."""
    body = translation.strip("\n")
    before = "\n" * (len(source) - len(source.lstrip("\n")))
    after = "\n" * (len(source) - len(source.rstrip("\n"))) if body else ""
    return before + body + after


def _quoted(key: str, text: str) -> list[str]:
    """A field as lines of the file; long ones and those of several lines begin with ""."""
    escaped = "".join(_ESCAPES.get(character, character) for character in text)
    if len(escaped) + len(key) + 3 <= _WIDTH + 4 and "\\n" not in escaped.removesuffix("\\n"):
        return [f'{key} "{escaped}"']
    pieces: list[str] = []
    for part in re.findall(r".*?\\n|.+$", escaped):
        line = ""
        for word in re.findall(r"\S*\s*", part):
            if line and len(line) + len(word) > _WIDTH:
                pieces.append(line)
                line = ""
            line += word
        if line:
            pieces.append(line)
    return [f'{key} ""', *(f'"{piece}"' for piece in pieces)]
