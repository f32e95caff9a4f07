"""A pytest plugin that notes which functions of the package each test calls, and its time.

The notes go to the directory that DRAGOMAN_MUTANTS_NOTES names, a file for each process.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

PACKAGE = os.environ["DRAGOMAN_MUTANTS_PACKAGE"] + os.sep
_called: set[CodeType] = set()


def _trace(frame: FrameType, event: str, argument: object) -> None:
    _called.add(frame.f_code)


def begin() -> None:
    """From here calls are noted, in every thread."""
    _called.clear()
    sys.settrace(_trace)
    threading.settrace(_trace)


def end(test: str, seconds: float = 0.0) -> None:
    """Write down what was called since :func:`begin`."""
    sys.settrace(None)
    functions = sorted(
        f"{code.co_filename.removeprefix(PACKAGE)}:{code.co_qualname}"
        for code in _called.copy()
        if code.co_filename.startswith(PACKAGE)
    )
    notes = Path(os.environ["DRAGOMAN_MUTANTS_NOTES"]) / f"{os.getpid()}.jsonl"
    with notes.open("a", encoding="utf-8") as file:
        file.write(json.dumps([test, seconds, functions]) + "\n")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    start = time.perf_counter()
    begin()
    result = yield
    end(item.nodeid, time.perf_counter() - start)
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    # A test that fails or is skipped here can tell nothing about a mutant.
    if report.outcome != "passed" and "PYTEST_XDIST_WORKER" not in os.environ:
        notes = Path(os.environ["DRAGOMAN_MUTANTS_NOTES"]) / "unusable.jsonl"
        with notes.open("a", encoding="utf-8") as file:
            file.write(json.dumps(report.nodeid) + "\n")
