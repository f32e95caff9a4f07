"""A crew of Dask workers."""

from __future__ import annotations

import contextlib
import hashlib
import math
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from dragoman.cluster.worker import Order, Report, do, own_version
from dragoman.crew import Content, Crew, Effort, Here, Part, Result, Tool
from dragoman.errors import ClusterError
from dragoman.progress import Task

if TYPE_CHECKING:
    from pathlib import Path

    from distributed import Client, Future

# Less work than this, in seconds of one core, stays with the caller: starting two workers here
# takes five seconds of processors (bench/cluster.py), asking those that run some milliseconds a
# part.
START_SECONDS = 40.0
RUNNING_SECONDS = 1.0
# Whether all work is sent that can be, also what the caller would do sooner: for tests.
SEND_ALL = False
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
# How long it is taken to be true how many workers there are: asking takes as long as a small part.
COUNTED_SECONDS = 1.0


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


@dataclass
class _Pending:
    """A part that is under way."""

    part: Part[Any]
    order: Order
    key: str
    future: Future
    failures: int = 0
    failed: list[str] = field(default_factory=list)  # workers that have failed at it


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
        beside: int = 0,
    ) -> None:
        """`beside`: so many workers will be started on this machine when they get their first
        work; 0: those of a scheduler that is running."""
        self._connect, self._shared, self._here = connect, str(shared), Here(threads)
        self._beside, self._running = beside, not beside
        self._version = own_version()
        # Workers live longer than a command, and tools are names of files: what these held for an
        # earlier one is nothing to this.
        self._own = uuid4().bytes
        self._workers: tuple[float, dict[str, int]] = -math.inf, {}  # when there were so many
        self.deeds: list[Deed] = []

    @cached_property
    def client(self) -> Client:
        """The connection, made when it is first needed."""
        client = self._connect()
        self._running = True
        return client

    def suited(self, effort: Effort) -> Crew:
        """These workers; or the asking process for work that is done before they would be, and
        for work that its threads do as well as processes beside it, which share its cores."""
        if SEND_ALL:
            return self
        if effort.threaded and 0 < self._beside <= self._here.threads:
            return self._here
        least = RUNNING_SECONDS if self._running else START_SECONDS
        return self if effort.seconds >= least else self._here

    def run(
        self,
        work: Callable[[Tool, Content, int], Result],
        tool: Tool,
        parts: Iterable[Part[Content]],
        task: Task | None = None,
    ) -> Iterator[Result]:
        """Parts go out as workers become free; what comes back waits for its turn."""
        packed = pickle.dumps(tool, protocol=5)
        key = hashlib.blake2b(packed, digest_size=16, key=self._own).hexdigest()
        label = f"{work.__name__.strip('_')}-{uuid4().hex[:12]}"
        coming = iter(parts)
        waiting: deque[_Pending] = deque()
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
                    part_key = f"{label}-{number:06}"
                    future = self._submit(order, part_key, [])
                    waiting.append(_Pending(part, order, part_key, future))
                    number += 1
                if not waiting:
                    break
                report = self._done(waiting, task)
                if report.problem is not None:
                    raise report.problem
                yield pickle.loads(report.result)
        finally:
            left = [pending.future for pending in waiting]
            if left and self.client.status == "running":
                with contextlib.suppress(OSError, TimeoutError):  # the scheduler has gone
                    self.client.cancel(left, force=True)

    def _window(self) -> int:
        return PARTS_PER_THREAD * sum(self._threads_by_worker().values()) + SPARE_PARTS

    def _threads_by_worker(self) -> dict[str, int]:
        if self.client.status != "running":
            raise self._lost()
        counted, found = self._workers
        now = time.perf_counter()
        if now - counted >= COUNTED_SECONDS:
            try:
                found = self.client.nthreads()
            except OSError as problem:
                raise self._lost() from problem
            self._workers = now, found
        return found

    def _submit(self, order: Order, key: str, failed: list[str]) -> Future:
        """Send a part out: to others than those who have failed at it, if there are any."""
        others = set(self._threads_by_worker() if failed else ()) - set(failed)
        # An impure function: a part that is asked for twice, in two runs, is done twice.
        return self.client.submit(
            do,
            order,
            key=key,
            pure=False,
            workers=sorted(others) or None,
            allow_other_workers=bool(others),
        )

    def _done(self, waiting: deque[_Pending], task: Task | None) -> Report:
        """The first of the parts under way, when it is done."""
        pending = waiting[0]
        while True:
            report = self._wait(pending, len(waiting), task)
            if isinstance(report, Report) and not report.accident:
                break
            pending.failures += 1
            if isinstance(report, Report):
                pending.failed.append(report.worker)
                report = f"on {report.worker}: {report.accident}"
            if pending.failures == ATTEMPTS:
                raise ClusterError(
                    f"{pending.part.name}: failed {ATTEMPTS} times, at last {report}"
                )
            again = f"{pending.key}-{pending.failures}"
            pending.future = self._submit(pending.order, again, pending.failed)
        waiting.popleft()
        self.deeds.append(
            Deed(
                pending.order.work.__name__.strip("_"),
                pending.part.name,
                report.worker,
                report.begin,
                report.end,
                report.processor,
                len(pending.order.content),
                len(report.result),
                report.peak_memory,
            )
        )
        return report

    def _wait(self, pending: _Pending, waiting: int, task: Task | None) -> Report | str:
        """What came of a part; or, where it did not even come to be done, how that failed."""
        from distributed import TimeoutError as DaskTimeoutError

        future, lonely_since, paused = pending.future, None, False
        since = asked = time.monotonic()
        while True:
            try:
                report: Report = future.result(timeout=_LOOK_SECONDS)
                return report
            except (DaskTimeoutError, TimeoutError):
                if future.done() and future.status == "error":  # the part itself timed out
                    return self._accident(pending.part, future.exception())
            except Exception as problem:
                return self._accident(pending.part, problem)
            workers = len(self._threads_by_worker())
            now = time.monotonic()
            waited = now - since
            if now - asked >= STRAGGLING_SECONDS:
                asked, paused = now, self._all_paused()
            idle = "" if workers else "has had no worker"
            if workers and paused:
                idle = "has paused all its workers, which hold more memory than it lets them,"
            lonely_since = lonely_since or now if idle else None
            if lonely_since is not None and now - lonely_since > LONELY_SECONDS:
                raise ClusterError(
                    f"the cluster {idle} for {LONELY_SECONDS:.0f} s; start some, or some with "
                    "more memory, then give the same command again: it goes on from here"
                )
            if task is not None:
                note = f"{workers} workers, {waiting} parts under way"
                if waited >= STRAGGLING_SECONDS:
                    note += f", {waited:.0f} s for {pending.part.name}"
                task.note(note)

    def _all_paused(self) -> bool:
        """Whether no worker takes any part, because of its memory."""
        try:
            workers = self.client.scheduler_info()["workers"].values()
        except OSError as problem:
            raise self._lost() from problem
        return bool(workers) and all(worker.get("status") == "paused" for worker in workers)

    def _accident(self, part: Part[Any], problem: BaseException) -> str:
        """What kept a worker from doing a part, if that is worth another attempt."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        if isinstance(problem, KilledWorker):
            raise ClusterError(
                f"{part.name}: every worker that took it has died, the last one "
                f"{problem.last_worker.address}; it may need more memory than a worker has"
            ) from problem
        if isinstance(problem, FutureCancelledError) or self.client.status != "running":
            raise self._lost() from problem
        return f"with: {str(problem) or type(problem).__name__}"

    def _lost(self) -> ClusterError:
        return ClusterError(
            "the connection to the scheduler was lost; when it is back, give the same command "
            "again: a training goes on from the last finished stage, a translation begins anew"
        )
