"""Which tests call which function, kept in build/mutants between runs."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tests.mutants.copies import BUILD, ROOT, make_copy

# They ask about the source tree, start compilers or know nothing of a change.
UNASKED = ("tests/test_packaging.py", "tests/test_make.py", "tests/test_structure.py")
UNASKED += (
    "tests/mutants",
    "tests/torture",
    "tests/training/test_kills.py",
    "tests/server/test_page.py",
    "tests/test_docs.py",
)
DECLARED = ("tests/test_defaults.py", "tests/test_declared.py")  # of options, all at once


@dataclass(frozen=True)
class CallMap:
    """For each function, as file:name, and each file, the tests that call it."""

    seconds: dict[str, float]  # of each test
    functions: dict[str, frozenset[str]]

    @classmethod
    def current(cls, processes: int, places: tuple[str, ...] = ("tests/",)) -> CallMap:
        """What was recorded before, and anew what test files in these places that have changed
        since call.

        What a change of the package does to it is small, and not looked for: remove
        build/mutants/calls.json to record everything.
        """
        BUILD.mkdir(parents=True, exist_ok=True)
        kept_at = BUILD / "calls.json"
        files = {
            path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((ROOT / "tests").rglob("test_*.py"))
        }
        files = {name: key for name, key in files.items() if not name.startswith(UNASKED)}
        kept: dict[str, Any] = {"files": {}, "tests": {}}
        if kept_at.exists():
            kept = json.loads(kept_at.read_text())
        changed = {name for name, key in files.items() if kept["files"].get(name) != key}
        stale = sorted(name for name in changed if name.startswith(places))
        if stale:
            old = changed | (kept["files"].keys() - files.keys())
            gone = tuple(f"{name}::" for name in old)
            tests = {k: v for k, v in kept["tests"].items() if not k.startswith(gone)}
            tests |= _recorded(stale, processes)
            known = {name: key for name, key in kept["files"].items() if name not in old}
            kept = {"files": known | {name: files[name] for name in stale}, "tests": tests}
            kept_at.write_text(json.dumps(kept))
        functions: dict[str, set[str]] = {}
        for test, (_, called) in kept["tests"].items():
            for function in called:
                functions.setdefault(function, set()).add(test)
                functions.setdefault(function.rpartition(":")[0], set()).add(test)
        return cls(
            {test: seconds for test, (seconds, _) in kept["tests"].items()},
            {name: frozenset(tests) for name, tests in functions.items()},
        )

    def tests_of(self, file: str, function: str, near: str, budget: float) -> list[str]:
        """Those that call a function, the near and the quick first, for `budget` seconds."""
        asked = self.functions.get(f"{file}:{function}" if function else file, frozenset())
        if not function:  # what stands outside of functions may be looked at without a call
            asked |= {test for test in self.seconds if test.startswith((near, *DECLARED))}
        chosen, left = [], budget
        for test in sorted(
            asked,
            key=lambda test: (
                not test.startswith(DECLARED),
                not test.startswith(near),
                self.seconds[test],
            ),
        ):
            left -= self.seconds[test]
            if left < 0 and chosen:
                continue
            chosen.append(test)
        return chosen


def _recorded(files: list[str], processes: int) -> dict[str, tuple[float, list[str]]]:
    print(f"recording what the tests of {len(files)} files call", file=sys.stderr, flush=True)
    copy = make_copy("recorded")
    notes = BUILD / "notes"
    shutil.rmtree(notes, ignore_errors=True)
    notes.mkdir()
    tracing = ROOT / "tests" / "mutants" / "tracing"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, [copy, tracing, ROOT])),
        "DRAGOMAN_MUTANTS_PACKAGE": str(copy / "dragoman"),
        "DRAGOMAN_MUTANTS_NOTES": str(notes),
    }
    with (BUILD / "recording.log").open("w") as log:
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", str(processes)]
            + ["-p", "tests.mutants.recorder", "-p", "no:cacheprovider", *files],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
        )
    unusable = set()
    if (notes / "unusable.jsonl").exists():
        text = (notes / "unusable.jsonl").read_text("utf-8")
        unusable = {json.loads(line) for line in text.splitlines()}
    tests: dict[str, tuple[float, list[str]]] = {}
    for path in sorted(notes.glob("[0-9]*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            test, seconds, called = json.loads(line)
            before = tests.get(test, (0.0, []))
            tests[test] = (before[0] + seconds, sorted({*before[1], *called}))
    return {test: entry for test, entry in tests.items() if test not in unusable}
