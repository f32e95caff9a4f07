"""What learning about words never seen can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option


@dataclass(frozen=True)
class UnknownConfig(Options):
    """From the table to sources of translations for words that are not in it."""

    section = "unknown"

    sources: bool = option(
        True, "Whether words never seen are translated by parts, relatives, spelling and sound."
    )
    words: int = option(
        60_000, "Known words to learn from, the most frequent ones.", low=1, high=10_000_000
    )
