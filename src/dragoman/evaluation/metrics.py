"""The metrics there are, by name; see dragoman.evaluation.metric for what a metric is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.evaluation.metric import (
    Counter,
    Metric,
    MetricName,
    Rows,
    check_parallel,
    counter_by_rows,
)
from dragoman.evaluation.ribes import Ribes


def make_metric(name: MetricName, *, lowercase: bool = False, tokenize: str = "13a") -> Metric:
    """The metric of that name; `tokenize` is sacrebleu's and concerns BLEU only."""
    match name:
        case "bleu":
            # force: in training, text that comes tokenised is no mistake, and no reason to warn;
            # `dragoman evaluate` has a word of its own for it.
            options = {"lowercase": lowercase, "tokenize": tokenize, "force": True}
            plain = tokenize == "none" and not lowercase
            return (PlainBleu if plain else SacrebleuMetric)("BLEU", options)
        case "chrf":
            return SacrebleuMetric("CHRF", {"lowercase": lowercase})
        case "ter":
            return EditRate("TER", {"case_sensitive": not lowercase})
        case "ribes":
            return Ribes(lowercase=lowercase)


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

    def counter(self, references: Sequence[Sequence[str]], threads: int = 1) -> Counter:
        return counter_by_rows(self, references)

    def score(self, total: Rows) -> float:
        # Counts are whole numbers; sacrebleu indexes and formats them as such.
        return float(self._metric._compute_score_from_stats([int(x) for x in total]).score)

    def scores(self, totals: Rows) -> Rows:
        if self.name == "BLEU":
            return bleu_scores(totals)
        return np.array([self.score(total) for total in totals])

    def signature(self) -> str:
        return str(self._metric.get_signature())


class NativelyCounted(SacrebleuMetric):
    """A metric of sacrebleu whose statistics come from native code, by `counter`."""

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Rows:
        check_parallel(hypotheses, references)
        return self.counter(references)(hypotheses, np.arange(len(hypotheses)))


class PlainBleu(NativelyCounted):
    """BLEU of text whose words are separated by spaces."""

    def counter(self, references: Sequence[Sequence[str]], threads: int = 1) -> Counter:
        from dragoman._core import BleuReferences

        # sacrebleu splits at every white space of Unicode; native code sees ASCII's only.
        counted = BleuReferences([[_respaced(line) for line in lines] for lines in references])
        # sacrebleu looks at the references when it counts them; its signature says how many.
        self._metric.num_refs = len(references)

        def count(texts: Sequence[str], sentences: NDArray[np.int64]) -> Rows:
            plain = [_respaced(text) for text in texts]
            return counted.statistics(plain, sentences, threads).reshape(len(plain), -1)

        return count


class EditRate(NativelyCounted):
    """TER; sacrebleu tokenises."""

    def counter(self, references: Sequence[Sequence[str]], threads: int = 1) -> Counter:
        from dragoman._core import translation_edits

        words = [[self._words(line) for line in lines] for lines in references]
        sizes = np.array(
            [[line.count(" ") + 1 if line else 0 for line in lines] for lines in words]
        )
        self._metric.num_refs = len(references)

        def count(texts: Sequence[str], sentences: NDArray[np.int64]) -> Rows:
            plain = [self._words(text) for text in texts]
            edits = [
                translation_edits(plain, [lines[at] for at in sentences], threads)
                for lines in words
            ]
            return np.stack([np.min(edits, axis=0), sizes.mean(axis=0)[sentences]], axis=1)

        return count

    def score(self, total: Rows) -> float:
        # The size is a mean over references and need not be whole.
        return float(self._metric._compute_score_from_stats(total.tolist()).score)

    def _words(self, line: str) -> str:
        return " ".join(self._metric._preprocess_segment(line).split())


def _respaced(line: str) -> str:
    return line if line.isascii() else " ".join(line.split())


def bleu_scores(totals: Rows) -> Rows:
    """BLEU of many sums of statistics at once, as sacrebleu computes it (exponential smoothing).

    The columns are hypothesis length, reference length, then matches and totals of each order.
    """
    orders = (totals.shape[1] - 2) // 2
    lengths, references = totals[:, 0], totals[:, 1]
    matches, counts = totals[:, 2 : 2 + orders], totals[:, 2 + orders :]
    # Each order without a match counts half as much as the one before it without a match.
    missing = np.cumsum(matches == 0, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.where(matches > 0, matches, 0.5**missing) / counts
        logs = np.log(precisions).mean(axis=1)
        brevity = np.where(lengths < references, 1 - references / lengths, 0.0)
        scores = 100 * np.exp(logs + brevity)
    # Without a single match, or too short for the highest order, the score is 0.
    return np.where((matches.sum(axis=1) > 0) & (counts > 0).all(axis=1), scores, 0.0)
