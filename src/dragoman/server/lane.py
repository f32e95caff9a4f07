"""Sentences waiting for a decoder: taken in batches, from all requests in turn.

A lane has a thread more than may decode at the same time. While the others are inside the native
decoder, which needs no GIL, that one prepares the next batch; so decoders never wait for Python as
long as there is work, and none waits for another to end its part of a batch. Nothing waits for a
batch to fill: what has come meanwhile is shared among the threads.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from dragoman._core import DecodeResult
from dragoman.errors import DragomanError
from dragoman.server.limits import Limits
from dragoman.translation.result import Prepared, Wants
from dragoman.translation.source import Source


class BusyError(DragomanError):
    """There is too much to do already, or the server is about to stop."""


@dataclass(eq=False)
class Job:
    """The sentences of one request."""

    wants: Wants
    sources: Sequence[Source]
    prepare: Callable[[int], Prepared]
    finish: Callable[[int, Prepared, DecodeResult], Any]
    future: Future[list[Any]] = field(default_factory=Future)
    taken: int = 0
    done: int = 0
    results: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.results = [None] * len(self.sources)

    def fail(self, problem: BaseException) -> None:
        """End it; whoever waits is told."""
        with suppress(InvalidStateError):  # given up, or failed already
            self.future.set_exception(problem)


Decode = Callable[[list[Prepared], Wants], list[DecodeResult]]


class Lane:
    """A queue of jobs and the threads that work it off."""

    def __init__(
        self,
        decode: Decode,
        limits: Limits,
        on_batch: Callable[[int], None] = lambda _: None,
        *,
        decoders: int = 1,
    ) -> None:
        self._decode, self._limits, self._on_batch = decode, limits, on_batch
        self._decoding = threading.BoundedSemaphore(decoders)
        self._jobs: deque[Job] = deque()
        self._waiting = 0
        self._closed = False
        self._changed = threading.Condition()
        self._threads = [
            threading.Thread(target=self._work, daemon=True) for _ in range(decoders + 1)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """How many sentences are in the queue."""
        return self._waiting

    def submit(self, job: Job) -> Future[list[Any]]:
        """Queue a job; its future holds the results. Cancelling the future takes it out again."""
        if not job.sources:
            job.future.set_result([])
            return job.future
        with self._changed:
            if self._closed:
                raise BusyError("the server is shutting down")
            if self._waiting + len(job.sources) > self._limits.waiting:
                raise BusyError(
                    f"{self._waiting} sentences are waiting already; try again in a moment"
                )
            self._jobs.append(job)
            self._waiting += len(job.sources)
            self._changed.notify()
        return job.future

    def close(self) -> None:
        """Finish what is queued, then end the threads."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _take(self) -> list[tuple[Job, int]]:
        """The next batch: a sentence of each job in turn; empty when the lane is closed."""
        with self._changed:
            while True:
                for job in [job for job in self._jobs if job.future.done()]:
                    self._drop(job)
                if self._jobs:
                    break
                if self._closed:
                    return []
                self._changed.wait()
            wants = self._jobs[0].wants
            same = (job for job in self._jobs if job.wants == wants)
            # Were all taken, their clients would send the next ones together too, and decoders
            # and network would wait for each other by turns.
            most = min(self._limits.batch, -(-self._waiting // len(self._threads)))
            ready = list(islice(same, most))
            batch: list[tuple[Job, int]] = []
            characters = 0
            while ready:
                for job in ready:
                    size = len(job.sources[job.taken].text)
                    if batch and (
                        len(batch) == most or characters + size > self._limits.batch_characters
                    ):
                        ready = []
                        break
                    batch.append((job, job.taken))
                    characters += size
                    job.taken += 1
                ready = [job for job in ready if job.taken < len(job.sources)]
            self._waiting -= len(batch)
            for job in dict.fromkeys(job for job, _ in batch):
                self._jobs.remove(job)
                if job.taken < len(job.sources):
                    self._jobs.append(job)  # others come first next time
            if self._jobs:
                self._changed.notify()
            return batch

    def _drop(self, job: Job) -> None:
        self._jobs.remove(job)
        self._waiting -= len(job.sources) - job.taken

    def _work(self) -> None:
        while batch := self._take():
            try:
                self._translate(batch)
            except BaseException as problem:
                for job, _ in batch:
                    job.fail(problem)

    def _translate(self, batch: list[tuple[Job, int]]) -> None:
        ready: list[tuple[Job, int, Prepared]] = []
        for job, index in batch:
            if job.future.done():
                continue
            try:
                ready.append((job, index, job.prepare(index)))
            except DragomanError as problem:
                job.fail(problem)
        if not ready:
            return
        self._on_batch(len(ready))
        with self._decoding:
            results = self._decode([prepared for _, _, prepared in ready], ready[0][0].wants)
        for (job, index, prepared), result in zip(ready, results, strict=True):
            if job.future.done():
                continue
            try:
                job.results[index] = job.finish(index, prepared, result)
            except DragomanError as problem:
                job.fail(problem)
        with self._changed:  # several threads may finish parts of the same job
            complete = []
            for job, _, _ in ready:
                job.done += 1
                if job.done == len(job.sources):
                    complete.append(job)
        for job in complete:
            with suppress(InvalidStateError):  # nobody waits any more
                job.future.set_result(job.results)
