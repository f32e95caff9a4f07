"""Dropping pairs that would teach a model nothing good, each for a reason that is counted."""

from __future__ import annotations

from dataclasses import dataclass, field

from dragoman._core import SeenSet
from dragoman.corpus.config import PrepareConfig

# Short sentences may differ by this many words whatever the ratio says ("Yes ." for one word).
RATIO_SLACK = 3


@dataclass
class CleanCounts:
    """How many pairs came, stayed, and were dropped for which reason."""

    read: int = 0
    kept: int = 0
    dropped: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ("empty", "too long", "length ratio", "copy", "duplicate"), 0
        )
    )


class Cleaner:
    """Decides pair by pair, remembering what it has seen."""

    def __init__(self, config: PrepareConfig) -> None:
        self._config = config
        self._seen = SeenSet()
        self.counts = CleanCounts()

    def keeps(self, source: str, target: str) -> bool:
        """Whether a tokenised pair stays; counts the decision."""
        self.counts.read += 1
        reason = self._reason_to_drop(source, target)
        if reason:
            self.counts.dropped[reason] += 1
            return False
        self.counts.kept += 1
        return True

    def _reason_to_drop(self, source: str, target: str) -> str:
        if not source or not target:
            return "empty"
        source_words, target_words = source.count(" ") + 1, target.count(" ") + 1
        if max(source_words, target_words) > self._config.max_words:
            return "too long"
        shorter, longer = sorted((source_words, target_words))
        if longer > self._config.max_ratio * shorter and longer > shorter + RATIO_SLACK:
            return "length ratio"
        if self._config.drop_copies and source == target:
            return "copy"
        # The tab keeps "a b" + "c" apart from "a" + "b c".
        if self._config.drop_duplicates and not self._seen.insert(f"{source}\t{target}"):
            return "duplicate"
        return ""
