"""How good are these translations, and is the difference real?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dragoman.arguments import strings
from dragoman.errors import InputError, UsageError
from dragoman.evaluation.metric import ALL_METRICS, Metric, MetricName, Rows, Score
from dragoman.evaluation.metrics import make_metric
from dragoman.evaluation.significance import Comparison, compare


@dataclass(frozen=True)
class MetricResult:
    """What one metric says."""

    metric: Metric
    rows: Rows  # its statistics, sentence by sentence
    score: Score
    comparison: Comparison | None = None  # with a baseline, if there is one


@dataclass(frozen=True)
class Scores:
    """What the metrics say; ``scores["bleu"]`` is a number, printing shows all of them."""

    results: dict[MetricName, MetricResult]

    def __getitem__(self, name: MetricName) -> float:
        return self.results[name].score.value

    def __iter__(self) -> Iterator[Score]:
        return (result.score for result in self.results.values())

    def __str__(self) -> str:
        return "\n".join(map(str, self))


def evaluate(
    hypotheses: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    *,
    metrics: Sequence[MetricName] = ALL_METRICS,
    baseline: Sequence[str] | None = None,
    lowercase: bool = False,
    tokenize: str = "13a",
    trials: int = 1000,
    seed: int = 1,
) -> Scores:
    """Score translations against references: one list of them, or several.

    `tokenize` is sacrebleu's and concerns BLEU only. With a `baseline`, other translations of the
    same sentences, each score comes with a test of significance.

    >>> print(dragoman.evaluate(["a cat sleeps"], ["the cat sleeps"])["bleu"])
    """
    hypotheses = strings(hypotheses, "hypotheses")
    nested = isinstance(references, list | tuple) and not any(
        isinstance(one, str) for one in references
    )
    several = [strings(one, "references") for one in (references if nested else [references])]
    for name in strings(metrics, "metrics"):
        if name not in ALL_METRICS:
            raise UsageError(f"a metric is {', '.join(ALL_METRICS)}, not {name!r}")
    if baseline is not None and len(baseline) != len(hypotheses):
        raise InputError(
            f"{len(hypotheses):,} translations but {len(baseline):,} lines in the baseline"
        )
    found: dict[MetricName, MetricResult] = {}
    for name in (name for name in ALL_METRICS if name in metrics):
        try:
            metric = make_metric(name, lowercase=lowercase, tokenize=tokenize)
        except (ValueError, KeyError) as problem:
            raise UsageError(f"tokenize {tokenize}: {problem}") from problem
        rows = metric.rows(hypotheses, several)
        score = Score(metric.name, metric.score(rows.sum(axis=0)), metric.signature())
        against = None
        if baseline is not None:
            rivals = metric.rows(baseline, several)
            against = compare(metric, rivals, rows, trials=trials, seed=seed)
        found[name] = MetricResult(metric, rows, score, against)
    return Scores(found)
