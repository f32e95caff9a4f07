"""One writer at a time: a lock that the operating system keeps, and takes back by itself."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType


class FileLock:
    """Holds the lock of a file from construction to the end of its ``with`` block.

    The file is made if it is not there and stays when the lock is given back; what it contains
    does not matter. Another process, or the same one a second time, that asks for the lock while
    it is held gets ``BlockingIOError`` at once. The lock is gone with the process that holds it,
    however that ends. It binds only those who ask for it. Where the file cannot be made, or its
    file system knows no locks, this raises ``OSError``.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._descriptor)
            raise

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._descriptor)  # the lock goes with it
