"""What scoring a model on its test set can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option
from dragoman.evaluation.metric import MetricName


@dataclass(frozen=True)
class ScoreConfig(Options):
    """Translates the test set and scores the translations."""

    section = "test"

    metrics: tuple[MetricName, ...] = option(
        ("bleu", "chrf", "ter"), "The metrics that the test set is scored by."
    )
    examples: int = option(20, "How many unknown words are shown, the most frequent ones.", low=0)
