"""A scheduler and workers as programs of their own, which can be killed."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.cluster.trainings import ROOT


class Programs:
    """All of them on the loopback interface; the scheduler is found through `file`."""

    def __init__(self, file: Path, stack: contextlib.ExitStack, options: list[str]) -> None:
        self.file, self._stack, self._options = file, stack, options

    def scheduler(self) -> "subprocess.Popen[bytes]":
        """Start one; returns when it can be reached."""
        self.file.unlink(missing_ok=True)
        found = self._started("scheduler", "--port", "0", "--no-dashboard")
        while not self.file.exists() or not self.file.read_text():
            assert found.poll() is None
            time.sleep(0.1)
        return found

    def worker(
        self, *options: str, python: Sequence[str] = (sys.executable,), **process: Any
    ) -> "subprocess.Popen[bytes]":
        """Start one with one thread; `python` is the command that runs it."""
        own = ("--nthreads", "1", "--no-dashboard", *options)
        return self._started("worker", *own, python=python, **process)

    def _started(
        self, kind: str, *options: str, python: Sequence[str] = (sys.executable,), **process: Any
    ) -> "subprocess.Popen[bytes]":
        place = ["--scheduler-file", str(self.file), *self._options]
        found = subprocess.Popen(
            [*python, "-m", "dask", kind, "--host", "127.0.0.1", *place, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=os.environ | {"DASK_TEMPORARY_DIRECTORY": str(self.file.parent)},
            **process,
        )
        self._stack.callback(found.wait)
        self._stack.callback(found.kill)
        return found


@contextlib.contextmanager
def programs(place: Path, *options: str) -> Iterator[Programs]:
    """They end with the context; `options` are those of all."""
    with contextlib.ExitStack() as stack:
        yield Programs(place / "scheduler.json", stack, [*options])
