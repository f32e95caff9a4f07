"""How much memory this process has held at most."""

from __future__ import annotations

import contextlib
import ctypes
from pathlib import Path

_STATUS = Path("/proc/self/status")
_FORGET = Path("/proc/self/clear_refs")


def peak_memory() -> int:
    """In bytes, mapped files that were read included; 0 where the system does not say."""
    try:
        for line in _STATUS.read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def forget_peak() -> None:
    """Begin anew, where the system lets us: without what is no longer in use."""
    with contextlib.suppress(AttributeError, OSError, TypeError):  # not of every system
        ctypes.CDLL(None).malloc_trim(0)
    with contextlib.suppress(OSError):
        _FORGET.write_text("5", "ascii")
