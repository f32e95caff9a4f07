"""Running programs and telling what they took; shared by the benchmarks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Cost:
    """What a run took; CPU seconds mean more than wall seconds on a machine with other work."""

    wall: float = 0.0
    cpu: float = 0.0
    peak: int = 0  # bytes of resident memory

    def best(self, other: Cost) -> Cost:
        """Of two runs of the same."""
        return Cost(
            min(self.wall, other.wall), min(self.cpu, other.cpu), max(self.peak, other.peak)
        )

    def then(self, other: Cost) -> Cost:
        """One after the other."""
        return Cost(self.wall + other.wall, self.cpu + other.cpu, max(self.peak, other.peak))

    def beside(self, other: Cost) -> Cost:
        """Both at the same time."""
        return Cost(max(self.wall, other.wall), self.cpu + other.cpu, self.peak + other.peak)


# A child's peak memory begins with that of the process it was forked from; a bare interpreter
# in between keeps that small.
_LAUNCHER = """
import os, sys, time
report = int(sys.argv[1])
os.set_inheritable(report, False)
start = time.perf_counter()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
wall = time.perf_counter() - start
with open(report, "w") as file:
    print(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, file=file)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def run(
    *commands: Sequence[object],
    stdin: Path | None = None,
    stdout: Sequence[Path | None] = (),
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Cost:
    """Run programs at the same time, to their end; `stdout` has a file, or None, for each."""
    outputs = [*stdout, *[None] * (len(commands) - len(stdout))]
    total: Cost | None = None
    with ExitStack() as stack:
        running = []
        for command, output in zip(commands, outputs, strict=True):
            reader, writer = os.pipe()
            process = subprocess.Popen(
                [sys.executable, "-S", "-E", "-c", _LAUNCHER, str(writer), *map(str, command)],
                stdin=stack.enter_context((stdin or Path(os.devnull)).open("rb")),
                stdout=stack.enter_context((output or Path(os.devnull)).open("wb")),
                stderr=subprocess.PIPE,
                pass_fds=[writer],
                cwd=cwd,
                env=os.environ | (environment or {}),
            )
            os.close(writer)
            running.append((command, process, stack.enter_context(os.fdopen(reader))))
        for command, process, report in running:
            _, errors = process.communicate()
            if process.returncode:
                sys.exit(f"failed: {' '.join(map(str, command))}\n{errors.decode()[-2000:]}")
            wall, cpu, peak = report.read().split()
            cost = Cost(float(wall), float(cpu), int(peak))
            total = cost if total is None else total.beside(cost)
    return total or Cost()


def find_moses(name: str) -> str | None:
    """A program of Moses, from the directory MOSES_BIN or from PATH."""
    return shutil.which(name, path=os.environ.get("MOSES_BIN")) or shutil.which(name)


def in_own_process(script: str, job: object) -> Any:
    """What `script --child FILE` prints, as JSON, with `job` in the file, as JSON.

    For measurements whose peak memory should be their own.
    """
    with tempfile.NamedTemporaryFile("w+", suffix=".json") as file:
        json.dump(job, file)
        file.flush()
        done = subprocess.run(
            [sys.executable, script, "--child", file.name],
            check=True,
            capture_output=True,
            text=True,
        )
    return json.loads(done.stdout)
