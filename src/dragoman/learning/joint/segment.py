"""Cutting long sentence pairs into shorter ones (Xu, Zens & Ney 2005).

A pair is cut in two where IBM Model 1, in both directions, likes the halves best, each half of
the source with the half of the target that it explains: in the same order or the other way
round. Halves that are still too long are cut again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman._core import LexicalTable
from dragoman.alignment.lexical import NULL_WORD
from dragoman.corpus.bitext import SentenceIds

Matrix = NDArray[np.float64]
Span = tuple[int, int]

_FLOOR = 1e-7


@dataclass(frozen=True)
class Segments:
    """Sentence pairs of which none is too long."""

    source: SentenceIds
    target: SentenceIds
    origins: NDArray[np.int64]  # the pair each comes from
    cut: int  # how many pairs were cut


def segment(
    source: SentenceIds,
    target: SentenceIds,
    tables: tuple[LexicalTable, LexicalTable],
    max_words: int,
) -> Segments:
    """Cut the pairs that have more than `max_words` words on a side.

    A part has at least one word on each side, so that of a pair with very different lengths a
    part may stay too long; that part is left out.
    """
    lengths = [np.diff(side.offsets.astype(np.int64)) for side in (source, target)]
    long = (lengths[0] > max_words) | (lengths[1] > max_words)
    if not long.any():
        return Segments(source, target, np.arange(len(source)), 0)
    sides: tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]] = ([], [])
    origins = []
    for index in range(len(source)):
        words, others = source[index], target[index]
        spans = [((0, len(words)), (0, len(others)))]
        if long[index]:
            spans = cut(*_probabilities(words, others, tables), max_words)
        for (i, j), (begin, end) in spans:
            sides[0].append(words[i:j])
            sides[1].append(others[begin:end])
            origins.append(index)
    return Segments(_joined(sides[0]), _joined(sides[1]), np.array(origins), int(long.sum()))


def _joined(parts: list[NDArray[np.int32]]) -> SentenceIds:
    offsets = np.zeros(len(parts) + 1, dtype=np.uint64)
    offsets[1:] = np.cumsum([len(part) for part in parts])
    ids = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
    return SentenceIds(np.ascontiguousarray(ids, dtype=np.int32), offsets)


def _probabilities(
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    tables: tuple[LexicalTable, LexicalTable],
) -> tuple[Matrix, Matrix]:
    """p(t_j | s_i) and p(s_i | t_j), the null word in the last row and column of each."""
    n, m = len(source), len(target)
    given = np.append(source, np.int32(NULL_WORD))
    forward = tables[0].probs(np.repeat(given, m), np.tile(target, n + 1)).reshape(n + 1, m)
    given = np.append(target, np.int32(NULL_WORD))
    backward = tables[1].probs(np.tile(given, n), np.repeat(source, m + 1)).reshape(n, m + 1)
    return forward.astype(np.float64), backward.astype(np.float64)


def cut(forward: Matrix, backward: Matrix, max_words: int) -> list[tuple[Span, Span]]:
    """Spans of the parts, by source position; those that stay too long are left out.

    `forward` has a last row and `backward` a last column for the null word.
    """
    parts: list[tuple[Span, Span]] = []
    waiting = [((0, len(forward) - 1), (0, forward.shape[1]))]
    while waiting:
        source, target = waiting.pop()
        sizes = source[1] - source[0], target[1] - target[0]
        if max(sizes) <= max_words:
            parts.append((source, target))
        elif min(sizes) >= 2:
            waiting += _halves(forward, backward, source, target)
    return sorted(parts)


def _halves(
    forward: Matrix, backward: Matrix, source: Span, target: Span
) -> list[tuple[Span, Span]]:
    """The best two parts of a block."""
    (i, j), (begin, end) = source, target
    scores = _split_scores(forward[i:j, begin:end], forward[-1, begin:end])
    scores = scores + _split_scores(backward[i:j, begin:end].T, backward[i:j, -1]).transpose(
        0, 2, 1
    )
    # Of equally good splits, the one nearest to the middle: that of short parts.
    middle = np.abs(np.arange(1, j - i)[:, None] / (j - i) - 0.5)
    middle = middle + np.abs(np.arange(1, end - begin)[None, :] / (end - begin) - 0.5)
    scores = scores - 1e-9 * middle
    crossed, a, b = np.unravel_index(int(scores.argmax()), scores.shape)
    at, there = i + 1 + int(a), begin + 1 + int(b)
    first, second = (
        ((begin, there), (there, end)) if not crossed else ((there, end), (begin, there))
    )
    return [((i, at), first), ((at, j), second)]


def _split_scores(probabilities: Matrix, null: NDArray[np.float64]) -> Matrix:
    """Log-likelihood of the columns given the rows of their half, for all splits.

    Indexed by: crossed or not, rows in the first half - 1, columns in the first half - 1.
    """
    rows = len(probabilities)
    sums = np.cumsum(probabilities, axis=0)
    sizes = np.arange(1, rows)[:, None]
    above = np.log(np.maximum(_FLOOR, (sums[:-1] + null) / (sizes + 1)))
    below = np.log(np.maximum(_FLOOR, (sums[-1] - sums[:-1] + null) / (rows - sizes + 1)))
    before_above, before_below = np.cumsum(above, axis=1), np.cumsum(below, axis=1)

    def both(first: Matrix, second: Matrix) -> Matrix:
        """The first columns by `first`, the others by `second`; both are summed up."""
        return first[:, :-1] + (second[:, -1:] - second[:, :-1])

    return np.stack([both(before_above, before_below), both(before_below, before_above)])
