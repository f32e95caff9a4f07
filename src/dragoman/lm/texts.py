"""Texts that n-grams are counted in, one after the other.

Some can be read by other processes; those of :func:`spooled` and :func:`bitext_texts` are cut by
the data alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, Any, Protocol

from dragoman._core import load_word_classes
from dragoman.corpus.bitext import Bitext, BitextFiles
from dragoman.corpus.read.lines import open_bytes
from dragoman.errors import InputError

_PIECE = 1 << 22  # bytes read at once
_BATCH = 10_000  # lines joined at once
SPOOLED = 1 << 24  # bytes of a part of spooled text
SENTENCES = 100_000  # of a part of a bitext


class Text(Protocol):
    """Tokens, one sentence a line."""

    @property
    def name(self) -> str:
        """As error messages call it."""

    @property
    def lines_before(self) -> int:
        """How many lines of the same name come before."""

    def pieces(self) -> Iterable[bytes]:
        """The text, cut anywhere."""


@dataclass(frozen=True)
class StreamText:
    """What can be read once, here."""

    name: str
    stream: Iterable[bytes]
    lines_before: int = 0

    def pieces(self) -> Iterable[bytes]:
        """The text, cut anywhere."""
        return self.stream

    @classmethod
    def of_file(cls, path: Path) -> StreamText:
        """A file, perhaps compressed."""
        return cls(str(path), _pieces_of_file(path))

    @classmethod
    def of_stream(cls, stream: IO[bytes]) -> StreamText:
        """An open file."""
        return cls(str(getattr(stream, "name", "text")), _pieces_of_stream(stream))

    @classmethod
    def of_lines(cls, lines: Iterable[str], name: str) -> StreamText:
        """Lines in memory, or from a generator."""
        return cls(name, _pieces_of_lines(lines))


@dataclass(frozen=True)
class SpooledText:
    """A part of a text, in a file that everybody sees."""

    name: str
    lines_before: int
    file: Path

    def pieces(self) -> Iterator[bytes]:
        """The text, cut anywhere."""
        with self.file.open("rb") as stream:
            yield from _pieces_of_stream(stream)

    def lines(self) -> Iterator[bytes]:
        """The text, cut between lines."""
        with self.file.open("rb") as stream:
            while batch := stream.readlines(_PIECE):
                yield b"".join(batch)


@dataclass(frozen=True)
class BitextText:
    """The target sentences [begin, end) of a bitext; with a file of word classes, in these."""

    name: str
    files: BitextFiles
    begin: int
    end: int
    classes: Path | None = None

    @property
    def lines_before(self) -> int:
        """How many sentences come before."""
        return self.begin

    @cached_property
    def _bitext(self) -> Bitext:
        return self.files.open()

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def pieces(self) -> Iterator[bytes]:
        """The text, cut anywhere."""
        sentences = self._bitext.target.native
        words = self._bitext.target_vocabulary
        classes = load_word_classes(str(self.classes)) if self.classes is not None else None
        for first in range(self.begin, self.end, _BATCH):
            last = min(self.end, first + _BATCH)
            if classes is None:
                yield sentences.text(words, first, last)
            else:
                yield sentences.class_text(classes, first, last)


def bitext_texts(files: BitextFiles, name: str, classes: Path | None = None) -> list[BitextText]:
    """The target side of a bitext in parts; with a file of word classes, in these."""
    files, size = files.absolute(), len(files.open())
    classes = classes.absolute() if classes is not None else None
    return [
        BitextText(name, files, begin, min(size, begin + SENTENCES), classes)
        for begin in range(0, size, SENTENCES)
    ]


def spooled(texts: Iterable[Text], place: Path) -> list[SpooledText]:
    """The same texts in files of the directory `place`, cut between lines."""
    parts: list[SpooledText] = []

    def close(text: Text, content: bytes, before: int) -> int:
        path = place.absolute() / f"text.{len(parts):06}"
        path.write_bytes(content)
        parts.append(SpooledText(text.name, before, path))
        return before + content.count(b"\n")

    for text in texts:
        waiting, before = b"", text.lines_before
        for piece in text.pieces():
            waiting += piece
            # A line that is no sentence may be longer; it is refused by whoever reads it.
            end = waiting.rfind(b"\n") + 1 or len(waiting)
            if len(waiting) >= SPOOLED:
                before = close(text, waiting[:end], before)
                waiting = waiting[end:]
        if waiting:
            close(text, waiting, before)
    return parts


def _pieces_of_file(path: Path) -> Iterator[bytes]:
    with open_bytes(path) as stream:
        yield from _pieces_of_stream(stream)


def _pieces_of_stream(stream: IO[bytes]) -> Iterator[bytes]:
    while piece := stream.read(_PIECE):
        yield piece


def _pieces_of_lines(lines: Iterable[str]) -> Iterator[bytes]:
    iterator = iter(lines)
    while batch := list(islice(iterator, _BATCH)):
        # A line may come with its end or without; inside it, an end would make two sentences.
        text = "".join(f"{line.removesuffix(chr(10))}\n" for line in batch)
        try:
            yield text.encode()
        except UnicodeEncodeError as problem:
            raise InputError(f"text that is no Unicode: {problem}") from problem
