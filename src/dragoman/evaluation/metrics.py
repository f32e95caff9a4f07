"""BLEU, chrF, TER and RIBES as sums over sentences.

Each metric turns a sentence into a row of sufficient statistics and a sum of rows into a score.
Tuning and significance tests work on the rows and never look at text again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import InputError

Rows = NDArray[np.float64]
MetricName = Literal["bleu", "chrf", "ter", "ribes"]
ALL_METRICS: tuple[MetricName, ...] = ("bleu", "chrf", "ter", "ribes")


class Metric(Protocol):
    """A score that is a function of summed sentence statistics."""

    name: str
    higher_is_better: bool

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Rows:
        """One row of statistics per sentence; `references` has one list per reference file."""

    def score(self, total: Rows) -> float:
        """The score of a sum of rows."""

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


def make_metric(name: MetricName, *, lowercase: bool = False, tokenize: str = "13a") -> Metric:
    """The metric of that name; `tokenize` is sacrebleu's and concerns BLEU only."""
    match name:
        case "bleu":
            return SacrebleuMetric("BLEU", {"lowercase": lowercase, "tokenize": tokenize})
        case "chrf":
            return SacrebleuMetric("CHRF", {"lowercase": lowercase})
        case "ter":
            return SacrebleuMetric("TER", {"case_sensitive": not lowercase})
        case "ribes":
            from dragoman.evaluation.ribes import Ribes

            return Ribes(lowercase=lowercase)


def evaluate(
    metric: Metric, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> Score:
    """The corpus score."""
    rows = metric.rows(hypotheses, references)
    return Score(metric.name, metric.score(rows.sum(axis=0)), metric.signature())


def check_parallel(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Raise InputError unless there is something to score, with a reference for each line."""
    if not hypotheses:
        raise InputError("there is nothing to evaluate: no hypotheses")
    for number, reference in enumerate(references, 1):
        if len(reference) != len(hypotheses):
            raise InputError(
                f"{len(hypotheses):,} hypotheses but {len(reference):,} lines in reference "
                f"{number}"
            )


class SacrebleuMetric:
    """A metric of sacrebleu."""

    def __init__(self, name: Literal["BLEU", "CHRF", "TER"], options: dict[str, Any]) -> None:
        from sacrebleu import metrics

        self.name = {"BLEU": "BLEU", "CHRF": "chrF", "TER": "TER"}[name]
        self.higher_is_better = name != "TER"
        self._metric = getattr(metrics, name)(**options)

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Rows:
        check_parallel(hypotheses, references)
        # The statistics sacrebleu's own significance tests resample.
        rows = self._metric._extract_corpus_statistics(hypotheses, references)
        return np.asarray(rows, dtype=np.float64)

    def score(self, total: Rows) -> float:
        # Counts are whole numbers; sacrebleu indexes and formats them as such.
        return float(self._metric._compute_score_from_stats([int(x) for x in total]).score)

    def signature(self) -> str:
        return str(self._metric.get_signature())
