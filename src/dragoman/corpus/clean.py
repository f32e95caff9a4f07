"""Dropping pairs that would teach a model nothing good, each for a reason that is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dragoman._core import SeenSet
from dragoman.corpus.config import PrepareConfig

# The reasons to drop pairs, as people read them behind a number.
REASONS = {
    "empty": "with an empty side",
    "too long": "too long",
    "length ratio": "of very different lengths",
    "copy": "with the same text on both sides",
    "duplicate": "seen before",
}

# Short sentences may differ by this many words whatever the ratio says ("Yes ." for one word).
RATIO_SLACK = 3


@dataclass
class CleanCounts:
    """How many pairs came, stayed, and were dropped for which reason."""

    read: int = 0
    kept: int = 0
    dropped: dict[str, int] = field(default_factory=lambda: dict.fromkeys(REASONS, 0))


class Cleaner:
    """Decides pair by pair, remembering what it has seen."""

    def __init__(self, config: PrepareConfig) -> None:
        self._config = config
        self._seen = SeenSet()
        self.counts = CleanCounts()

    def keeps(self, source: str, target: str) -> bool:
        """Whether a tokenised pair stays; counts the decision."""
        self.counts.read += 1
        reason = reason_to_drop(self._config, source, target)
        # The tab keeps "a b" + "c" apart from "a" + "b c".
        if (
            not reason
            and self._config.drop_duplicates
            and not self._seen.insert(f"{source}\t{target}")
        ):
            reason = "duplicate"
        if reason:
            self.counts.dropped[reason] += 1
            return False
        self.counts.kept += 1
        return True

    def count_dropped(self, dropped: Mapping[str, int]) -> None:
        """Pairs that were dropped elsewhere, by reason."""
        for reason, count in dropped.items():
            self.counts.read += count
            self.counts.dropped[reason] += count


def reasons_told(dropped: Mapping[str, int]) -> str:
    """How many pairs were dropped for which reason; empty when none were."""
    return ", ".join(f"{count:,} {REASONS[reason]}" for reason, count in dropped.items() if count)


def reason_to_drop(config: PrepareConfig, source: str, target: str) -> str:
    """Why a tokenised pair does not stay, whatever came before it; empty when it does."""
    if not source or not target:
        return "empty"
    source_words, target_words = source.count(" ") + 1, target.count(" ") + 1
    if max(source_words, target_words) > config.max_words:
        return "too long"
    shorter, longer = sorted((source_words, target_words))
    if longer > config.max_ratio * shorter and longer > shorter + RATIO_SLACK:
        return "length ratio"
    if config.drop_copies and source == target:
        return "copy"
    return ""
