"""What learning about words never seen can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option


@dataclass(frozen=True)
class UnknownConfig(Options):
    """From the phrase table to ways of translating words never seen."""

    section = "unknown"

    sources: bool = option(
        True, "Whether words never seen are translated by parts, relatives, spelling and sound."
    )
    words: int = option(
        60_000, "Known words to learn from, the most frequent ones.", low=1, high=10_000_000
    )
    pieces: float = option(
        0.1,
        "Words are translated piece by piece where at least this share of the words of new text "
        "is expected to be new, judging by the words that training saw once.",
        low=0,
        high=1,
    )
