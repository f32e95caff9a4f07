"""Progress that people can see and pipes need not read.

Library functions take ``progress: Progress = SILENT`` and report through it::

    with progress.task("counting", total=len(bitext), unit="pairs") as task:
        for batch in batches:
            ...
            task.advance(len(batch))

The command line passes :func:`to_terminal`, which draws bars with rate and ETA on a terminal
and prints a plain line now and then otherwise.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

# A stage that ends sooner than this stays silent in a pipe; a longer one speaks this often.
QUIET_SECONDS = 1.0
LINE_SECONDS = 10.0


class Task(Protocol):
    """One piece of work under way."""

    def advance(self, amount: int = 1) -> None:
        """Say that `amount` more units are done."""

    def note(self, text: str) -> None:
        """Show a short remark beside the task, e.g. a current score."""


class Progress(Protocol):
    """Something that shows tasks and messages."""

    def task(
        self, label: str, total: int | None = None, unit: str = "items"
    ) -> AbstractContextManager[Task]:
        """A context in which the returned task advances to `total` (None: unknown)."""

    def message(self, text: str) -> None:
        """Show a line that stays."""


class _Silent:
    def __repr__(self) -> str:
        return "SILENT"

    @contextmanager
    def task(self, label: str, total: int | None = None, unit: str = "items") -> Iterator[Task]:
        yield self

    def message(self, text: str) -> None:
        pass

    def advance(self, amount: int = 1) -> None:
        pass

    def note(self, text: str) -> None:
        pass


SILENT: Progress = _Silent()


class WithoutMessages:
    """Shows tasks, and no messages."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def task(
        self, label: str, total: int | None = None, unit: str = "items"
    ) -> AbstractContextManager[Task]:
        return self._progress.task(label, total, unit)

    def message(self, text: str) -> None:
        pass


def pace(rate: float, unit: str) -> str:
    """So many a second, or what each takes where that is longer; empty before anything is done."""
    if rate <= 0:
        return ""
    if rate < 1:
        return f"{1 / rate:,.1f} s a {unit.removesuffix('s')}"
    if unit == "bytes":
        return f"{rate / 1e6:,.1f} MB/s"
    return f"{rate:,.0f} {unit}/s"


class _LineTask:
    def __init__(self, label: str, total: int | None, unit: str, stream: TextIO) -> None:
        self._label, self._total, self._unit, self._stream = label, total, unit, stream
        self._done = 0
        self._note = ""
        self._start = self._spoken = time.monotonic()

    def advance(self, amount: int = 1) -> None:
        self._done += amount
        now = time.monotonic()
        if now - self._spoken >= LINE_SECONDS:
            self._spoken = now
            self._print(now)

    def note(self, text: str) -> None:
        self._note = text

    def close(self) -> None:
        now = time.monotonic()
        if now - self._start >= QUIET_SECONDS:
            self._print(now)

    def _print(self, now: float) -> None:
        seconds = now - self._start
        done = f"{self._done:,}" + (f"/{self._total:,}" if self._total else "")
        rate = pace(self._done / seconds, self._unit) if seconds > 0 else ""
        if self._total and 0 < self._done < self._total:
            rate += f"  {seconds / self._done * (self._total - self._done):,.0f} s left"
        note = f"  {self._note}" if self._note else ""
        print(
            f"{self._label}: {done} {self._unit}  {seconds:.1f} s  {rate}{note}",
            file=self._stream,
            flush=True,
        )


class _Lines:
    """Plain lines for logs and pipes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @contextmanager
    def task(self, label: str, total: int | None = None, unit: str = "items") -> Iterator[Task]:
        task = _LineTask(label, total, unit, self._stream)
        yield task
        task.close()

    def message(self, text: str) -> None:
        print(text, file=self._stream, flush=True)


class _Bars:
    """Rich bars for terminals."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console

        self._console = Console(file=stream)

    @contextmanager
    def task(self, label: str, total: int | None = None, unit: str = "items") -> Iterator[Task]:
        from rich import progress as rich_progress

        class Rate(rich_progress.ProgressColumn):
            def render(self, task: rich_progress.Task) -> str:
                return pace(task.finished_speed or task.speed or 0.0, unit)

        bars = rich_progress.Progress(
            rich_progress.TextColumn("{task.description}"),
            rich_progress.BarColumn(),
            rich_progress.MofNCompleteColumn(),
            Rate(),
            rich_progress.TimeElapsedColumn(),
            rich_progress.TimeRemainingColumn(),
            rich_progress.TextColumn("{task.fields[note]}"),
            console=self._console,
        )
        with bars:
            identity = bars.add_task(label, total=total, note="")

            class Bar:
                def advance(self, amount: int = 1) -> None:
                    bars.advance(identity, amount)

                def note(self, text: str) -> None:
                    bars.update(identity, note=text)

            yield Bar()

    def message(self, text: str) -> None:
        self._console.print(text, highlight=False, markup=False)


def to_terminal(quiet: bool = False, stream: TextIO | None = None) -> Progress:
    """Bars when `stream` (default: standard error) is a terminal, lines when it is not."""
    if quiet:
        return SILENT
    stream = stream if stream is not None else sys.stderr
    return _Bars(stream) if stream.isatty() else _Lines(stream)


def beside_output(*, to_file: bool, quiet: bool = False) -> Progress:
    """Progress of a command whose output goes to a file or to standard output: whoever sees the
    output come needs no bar, which would stand between its lines."""
    watched = sys.stderr.isatty() and (to_file or not sys.stdout.isatty())
    return to_terminal(quiet or not watched)
