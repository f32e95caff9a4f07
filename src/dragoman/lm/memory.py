"""How much memory the machine has."""

from __future__ import annotations

import os


def physical_memory() -> int:
    """Bytes of memory, used or not."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
