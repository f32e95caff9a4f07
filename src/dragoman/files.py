"""Files that are there whole or not at all, and their hashes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dragoman.errors import FileError


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise FileError.of(problem, path) from problem


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, renamed to it if the body succeeds and removed if not."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(path)
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    finally:
        temporary.unlink(missing_ok=True)


def require_place(path: Path) -> None:
    """Before long work whose result goes to `path`: can a file be written there?"""
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no directory {path.parent}; make it first")
    if path.is_dir():
        raise FileError(f"{path}: is a directory; give the name of a file")


def _sync(path: Path) -> None:
    """Let a rename never overtake the data it names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
