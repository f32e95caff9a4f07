"""What a training leaves if it is killed, at every moment that matters.

The process is watched, not killed: whenever it is about to open a file for writing, to rename,
remove, make or sync something below a directory, that directory is copied as it is. A copy is
what a kill at that moment would have left, for what a process has not yet handed to the system
is not in it. Between two moments files are written; where some have changed, there is a second
copy in which they end in the middle.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR
# Path of the model, by device and place, to size and time.
Sight = dict[tuple[int, int], tuple[str, int, int]]


@dataclass
class Moments:
    """Copies of a directory, by number, and what was about to happen."""

    watched: Path
    place: Path
    wanted: Container[int]  # their numbers; copies of all moments would need gigabytes
    count: int = 0  # of all of them
    found: list[tuple[str, Path]] = field(default_factory=list)
    _before: Sight | None = None
    _busy: bool = False

    def see(self, what: str, event: str) -> None:
        """Copy the directory if it has changed since the last time."""
        if self._busy or not self.watched.exists():
            return
        self._busy = True
        try:
            now = self._sight()
            if now == self._before:
                return
            self._see_next(what, [])
            # A file that was only renamed was whole before.
            torn = [
                name
                for key, (name, size, time) in now.items()
                if size > 1 and (self._before or {}).get(key, ("", 0, 0))[1:] != (size, time)
            ]
            if torn:
                self._see_next(f"{what}, {', '.join(torn)} half written", torn)
            self._before = now
        finally:
            self._busy = False

    def _sight(self) -> Sight:
        seen: Sight = {}
        for path in sorted(self.watched.rglob("*")):
            status = path.stat()
            size = -1 if path.is_dir() else status.st_size
            time = 0 if path.is_dir() else status.st_mtime_ns
            name = path.relative_to(self.watched).as_posix()
            seen[status.st_dev, status.st_ino] = (name, size, time)
        return seen

    def _see_next(self, what: str, torn: list[str]) -> None:
        """Count one more moment, in which the files `torn` end in the middle; copy it if asked."""
        number, self.count = self.count, self.count + 1
        if number not in self.wanted:
            return
        copy = self.place / f"{number:04}"
        shutil.copytree(self.watched, copy)
        # Whoever resumes is another process than the one that was killed.
        for path in [*copy.rglob(f".*.{os.getpid()}.tmp")]:
            path.rename(path.with_name(path.name.replace(f".{os.getpid()}.", ".1.")))
        for name in torn:
            path = copy / name.replace(f".{os.getpid()}.tmp", ".1.tmp")
            os.truncate(path, path.stat().st_size // 2)
        self.found.append((what, copy))


# What needs room on a disk; removing does not.
NEEDS_ROOM = frozenset(("open", "os.mkdir", "os.rename", "fsync"))


@dataclass
class FullDisk:
    """Lets so many operations pass that need room; all that follow fail."""

    watched: Path
    passes: int | None = None  # None: all of them
    count: int = 0
    _busy: bool = False

    def see(self, what: str, event: str) -> None:
        """Raise OSError when the disk is full."""
        if event in NEEDS_ROOM:
            self.count += 1
            if self.passes is not None and self.count > self.passes:
                raise OSError(errno.ENOSPC, f"no room: {what}")


_watching: list[Moments | FullDisk] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching or _watching[0]._busy:
        return
    match event:
        case "open":
            path, _, flags = arguments
            if not isinstance(flags, int) or not flags & WRITING:
                return
            folder = -1
        case "os.rename":
            path, folder = arguments[1], arguments[3]
        case "os.remove" | "os.rmdir":
            path, folder = arguments
        case "os.mkdir":
            path, folder = arguments[0], arguments[2]
        case _:
            return
    if isinstance(path, str | Path) and _is_below(Path(path), folder, _watching[0].watched):
        _watching[0].see(f"{event} {Path(path).name}", event)


def _is_below(path: Path, folder: int, watched: Path) -> bool:
    if folder != -1:
        path = Path(f"/proc/self/fd/{folder}").readlink() / path
    return watched in path.parents


@contextmanager
def watched(directory: Path, place: Path, wanted: Container[int] = ()) -> Iterator[Moments]:
    """The moments inside the ``with`` block; those `wanted` are copied to `place`."""
    place.mkdir(exist_ok=True)
    moments = Moments(directory, place, wanted)
    with _seen_by(moments):
        yield moments


@contextmanager
def full_disk(directory: Path, passes: int | None = None) -> Iterator[FullDisk]:
    """In the ``with`` block there is room below `directory` for so many operations."""
    disk = FullDisk(directory, passes)
    with _seen_by(disk):
        yield disk


@contextmanager
def _seen_by(watcher: Moments | FullDisk) -> Iterator[None]:
    if not hasattr(_seen_by, "hooked"):  # a hook cannot be taken away again
        sys.addaudithook(_hook)
        _seen_by.hooked = True  # type: ignore[attr-defined]
    fsync: Callable[..., None] = os.fsync

    def seen_fsync(descriptor: int) -> None:
        watcher.see("fsync", "fsync")
        fsync(descriptor)

    os.fsync = seen_fsync
    _watching.append(watcher)
    try:
        yield
    finally:
        _watching.pop()
        os.fsync = fsync
