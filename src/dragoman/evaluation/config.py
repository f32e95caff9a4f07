"""What scoring a model on its test set can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option
from dragoman.evaluation.metric import MetricName


@dataclass(frozen=True)
class ScoreConfig(Options):
    """From a finished model and a test set to scores."""

    section = "test"

    metrics: tuple[MetricName, ...] = option(
        ("bleu", "chrf", "ter"), "Metrics to score the test set by."
    )
    examples: int = option(20, "Unknown words to show, the most frequent ones.", low=0)
