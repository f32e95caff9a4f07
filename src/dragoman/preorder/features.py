"""The sets of templates a classifier may use, by name."""

from __future__ import annotations

from collections.abc import Iterable

from dragoman.errors import UsageError

# As native/core/preorder/node_features.h numbers them.
SETS = {
    "spans": 1,  # the first set of paper 004, Table 1
    "sigma": 2,
    "sigma-r": 4,
    "sigma-t": 8,
    "sigma-w": 16,
    "li2007": 32,
    "heads": 64,
}
PAPER = ("spans", "sigma", "sigma-r", "sigma-t", "sigma-w")
DEFAULT = (*PAPER, "heads")


def set_bits(names: Iterable[str]) -> int:
    """The sets as the native code takes them."""
    bits = 0
    for name in names:
        if name not in SETS:
            raise UsageError(f"there is no feature set {name!r}; there are {', '.join(SETS)}")
        bits |= SETS[name]
    if not bits:
        raise UsageError(f"a classifier needs a feature set; there are {', '.join(SETS)}")
    return bits


def set_names(bits: int) -> tuple[str, ...]:
    """The names of the sets in `bits`."""
    return tuple(name for name, bit in SETS.items() if bits & bit)
