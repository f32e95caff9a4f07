"""The score of a network of Devlin et al. (2014) from its definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

UNKNOWN, BEGIN, END = 0, 1, 2


def partners(links: Iterable[tuple[int, int]], words: int) -> list[int]:
    """The source position that each target word belongs to."""
    linked: dict[int, list[int]] = {}
    for source, target in links:
        linked.setdefault(target, []).append(source)
    found = []
    for place in range(words):
        # Distance, then the right one; a word's own links are nearest.
        near = sorted(linked, key=lambda other: (abs(other - place), other < place))
        own = sorted(linked[near[0]]) if near else [0]
        found.append(own[(len(own) - 1) // 2])
    return found


def inputs(
    source: Sequence[int],
    target: Sequence[int],
    middle: int,
    place: int,
    history: int,
    window: int,
) -> tuple[list[int], list[int]]:
    """The words before a place, the nearest first, and the source words around a middle."""
    before = [target[place - k] if place >= k else BEGIN for k in range(1, history + 1)]
    around = []
    for at in range(middle - window, middle + window + 1):
        inside = 0 <= at < len(source)
        around.append(source[at] if inside else BEGIN if at < 0 else END)
    return before, around


def score(
    weights: Mapping[str, np.ndarray],
    source: Sequence[int],
    target: Sequence[int],
    links: Iterable[tuple[int, int]],
    history: int,
    window: int,
) -> float:
    """Of a translation and its end; the weights are matrices."""
    source = [word if word < len(weights["source"]) else UNKNOWN for word in source]
    target = [word if word < len(weights["target"]) else UNKNOWN for word in target]
    total = 0.0
    middles = [*partners(links, len(target)), len(source)]
    for place, (word, middle) in enumerate(zip([*target, END], middles, strict=True)):
        before, around = inputs(source, target, middle, place, history, window)
        seen = np.concatenate(
            [weights["target"][before].ravel(), weights["source"][around].ravel()]
        )
        hidden = np.maximum(seen.astype(np.float64) @ weights["first"] + weights["bias"], 0)
        value = float(hidden @ weights["output"][word] + weights["frequency"][word])
        total += min(max(value, -30.0), 5.0)
    return total
