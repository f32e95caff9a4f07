"""Files: there whole or not at all, their hashes, and those in TOML and JSON."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dragoman.errors import DragomanError, FileError, ModelError

_SEAL = "# sha256 of the rest: "
_DEEPEST_TOML = 50
_TEMPORARY = re.compile(r"\..+\.\d+\.tmp")


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise FileError.of(problem, path) from problem


def sealed(text: str) -> str:
    """A text with a first line, a comment in TOML, that holds the SHA-256 of the rest."""
    return f"{_SEAL}{hashlib.sha256(text.encode()).hexdigest()}\n{text}"


def read_toml(path: Path, kind: type[DragomanError] = ModelError) -> dict[str, Any]:
    """The content of a TOML file; `kind` is raised for one that is none, and for one that is not
    what its seal says."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    return parse_toml(content, path, kind)


def parse_toml(
    content: bytes, path: Path, kind: type[DragomanError] = ModelError
) -> dict[str, Any]:
    """The same for the content of a file; `path` is named in errors."""
    try:
        first, _, rest = content.partition(b"\n")
        if first.startswith(_SEAL.encode()) and (
            first != _SEAL.encode() + hashlib.sha256(rest).hexdigest().encode()
        ):
            raise kind(
                f"{path}: damaged: its content does not match the checksum in its first line; "
                "restore it, or remove that line if you have changed the file on purpose"
            )
        parsed = tomllib.loads(content.decode("utf-8"))
        # Keys with dots nest without limit, and whoever reads or prints the result recurses.
        if _is_deeper(parsed, _DEEPEST_TOML):
            raise RecursionError
        return parsed
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise kind(f"{path}: not valid TOML: {problem}") from problem
    except RecursionError as problem:
        raise kind(f"{path}: not valid TOML: nested too deep") from problem


def read_json(path: Path) -> dict[str, Any]:
    """The content of a JSON file that training has written, which is always an object."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    except (ValueError, RecursionError) as problem:
        raise ModelError(
            f"{path}: damaged: {problem}; restore the file, or train again"
        ) from problem
    if not isinstance(content, dict):
        raise ModelError(f"{path}: damaged: expected an object; restore the file, or train again")
    return content


def number_within(value: object, low: float, high: float) -> float:
    """A number that a file of ours may have in this place; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{str(value)[:40]!r} is no number")
    if not low <= value <= high:
        raise ValueError(f"{str(value)[:40]} is not between {low:g} and {high:g}")
    return float(value)


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, renamed to it if the body succeeds and removed if not.

    A link stays a link: what it points to is replaced. What is no regular file, as a pipe or a
    device, cannot be replaced and is written to as it is.
    """
    if _is_stream(path):
        try:
            yield path
        except OSError as problem:
            raise FileError.of(problem, path) from problem
        return
    place = Path(os.path.realpath(path)) if path.is_symlink() else path
    # Processes of several machines may have the same number and write the same file.
    temporary = place.with_name(f".{place.name}.{os.urandom(4).hex()}.{os.getpid()}.tmp")
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(place)
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    finally:
        temporary.unlink(missing_ok=True)


def is_leftover(name: str) -> bool:
    """Whether a file has the name of one that :func:`written_whole` did not get to finish."""
    return _TEMPORARY.fullmatch(name) is not None


def require_place(path: Path) -> None:
    """Before long work whose result goes to `path`: can a file be written there?"""
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no directory {path.parent}; make it first")
    if path.is_dir():
        raise FileError(f"{path}: is a directory; give the name of a file")


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths name one regular file."""
    try:
        return one.samefile(other) and not _is_stream(one)
    except OSError:
        return False


def _is_deeper(value: object, limit: int) -> bool:
    """Whether tables and lists are nested more than `limit` deep."""
    level = [value]
    for _ in range(limit + 1):
        level = [
            item
            for one in level
            if isinstance(one, dict | list)
            for item in (one.values() if isinstance(one, dict) else one)
        ]
    return bool(level)


def _is_stream(path: Path) -> bool:
    """Whether something else than a regular file or a directory is there."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _sync(path: Path) -> None:
    """Let a rename never overtake the data it names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
