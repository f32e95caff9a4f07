"""The translations seen so far while tuning: features and metric statistics of each.

All candidates of all sentences lie in two arrays, sentence by sentence, so that an optimiser can
score every one of them with one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import InputError
from dragoman.evaluation.metric import Metric, Rows


@dataclass(frozen=True)
class NbestLists:
    """Translations of all dev sentences, best first; sentence i has ``sizes[i]`` of them."""

    texts: Sequence[str]
    sizes: NDArray[np.int64]
    features: NDArray[np.float64]  # a row for each text

    @classmethod
    def joined(cls, parts: Iterable[_core.NbestArrays | NbestLists], features: int) -> NbestLists:
        """The lists of all parts, one part after the other."""
        parts = list(parts)
        return cls(
            [text for part in parts for text in part.texts],
            np.concatenate([part.sizes for part in parts]),
            np.concatenate([part.features.reshape(-1, features) for part in parts]),
        )

    def first_texts(self) -> list[str]:
        """The best of each sentence; empty where there is none."""
        begins = np.cumsum(self.sizes) - self.sizes
        return [
            self.texts[begin] if size else ""
            for begin, size in zip(begins, self.sizes, strict=True)
        ]


class Pool:
    """Distinct candidates of each sentence, growing from iteration to iteration."""

    def __init__(
        self, metric: Metric, references: Sequence[Sequence[str]], threads: int = 1
    ) -> None:
        if not references or not references[0]:
            raise InputError("there is nothing to tune on: the dev set is empty")
        self._statistics = metric.counter(references, threads)
        self._size = len(references[0])
        self._seen = _core.CandidateSet()
        self._latest: dict[str, NDArray[Any]] = {}
        # In the order of arrival; sorted by sentence when asked for.
        self._owners: list[NDArray[np.int64]] = []
        self._features: list[NDArray[np.float64]] = []
        self._rows: list[Rows] = []

    def __len__(self) -> int:
        return self._size

    def add(self, nbest: NbestLists) -> int:
        """Add the n-best lists of all sentences; returns how many candidates were new."""
        if len(nbest.sizes) != len(self):
            raise InputError(f"{len(nbest.sizes)} n-best lists for {len(self)} dev sentences")
        owners = np.repeat(np.arange(len(self)), nbest.sizes)
        finite = np.isfinite(nbest.features).all(axis=1)
        if not finite.all():
            sentence = int(owners[int(np.argmin(finite))])
            raise InputError(f"sentence {sentence + 1} has a feature that is no number")
        fresh = self._seen.add(nbest.sizes, nbest.texts, nbest.features)
        self._latest = {}
        if len(fresh):
            texts = [nbest.texts[row] for row in fresh.tolist()]
            self._latest = {
                "owners": owners[fresh],
                "features": nbest.features[fresh],
                "rows": self._statistics(texts, owners[fresh]),
                "keys": self._seen.latest(),
            }
            self._keep(self._latest)
        return len(fresh)

    def _keep(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._owners.append(arrays["owners"])
        self._features.append(arrays["features"])
        self._rows.append(arrays["rows"])

    def total(self, texts: Sequence[str]) -> Rows:
        """The summed statistics of one translation for each of the first sentences."""
        return np.asarray(self._statistics(texts, np.arange(len(texts))).sum(axis=0))

    def candidates(self) -> Candidates:
        """Everything as arrays; sentences without any candidate are left out."""
        owners = np.concatenate(self._owners)
        place = np.empty(len(owners), np.int64)
        place[np.argsort(owners, kind="stable")] = np.arange(len(owners))
        sizes = np.bincount(owners, minlength=len(self))
        return Candidates(
            _placed(self._features, place),
            _placed(self._rows, place),
            np.concatenate(([0], np.cumsum(sizes[sizes > 0]))).astype(np.int64),
        )

    def latest(self) -> dict[str, NDArray[Any]]:
        """What the last addition brought, for :meth:`take_up` after an interruption."""
        return self._latest

    def take_up(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Add once more what :meth:`latest` gave."""
        if "keys" in arrays:
            self._keep(arrays)
            self._seen.restore(arrays["keys"])


def _placed(parts: Sequence[NDArray[Any]], place: NDArray[np.int64]) -> NDArray[Any]:
    """The rows of all parts, each where it belongs; never moved twice, since there are many."""
    found = np.empty((len(place), *parts[0].shape[1:]), parts[0].dtype)
    begin = 0
    for part in parts:
        found[place[begin : begin + len(part)]] = part
        begin += len(part)
    return found


@dataclass(frozen=True)
class Candidates:
    """Sentence i has rows ``starts[i]:starts[i + 1]``."""

    features: NDArray[np.float64]
    statistics: Rows
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def native(self) -> _core.CandidateRows:
        """As native code takes them; a view."""
        return _core.CandidateRows(self.features, self.statistics, self.starts)

    def best_rows(self, weights: NDArray[np.float64]) -> NDArray[np.int64]:
        """The row of each sentence's best candidate under the weights; the first of equals.

        Candidates whose scores differ by no more than rounding are equals: which of them comes
        out must not depend on the order in which a product was summed.
        """
        return self.native.best(weights)

    def objective(self, weights: NDArray[np.float64], metric: Metric) -> float:
        """The corpus score of the best candidates; higher is better whatever the metric."""
        total = self.statistics[self.best_rows(weights)].sum(axis=0)
        sign = 1 if metric.higher_is_better else -1
        return sign * float(metric.scores(total[None, :])[0])
