"""Runs the tests against one mutant after the other."""

from __future__ import annotations

import contextlib
import enum
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

from tests.mutants.calls import CallMap
from tests.mutants.copies import BUILD, PACKAGE, ROOT, make_copy
from tests.mutants.operators import Mutant, mutants_of

__all__ = ["PACKAGE", "Runner", "Verdict", "drawn"]


class Verdict(enum.Enum):
    """What became of a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed out"  # as good as killed: the tests did not end
    SURVIVED = "survived"


def drawn(files: Sequence[str], count: int, seed: str) -> list[Mutant]:
    """Some of all mutants of these files, in the order of their lines."""
    everything = [mutant for file in files for mutant in mutants_of(PACKAGE, file)]
    chosen = random.Random(seed).sample(everything, min(count, len(everything)))
    return sorted(chosen, key=lambda mutant: (mutant.file, mutant.line, mutant.kind))


class Runner:
    """Holds a copy of the package for each process that runs tests."""

    def __init__(self, calls: CallMap, processes: int, budget: float) -> None:
        self._calls = calls
        self._budget = budget
        self._copies = [make_copy(f"copy{number}") for number in range(processes)]

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for copy in self._copies:
            shutil.rmtree(copy)

    def run(self, mutants: Sequence[Mutant], near: str) -> Iterator[tuple[Mutant, Verdict]]:
        """Each mutant with its verdict, as they become known."""
        waiting = list(reversed(mutants))
        running: dict[Path, _Trial] = {}
        while waiting or running:
            for copy in self._copies:
                if copy not in running and waiting:
                    running[copy] = _Trial(copy, waiting.pop(), self._calls, near, self._budget)
            time.sleep(0.05)
            for copy, trial in list(running.items()):
                verdict = trial.verdict()
                if verdict is not None:
                    del running[copy]
                    yield trial.mutant, verdict


class _Trial:
    """One mutant under test."""

    def __init__(
        self, copy: Path, mutant: Mutant, calls: CallMap, near: str, budget: float
    ) -> None:
        self.mutant = mutant
        self._file = copy / "dragoman" / mutant.file
        tests = calls.tests_of(mutant.file, mutant.function, near, budget)
        # As long as the tests took when they were recorded, and again, and for starting up; the
        # machine may be busier than it was.
        self._deadline = (
            time.monotonic() + 60 + 3 * min(budget, sum(calls.seconds[test] for test in tests))
        )
        self._process: subprocess.Popen[bytes] | None = None
        if tests:
            self._file.write_text(mutant.text, "utf-8")
            self._process = _start(copy, tests)

    def verdict(self) -> Verdict | None:
        """None while the tests run; then the file is as it was."""
        found: Verdict | None
        if self._process is None:
            return Verdict.SURVIVED
        code = self._process.poll()
        if code is not None:
            found = Verdict.SURVIVED if code == 0 else Verdict.KILLED
        elif time.monotonic() > self._deadline:
            found = Verdict.TIMED_OUT
        else:
            return None
        # Servers and trainings that the tests started go with them.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        shutil.copyfile(PACKAGE / self.mutant.file, self._file)
        return found


def _start(copy: Path, tests: Sequence[str]) -> subprocess.Popen[bytes]:
    scratch = BUILD / f"{copy.name}-scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    arguments = scratch / "arguments"
    arguments.write_text("\n".join(tests), "utf-8")
    options = ["-x", "-q", "--tb=line", "-p", "no:cacheprovider", "-p", "no:randomly"]
    options += [f"--basetemp={scratch / 'tmp'}", "--hypothesis-seed=1", f"@{arguments}"]
    with (scratch / "log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", *options],
            cwd=ROOT,
            env=os.environ
            | {
                "PYTHONPATH": str(copy),
                "PYTHONDONTWRITEBYTECODE": "1",
                "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "hypothesis"),
            },
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
