"""What can go wrong, as a small tree of exceptions; each knows its exit code."""

from __future__ import annotations

from pathlib import Path


class DragomanError(Exception):
    """Base of everything Dragoman raises on purpose; its message is one line for the user."""

    exit_code = 1


class UsageError(DragomanError):
    """The request itself is wrong: an option out of range, options that contradict each other."""

    exit_code = 2


class ConfigError(UsageError):
    """A configuration file or value that cannot be used."""


class InputError(DragomanError):
    """Data that cannot be used: a bad line, a broken or foreign file."""

    @classmethod
    def at(cls, path: str | Path, line: int | None, problem: str) -> InputError:
        """An error that names the file and, when known, the line (counted from 1)."""
        place = f"{path}:{line}" if line is not None else f"{path}"
        return cls(f"{place}: {problem}")


class FileError(DragomanError):
    """The operating system refused: missing file, full disk, no permission."""

    @classmethod
    def of(cls, problem: OSError, path: str | Path | None = None) -> FileError:
        """The OSError as one line that names the file."""
        name = path if path is not None else problem.filename
        reason = problem.strerror or str(problem)
        return cls(f"{name}: {reason}" if name is not None else reason)


class ModelError(DragomanError):
    """A model directory that is damaged, incomplete or of another format version."""


class ClusterError(DragomanError):
    """A cluster that cannot be reached, is not fit for the work, or was lost."""


class MissingExtraError(DragomanError):
    """An optional dependency is needed and not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package: {install_command(extra)}")


def install_command(extra: str) -> str:
    """What to type to have an extra."""
    return f"pip install '{_installed_from()}[{extra}]'"


def _installed_from() -> str:
    """What pip was told to install: a folder, if the package came from one, or its name."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        origin = json.loads(distribution("dragoman").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return "dragoman"
    place = urlsplit(str(origin.get("url", "")))
    # A wheel is a file, and would have to be there still; a checkout is a folder.
    if place.scheme != "file" or "dir_info" not in origin:
        return "dragoman"
    folder = Path(unquote(place.path))
    return "." if folder == Path.cwd() else str(folder)
