"""Where two files of unequal length cease to be translations of each other, line by line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_NUMBERS = re.compile(r"\d+")


def traits_of(lines: Iterable[str]) -> NDArray[np.float64]:
    """What a line and its translation tend to share, as a row of numbers for each line."""
    rows = []
    for line in lines:
        text = line.strip()
        numbers = sum(int(digits[:9]) for digits in _NUMBERS.findall(text)) % 9973
        final = {"?": 1.0, "？": 1.0, "!": 2.0, "！": 2.0, ":": 3.0}.get(text[-1:], 0.0)
        rows.append((math.log1p(len(text)), float(numbers), final, float(not text)))
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def find_drift(left: NDArray[np.float64], right: NDArray[np.float64]) -> int | None:
    """The line (from 0) where one file has lines too many, or None if it cannot be seen.

    Before the place, lines i and i belong together; behind it, lines that are the difference of
    the two lengths apart. The place that makes the lines most alike is taken, if it makes them
    clearly more alike than no drift would.
    """
    if len(left) > len(right):
        left, right = right, left
    shift = len(right) - len(left)
    if shift == 0 or len(left) < 2:
        return None

    def unlike(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
        length = np.abs(a[:, 0] - b[:, 0])
        other = (a[:, 1:] != b[:, 1:]).sum(axis=1)
        return np.asarray(length + other, dtype=np.float64)

    here = unlike(left, right[: len(left)])
    there = unlike(left, right[shift:])
    # cost[k]: the first k lines paired straight, the rest shifted.
    cost = np.concatenate(([0.0], np.cumsum(here))) + (
        there.sum() - np.concatenate(([0.0], np.cumsum(there)))
    )
    place = int(np.argmin(cost))
    straight, drifted = float(here[place:].sum()), float(there[place:].sum())
    if place == len(left):
        return place  # the surplus is at the end
    return place if drifted < 0.8 * straight else None
