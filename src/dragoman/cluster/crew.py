"""A crew of Dask workers."""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from dragoman.cluster.worker import Order, Report, do, own_version
from dragoman.crew import Content, Crew, Here, Part, Result, Tool
from dragoman.errors import ClusterError, DragomanError
from dragoman.progress import Task

if TYPE_CHECKING:
    from pathlib import Path

    from distributed import Client, Future

# Less work than this, in seconds of one core, stays with the caller: starting two workers here
# takes five seconds of processors (bench/cluster.py), asking those that run some milliseconds a
# part.
START_SECONDS = 40.0
RUNNING_SECONDS = 1.0
# A part that has failed so often is not tried again.
ATTEMPTS = 3
# Parts on their way at a time: enough that no worker waits while the first of them takes long,
# few enough that their results fit into memory.
PARTS_PER_THREAD = 4
SPARE_PARTS = 8
# Without any worker for so long, the work ends; started again, it goes on.
LONELY_SECONDS = 300.0
# Whoever waits so long for the next result is told for which part.
STRAGGLING_SECONDS = 20.0
_LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class Deed:
    """A part that was done: by whom, when, and what travelled."""

    work: str
    part: str
    worker: str
    begin: float
    end: float
    processor: float  # seconds of the worker's processor
    sent: int  # bytes
    received: int
    peak_memory: int


class DaskCrew:
    """Workers of a Dask cluster that see the same files as this process."""

    elsewhere = True
    threads = 1  # a worker does several parts at a time instead

    def __init__(
        self,
        connect: Callable[[], Client],
        shared: Path,
        threads: int = 1,
        *,
        running: bool = False,
    ) -> None:
        self._connect, self._shared, self._here = connect, str(shared), Here(threads)
        self._running = running
        self._version = own_version()
        self.deeds: list[Deed] = []

    @cached_property
    def client(self) -> Client:
        """The connection, made when it is first needed."""
        client = self._connect()
        self._running = True
        return client

    def suited(self, seconds: float) -> Crew:
        """These workers, or the asking process for work that is done before they would be."""
        least = RUNNING_SECONDS if self._running else START_SECONDS
        return self if seconds >= least else self._here

    def run(
        self,
        work: Callable[[Tool, Content, int], Result],
        tool: Tool,
        parts: Iterable[Part[Content]],
        task: Task | None = None,
    ) -> Iterator[Result]:
        """Parts go out as workers become free; what comes back waits for its turn."""
        packed = pickle.dumps(tool, protocol=5)
        key = hashlib.blake2b(packed, digest_size=16).hexdigest()
        label = f"{work.__name__.strip('_')}-{uuid4().hex[:12]}"
        coming = iter(parts)
        waiting: deque[tuple[Part[Content], int, Future]] = deque()
        number, ended = 0, False
        try:
            while waiting or not ended:
                while not ended and len(waiting) < self._window():
                    part = next(coming, None)
                    if part is None:
                        ended = True
                        break
                    content = pickle.dumps(part.content, protocol=5)
                    order = Order(self._version, self._shared, work, key, packed, content)
                    future = self._submit(order, f"{label}-{number:06}")
                    waiting.append((part, len(content), future))
                    number += 1
                if not waiting:
                    break
                part, sent, future = waiting.popleft()
                report = self._wait(part, future, len(waiting) + 1, task)
                del future  # the cluster may forget it
                self.deeds.append(
                    Deed(
                        work.__name__.strip("_"),
                        part.name,
                        report.worker,
                        report.begin,
                        report.end,
                        report.processor,
                        sent,
                        len(report.result),
                        report.peak_memory,
                    )
                )
                if report.problem is not None:
                    raise report.problem
                yield pickle.loads(report.result)
        finally:
            left = [future for _, _, future in waiting]
            if left and self.client.status == "running":
                with contextlib.suppress(OSError, TimeoutError):  # the scheduler has gone
                    self.client.cancel(left, force=True)

    def _window(self) -> int:
        return PARTS_PER_THREAD * sum(self._threads_by_worker().values()) + SPARE_PARTS

    def _threads_by_worker(self) -> dict[str, int]:
        if self.client.status != "running":
            raise self._lost()
        try:
            found: dict[str, int] = self.client.nthreads()
        except OSError as problem:
            raise self._lost() from problem
        return found

    def _submit(self, order: Order, key: str) -> Future:
        # An impure function: a part that is asked for twice, in two runs, is done twice.
        return self.client.submit(do, order, key=key, retries=ATTEMPTS - 1, pure=False)

    def _wait(self, part: Part[Any], future: Future, waiting: int, task: Task | None) -> Report:
        from distributed import TimeoutError as DaskTimeoutError

        since, lonely_since = time.monotonic(), None
        while True:
            try:
                report: Report = future.result(timeout=_LOOK_SECONDS)
                return report
            except (DaskTimeoutError, TimeoutError):
                if future.done() and future.status == "error":  # the part itself timed out
                    raise self._failure(part, future.exception()) from None
            except DragomanError as problem:
                raise self._failure(part, problem) from problem
            except Exception as problem:
                raise self._failure(part, problem) from problem
            workers = len(self._threads_by_worker())
            now = time.monotonic()
            lonely_since = None if workers else lonely_since or now
            if lonely_since is not None and now - lonely_since > LONELY_SECONDS:
                raise ClusterError(
                    f"the cluster has had no worker for {LONELY_SECONDS:.0f} s; start some, then "
                    "give the same command again: it goes on from here"
                )
            if task is not None:
                note = f"{workers} workers, {waiting} parts under way"
                waited = now - since
                if waited >= STRAGGLING_SECONDS:
                    note += f", {waited:.0f} s for {part.name}"
                task.note(note)

    def _failure(self, part: Part[Any], problem: BaseException) -> DragomanError:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        if isinstance(problem, KilledWorker):
            return ClusterError(
                f"{part.name}: every worker that took it has died, the last one "
                f"{problem.last_worker.address}; it may need more memory than a worker has"
            )
        if isinstance(problem, FutureCancelledError) or self.client.status != "running":
            return self._lost()
        text = str(problem) or type(problem).__name__
        return ClusterError(f"{part.name}: failed {ATTEMPTS} times, at last with: {text}")

    def _lost(self) -> ClusterError:
        return ClusterError(
            "the connection to the scheduler was lost; when it is back, give the same command "
            "again: a training goes on from the last finished stage, a translation begins anew"
        )
