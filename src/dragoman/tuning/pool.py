"""The translations seen so far while tuning: features and metric statistics of each.

All candidates of all sentences lie in two arrays, sentence by sentence, so that an optimiser can
score every one of them with one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import InputError
from dragoman.evaluation.metrics import Metric, Rows

ROUNDING = 1e-12  # scores closer than this, relative to their size, are the same score


@dataclass(frozen=True)
class Candidate:
    """One translation of one sentence."""

    text: str
    features: NDArray[np.float64]


class Pool:
    """Distinct candidates of each sentence, growing from iteration to iteration."""

    def __init__(self, metric: Metric, references: Sequence[Sequence[str]]) -> None:
        if not references or not references[0]:
            raise InputError("there is nothing to tune on: the dev set is empty")
        self._metric = metric
        self._references = references
        size = len(references[0])
        self._seen: list[set[bytes]] = [set() for _ in range(size)]
        self._features: list[list[NDArray[np.float64]]] = [[] for _ in range(size)]
        self._statistics: list[list[Rows]] = [[] for _ in range(size)]

    def __len__(self) -> int:
        return len(self._seen)

    def add(self, nbest: Sequence[Iterable[Candidate]]) -> int:
        """Add the n-best lists of all sentences; returns how many candidates were new."""
        if len(nbest) != len(self):
            raise InputError(f"{len(nbest)} n-best lists for {len(self)} dev sentences")
        where: list[int] = []
        fresh: list[Candidate] = []
        for sentence, candidates in enumerate(nbest):
            for candidate in candidates:
                if not np.isfinite(candidate.features).all():
                    raise InputError(f"sentence {sentence + 1} has a feature that is no number")
                key = candidate.features.tobytes() + candidate.text.encode()
                if key not in self._seen[sentence]:
                    self._seen[sentence].add(key)
                    where.append(sentence)
                    fresh.append(candidate)
        if fresh:
            rows = self._metric.rows(
                [candidate.text for candidate in fresh],
                [[reference[sentence] for sentence in where] for reference in self._references],
            )
            for sentence, candidate, row in zip(where, fresh, rows, strict=True):
                self._features[sentence].append(candidate.features)
                self._statistics[sentence].append(row)
        return len(fresh)

    def candidates(self) -> Candidates:
        """Everything as arrays; sentences without any candidate are left out."""
        filled = [index for index in range(len(self)) if self._features[index]]
        sizes = [len(self._features[index]) for index in filled]
        return Candidates(
            np.array([row for index in filled for row in self._features[index]]),
            np.array([row for index in filled for row in self._statistics[index]]),
            np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        )

    def save(self, file: BinaryIO) -> None:
        """Write what was gathered, for :meth:`load` after an interruption."""
        texts = [sorted(seen) for seen in self._seen]
        sizes = [len(features) for features in self._features]
        data = self.candidates()
        keys = [key for seen in texts for key in seen]
        np.savez(
            file,
            features=data.features,
            statistics=data.statistics,
            sizes=np.array(sizes),
            keys=np.frombuffer(b"".join(keys), dtype=np.uint8),
            key_sizes=np.array([len(key) for key in keys]),
            seen_sizes=np.array([len(seen) for seen in texts]),
        )

    def load(self, path: Path) -> None:
        """Take up what :meth:`save` wrote."""
        with np.load(path) as data:
            keys = np.split(data["keys"], np.cumsum(data["key_sizes"]))
            at = row = 0
            for sentence, (size, seen) in enumerate(
                zip(data["sizes"], data["seen_sizes"], strict=True)
            ):
                self._features[sentence] = list(data["features"][row : row + size])
                self._statistics[sentence] = list(data["statistics"][row : row + size])
                self._seen[sentence] = {key.tobytes() for key in keys[at : at + seen]}
                at, row = at + int(seen), row + int(size)


@dataclass(frozen=True)
class Candidates:
    """Sentence i has rows ``starts[i]:starts[i + 1]``."""

    features: NDArray[np.float64]
    statistics: Rows
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def best_rows(self, weights: NDArray[np.float64]) -> NDArray[np.int64]:
        """The row of each sentence's best candidate under the weights; the first of equals.

        Candidates whose scores differ by no more than rounding are equals: which of them comes
        out must not depend on the order in which a product was summed.
        """
        scores = self.features @ weights
        tops = np.maximum.reduceat(scores, self.starts[:-1])
        tops -= ROUNDING * np.maximum(1.0, np.abs(tops))
        is_top = scores >= np.repeat(tops, np.diff(self.starts))
        rows = np.flatnonzero(is_top)
        sentence = np.searchsorted(self.starts, rows, side="right") - 1
        _, first = np.unique(sentence, return_index=True)
        return rows[first]

    def objective(self, weights: NDArray[np.float64], metric: Metric) -> float:
        """The corpus score of the best candidates; higher is better whatever the metric."""
        total = self.statistics[self.best_rows(weights)].sum(axis=0)
        sign = 1 if metric.higher_is_better else -1
        return sign * float(metric.scores(total[None, :])[0])
