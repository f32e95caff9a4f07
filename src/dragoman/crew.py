"""Work cut by the data, done here or elsewhere, put together in a fixed order.

Long work is cut into parts. How it is cut depends on the data alone, never on who does it or how
many there are, and results come back in the order of the parts; so what is made of them is the
same, byte for byte, wherever it was done::

    def lengths(vocabulary: Vocabulary, lines: list[str], threads: int) -> list[int]:
        ...

    parts = (Part(f"lines {n + 1:,} and on", batch) for n, batch in batches)
    for found in crew.run(lengths, vocabulary, parts):
        ...

:class:`Here` does one part after the other in this process, each with all threads.
``dragoman.cluster`` has a crew of Dask workers, to which tool, parts and results travel pickled:
a tool says how to open large files, it does not hold them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from dragoman.progress import Task

Tool = TypeVar("Tool")
Content = TypeVar("Content")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Part(Generic[Content]):
    """A piece of some work."""

    name: str  # as an error calls it, e.g. "lines 1 to 256"
    content: Content


@dataclass(frozen=True)
class Effort:
    """What some work takes, or each piece of it: so many of these are what all of it takes."""

    seconds: float  # of one core, about
    # Whether threads of one process do it at the same time. They do not do what is Python.
    threaded: bool

    def __rmul__(self, amount: float) -> Effort:
        return Effort(amount * self.seconds, self.threaded)


class Crew(Protocol):
    """Those who do the parts of some work."""

    @property
    def threads(self) -> int:
        """How many threads each part is given."""

    @property
    def elsewhere(self) -> bool:
        """Whether parts are done in other processes, which see the same files."""

    def suited(self, effort: Effort) -> Crew:
        """Who should do work that takes so much: these, or the asking process where sending it
        around would take longer."""

    def run(
        self,
        work: Callable[[Tool, Content, int], Result],
        tool: Tool,
        parts: Iterable[Part[Content]],
        task: Task | None = None,
    ) -> Iterator[Result]:
        """The results of ``work(tool, content, threads)``, in the order of the parts.

        `work` is a function of a module. It must give the same for any number of threads, and may
        be called twice for one part. Parts are taken from their iterator as they are needed.
        Remarks about how the work goes on are shown beside `task`.
        """


class Here:
    """This process: one part after the other, each with all threads."""

    elsewhere = False

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads

    def suited(self, effort: Effort) -> Here:
        """Always this process."""
        return self

    def run(
        self,
        work: Callable[[Tool, Content, int], Result],
        tool: Tool,
        parts: Iterable[Part[Content]],
        task: Task | None = None,
    ) -> Iterator[Result]:
        """One result when it is asked for."""
        for part in parts:
            yield work(tool, part.content, self.threads)
