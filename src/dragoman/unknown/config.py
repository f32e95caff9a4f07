"""What learning about words never seen can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option


@dataclass(frozen=True)
class UnknownConfig(Options):
    """Learns how to translate words that the training text does not have."""

    section = "unknown"

    sources: bool = option(
        True,
        "Whether words never seen are translated by their parts, relatives, spelling and sound.",
    )
    words: int = option(
        60_000,
        "How many known words are learnt from, the most frequent ones.",
        low=1,
        high=10_000_000,
    )
    pieces: float = option(
        0.1,
        "Which share of the words of a new text must be expected to be new, judging by the "
        "words that training saw once, for words to be translated piece by piece as well.",
        low=0,
        high=1,
    )
