"""What a worker of the cluster does: one part of some work at a time.

Tools (models, bitexts) are opened once and kept for the parts that follow. Everything travels as
bytes, so that what is sent can be counted and nothing is unpickled where it is only passed on.
"""

from __future__ import annotations

import atexit
import os
import pickle
import shutil
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.errors import DragomanError, FileError, InputError, UsageError
from dragoman.files import sha256
from dragoman.memory import peak_memory

KEPT_TOOLS = 2
# Mistakes of the user, which a second attempt does not mend.
FINAL = (InputError, UsageError)


@dataclass(frozen=True)
class Order:
    """A part of some work, packed."""

    version: str  # of the package that asks
    shared: str  # a file that the asking process has written where all should see it
    work: Callable[[Any, Any, int], Any]
    tool_key: str
    tool: bytes
    content: bytes


@dataclass(frozen=True)
class Report:
    """What came of an order."""

    result: bytes  # pickled
    problem: DragomanError | None  # a mistake of the user
    accident: str  # what another worker, or another attempt, may be spared; empty: none
    worker: str
    begin: float  # seconds of the worker's clock
    end: float
    processor: float  # seconds of this thread
    peak_memory: int  # bytes, of the worker process so far


# Each thread has its own: most tools serve one call at a time.
_kept = threading.local()
_everywhere: list[OrderedDict[str, Any]] = []  # those of all threads


@atexit.register
def _let_go() -> None:
    for tools in _everywhere:
        tools.clear()


def do(order: Order) -> Report:
    """Do a part of some work."""
    begin, used = time.time(), time.thread_time()
    problem, result, accident = None, b"", _unfitness(order)
    try:
        if not accident:
            content = pickle.loads(order.content)
            result = pickle.dumps(order.work(_tool(order), content, 1), protocol=5)
    except FINAL as found:
        problem = found
    except MemoryError:
        accident = "out of memory"
    except Exception as found:
        accident = str(found) or type(found).__name__
    used = time.thread_time() - used
    return Report(result, problem, accident, me(), begin, time.time(), used, peak_memory())


def me() -> str:
    """The address of the worker that runs this."""
    from distributed import get_worker

    address: str = get_worker().address
    return address


def _unfitness(order: Order) -> str:
    """Why this worker cannot do the work; empty when it can."""
    # Workers may have joined after the checks at the beginning.
    own = own_version()
    if own != order.version:
        return f"it has Dragoman {own}, not {order.version}"
    if not Path(order.shared).exists():
        return (
            f"it does not see {Path(order.shared).parent}; give it a directory on a file system "
            "that all workers share"
        )
    return ""


def own_version() -> str:
    """The version of the package here."""
    from importlib.metadata import version

    return version("dragoman")


def _tool(order: Order) -> Any:
    if "tools" not in _kept.__dict__:
        _kept.tools = OrderedDict()
        _everywhere.append(_kept.tools)
    tools: OrderedDict[str, Any] = _kept.tools
    if order.tool_key not in tools:
        tools[order.tool_key] = pickle.loads(order.tool)
    tools.move_to_end(order.tool_key)
    while len(tools) > KEPT_TOOLS:
        tools.popitem(last=False)
    return tools[order.tool_key]


@dataclass(frozen=True)
class Fitness:
    """What a worker says when it is looked at before the work begins."""

    problem: str  # empty when it is fit
    free: int = 0  # bytes on the disk with the shared directory


def look(file: str, digest: str, writing: bool) -> Fitness:
    """Whether this worker sees a file as the caller does and, for `writing`, may write beside
    it."""
    place = Path(file)
    try:
        if sha256(place) != digest:
            return Fitness(f"sees another {place}")
        if writing:
            # Workers in containers may all have the same numbers.
            own = place.with_name(f"{place.name}.{os.urandom(8).hex()}")
            own.write_text(digest, "utf-8")
            own.unlink()
        return Fitness("", shutil.disk_usage(place.parent).free)
    except FileError as problem:
        return Fitness(str(problem))
    except OSError as problem:
        return Fitness(str(FileError.of(problem)))
