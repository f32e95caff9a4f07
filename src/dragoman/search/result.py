"""What a search has found, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dragoman._core import DecodeResult, PhraseTranslation, SearchStats
from dragoman.search.options import AnyOptions

MARK = "⟦{}⟧"


def target_text(translation: PhraseTranslation, options: AnyOptions) -> str:
    """The tokens of a translation, copied words marked if the options say so."""
    if options.unknown != "mark":
        return translation.target
    tokens = translation.target.split()
    for step in translation.steps:
        begin, end = step.target_span
        if step.unknown and begin < end:
            tokens[begin:end] = [MARK.format(" ".join(tokens[begin:end]))]
    return " ".join(tokens)


@dataclass
class Totals:
    """What decoding many sentences cost."""

    sentences: int = 0
    words: int = 0
    failed: int = 0
    evaluated: int = 0
    lm_lookups: int = 0
    recombined: int = 0
    seconds: float = 0.0
    score: float = 0.0
    pruned: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ("beam_threshold", "beam_limit", "early_begins", "early_ends", "early_options"), 0
        )
    )
    retried: int = 0

    def add(self, result: DecodeResult) -> None:
        """Count one sentence."""
        stats: SearchStats = result.stats
        self.sentences += 1
        self.words += result.words
        self.failed += not result.found
        self.evaluated += stats.evaluated
        self.lm_lookups += stats.lm_lookups
        self.recombined += stats.recombined
        self.retried += stats.retried
        self.score += result.best.score if result.found else 0.0
        self.pruned["beam_threshold"] += stats.pruned_threshold
        self.pruned["beam_limit"] += stats.pruned_limit
        self.pruned["early_begins"] += stats.early_begins
        self.pruned["early_ends"] += stats.early_ends
        self.pruned["early_options"] += stats.early_options

    def __iadd__(self, other: Totals) -> Totals:
        """Count what others have cost as well."""
        for name in self.__dataclass_fields__:
            if name != "pruned":
                setattr(self, name, getattr(self, name) + getattr(other, name))
        for name, count in other.pruned.items():
            self.pruned[name] += count
        return self

    def report(self, options: AnyOptions) -> dict[str, Any]:
        """As `dragoman translate --stats` writes it."""
        words, found = max(1, self.words), max(1, self.sentences - self.failed)
        return {
            "sentences": self.sentences,
            "words": self.words,
            "failed": self.failed,
            "hypotheses_evaluated": self.evaluated,
            "hypotheses_per_word": self.evaluated / words,
            "lm_lookups": self.lm_lookups,
            "lm_lookups_per_word": self.lm_lookups / words,
            "recombined": self.recombined,
            "pruned": dict(self.pruned),
            "retried": self.retried,
            "seconds": self.seconds,
            "ms_per_word": 1000 * self.seconds / words,
            "model_score": self.score / found,
            "pruning": options.pruning,
        }
