"""Arguments of public functions, checked for the mistakes people make."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from dragoman.errors import UsageError
from dragoman.progress import SILENT, Progress, to_terminal

Kind = TypeVar("Kind")


def strings(given: Any, what: str, wanted: str = "a list of strings") -> list[str]:
    """What should be some strings, as a list; one string is not some."""
    found = _items(given, what, wanted)
    for number, one in enumerate(found, 1):
        if not isinstance(one, str):
            raise UsageError(f"{what}: number {number} must be a string, not {_told(one)}")
    return found


def one_string(given: Any, what: str) -> str:
    """What should be a string."""
    return instance(given, str, what)


def paths(given: Any, what: str) -> list[Path]:
    """What should be the names of some files, as a list; one name is not some."""
    return [path(one, what) for one in _items(given, what, "a list of files")]


def models(given: Any, what: str) -> list[Any]:
    """What should be some models, opened or not, as a list; one is not some."""
    return _items(given, what, "a list of models")


def path(given: Any, what: str) -> Path:
    """What should be the name of a file or a directory."""
    if not isinstance(given, str | os.PathLike):
        raise UsageError(f"{what} must be a path, not {_told(given)}")
    return Path(given)


def instance(given: Any, kind: type[Kind], what: str) -> Kind:
    """What should be of a type."""
    if not isinstance(given, kind):
        raise UsageError(f"{what} must be of type {kind.__name__}, not {_told(given)}")
    return given


def thread_count(given: Any) -> int:
    """How many threads to use; None: as many as there are processors."""
    if given is None:
        return os.cpu_count() or 1
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise UsageError(f"threads must be at least 1, not {given!r}")
    return given


def shown(progress: Any) -> Progress:
    """What shows progress; True: bars or lines on standard error, False: nothing."""
    if isinstance(progress, bool):
        return to_terminal() if progress else SILENT
    if not (hasattr(progress, "task") and hasattr(progress, "message")):
        raise UsageError(f"progress must be True or False, not {_told(progress)}")
    found: Progress = progress
    return found


def _items(given: Any, what: str, wanted: str) -> list[Any]:
    alone = isinstance(given, str | bytes | os.PathLike | Mapping)
    if alone or not isinstance(given, Iterable):
        raise UsageError(f"{what} must be {wanted}, not {_told(given)}")
    return list(given)


def _told(given: Any) -> str:
    """A value as a message names it."""
    if given is None:
        return "None"
    text = repr(given)
    return text if len(text) <= 60 else f"a {type(given).__name__}"
