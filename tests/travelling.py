"""A crew as strangers would be: every part travels, and the last one is done first."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from dragoman.crew import Effort, Part
from dragoman.progress import Task


class Travelling:
    """Parts are done in this process, each with a tool of its own, as copies made for a journey.

    `fails` is asked before a part is done: where it says so, whoever does it dies.
    """

    elsewhere = True
    threads = 1

    def __init__(self, fails: Callable[[str, str], bool] = lambda work, part: False) -> None:
        self.fails = fails
        self.done: list[str] = []

    def suited(self, effort: Effort) -> Travelling:
        return self

    def run(
        self,
        work: Callable[[Any, Any, int], Any],
        tool: Any,
        parts: Iterable[Part[Any]],
        task: Task | None = None,
    ) -> Iterator[Any]:
        packed = [pickle.dumps((tool, part.content)) for part in parts]
        names = [part.name for part in parts] if isinstance(parts, list) else []
        results = []
        for number in reversed(range(len(packed))):
            if names and self.fails(work.__name__, names[number]):
                raise InterruptedError(names[number])
            self.done.append(work.__name__)
            results.append(work(*pickle.loads(packed[number]), 1))
        yield from reversed(results)
