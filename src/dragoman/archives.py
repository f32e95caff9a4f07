"""ZIP archives of strangers: every size is bounded, and what is damaged is said."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from dragoman.errors import FileError, InputError

MOST_MEMBERS = 10_000
_PIECE = 1 << 20
_OLE = b"\xd0\xcf\x11\xe0"  # Word before 2007, and what has a password since
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    RuntimeError,  # a password is wanted
    NotImplementedError,  # a way of packing that nobody knows
    ValueError,
    OverflowError,
)


class Archive:
    """An archive that is open for reading."""

    def __init__(self, path: Path, file: zipfile.ZipFile) -> None:
        self.path, self._file = path, file
        self.members = file.infolist()
        names = [member.filename for member in self.members]
        if len(names) > MOST_MEMBERS or len(set(names)) < len(names):
            raise self.damaged("it holds too many files, or some twice")
        if any(member.flag_bits & 1 for member in self.members):
            raise InputError.at(path, None, "has a password; save it without one")
        self.names = frozenset(names)

    def damaged(self, what: object) -> InputError:
        """The error for a file that is not what it should be."""
        return InputError.at(self.path, None, f"cut or damaged: {what}")

    def read(self, name: str, most: int) -> bytes:
        """A member of at most `most` bytes."""
        pieces = []
        for piece in self.pieces(name, most):
            pieces.append(piece)
        return b"".join(pieces)

    def pieces(self, name: str, most: int) -> Iterator[bytes]:
        """A member, piece by piece; its checksum is compared at the end."""
        with self._sound(), self._file.open(name) as stream:
            yield from self._bounded(stream, name, most)

    def _bounded(self, stream: IO[bytes], name: str, most: int) -> Iterator[bytes]:
        size = 0
        while piece := stream.read(_PIECE):
            size += len(piece)
            if size > most:
                raise InputError.at(
                    self.path, None, f"{name} in it unpacks to more than {most:,} bytes"
                )
            yield piece

    @contextmanager
    def _sound(self) -> Iterator[None]:
        try:
            yield
        except KeyError as problem:
            raise self.damaged(problem) from problem
        except _DAMAGE as problem:
            raise self.damaged(problem) from problem


@contextmanager
def open_archive(path: Path, what: str) -> Iterator[Archive]:
    """The archive at a path; `what` it should be is named when it is none."""
    try:
        with path.open("rb") as file:
            begin = file.read(4)
            if begin == _OLE:
                raise InputError.at(
                    path, None, f"no {what}, but of an old format or with a password; save it anew"
                )
            file.seek(0)
            try:
                archive = zipfile.ZipFile(file)
            except _DAMAGE as problem:
                raise InputError.at(path, None, f"no {what}, or cut: {problem}") from problem
            with archive:
                yield Archive(path, archive)
    except OSError as problem:
        raise FileError.of(problem, path) from problem
