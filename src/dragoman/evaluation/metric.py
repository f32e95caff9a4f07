"""What a metric is: BLEU, chrF, TER and RIBES as sums over sentences.

Each metric turns a sentence into a row of sufficient statistics and a sum of rows into a score.
Tuning and significance tests work on the rows and never look at text again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import InputError

Rows = NDArray[np.float64]
# Statistics of translations: the texts, and which sentence each one translates.
Counter = Callable[[Sequence[str], NDArray[np.int64]], Rows]
MetricName = Literal["bleu", "chrf", "ter", "ribes"]
ALL_METRICS: tuple[MetricName, ...] = ("bleu", "chrf", "ter", "ribes")

# In the statistics of every metric here, this column is the size of the reference.
SIZE_COLUMN = 1


class Metric(Protocol):
    """A score that is a function of summed sentence statistics."""

    name: str
    higher_is_better: bool

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Rows:
        """One row of statistics per sentence; `references` has one list per reference file."""

    def counter(self, references: Sequence[Sequence[str]], threads: int = 1) -> Counter:
        """The same for many translations of some sentences, with the references looked at once."""

    def score(self, total: Rows) -> float:
        """The score of a sum of rows."""

    def scores(self, totals: Rows) -> Rows:
        """The scores of many sums, each a row."""

    def signature(self) -> str:
        """What somebody needs to know to get the same number."""


@dataclass(frozen=True)
class Score:
    """A corpus score with everything needed to quote it."""

    metric: str
    value: float
    signature: str

    def __str__(self) -> str:
        return f"{self.metric} {self.value:.2f}  ({self.signature})"


def evaluate(
    metric: Metric, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> Score:
    """The corpus score."""
    rows = metric.rows(hypotheses, references)
    return Score(metric.name, metric.score(rows.sum(axis=0)), metric.signature())


def check_parallel(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Raise InputError unless there is something to score, with a reference for each line."""
    if not hypotheses:
        raise InputError("there is nothing to evaluate: no translations")
    for number, reference in enumerate(references, 1):
        if len(reference) != len(hypotheses):
            raise InputError(
                f"{len(hypotheses):,} translations but {len(reference):,} lines in reference "
                f"{number}"
            )


def counter_by_rows(metric: Metric, references: Sequence[Sequence[str]]) -> Counter:
    """A counter that asks the metric for rows."""

    def count(texts: Sequence[str], sentences: NDArray[np.int64]) -> Rows:
        return metric.rows(texts, [[lines[at] for at in sentences] for lines in references])

    return count
