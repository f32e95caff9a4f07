"""Documents of plain text: their bytes, their encoding, their line ends."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from dragoman.corpus.read.lines import decoded
from dragoman.errors import FileError, InputError

# What somebody would translate at once; a longer file is cut into several.
MOST_BYTES = 64 << 20

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def marked_encoding(raw: bytes) -> str:
    """The encoding that the first bytes of a file tell; empty when they do not."""
    return next((name for bom, name in _BOMS if raw.startswith(bom)), "")


def read_raw(path: Path) -> bytes:
    """The bytes of a document."""
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    if len(raw) > MOST_BYTES:
        raise InputError.at(
            path, None, f"larger than {MOST_BYTES:,} bytes; cut it into several documents"
        )
    return raw


@dataclass(frozen=True)
class TextFile:
    """A document as text, to be written again in the encoding that it had."""

    path: Path
    text: str
    encoding: str

    def written(self, text: str) -> bytes:
        """The bytes of another text in its place."""
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError as problem:
            raise InputError.at(
                self.path,
                None,
                f"a translation cannot be written in {self.encoding}; make the file UTF-8",
            ) from problem

    def lines(self) -> list[tuple[str, str]]:
        """Its lines, each with its end: a line feed, perhaps behind a carriage return."""
        parts = re.split("(\r?\n)", self.text)
        found = list(zip(parts[::2], [*parts[1::2], ""], strict=True))
        return found[:-1] if found[-1] == ("", "") else found


def read_text(path: Path) -> TextFile:
    """A document in UTF-8, or in what its first bytes say."""
    raw = read_raw(path)
    encoding = marked_encoding(raw) or "utf-8"
    if encoding != "utf-16" and b"\0" in raw:
        raise InputError.at(path, None, "holds NUL bytes; is it text, and in UTF-8?")
    return TextFile(path, decoded(raw, encoding, path), encoding)
