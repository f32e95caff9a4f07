"""What learning from the words around can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option


@dataclass(frozen=True)
class ContextConfig(Options):
    """Learns how each word is translated beside others."""

    section = "context"

    use: bool = option(True, "Whether phrase models have a lexicon of words in context.")
    window: int = option(
        5, "How many words on each side of a word the lexicon sees.", low=0, high=50
    )
    translations: int = option(
        30,
        "How many translations of a word the lexicon tells apart, the most frequent ones.",
        low=1,
        high=64,
    )
    passes: int = option(2, "How often the lexicon is shown the bitext.", low=1, high=100)
    most: int = option(
        4_000_000,
        "How many source words the lexicon is shown in each pass; of a larger bitext it is shown "
        "a part, and another one in each pass.",
        low=1,
    )
    bits: int = option(
        22,
        "The lexicon has at most 2 to the power of this many places for weights, and fewer for "
        "a small text.",
        low=10,
        high=28,
    )
    rate: float = option(0.1, "How large the steps are by which the lexicon learns.", above=0)
    decay: float = option(
        1e-4, "How strongly the weights of the lexicon are drawn to zero.", low=0
    )
    seed: int = option(1, "The seed of the order of sentences.", low=0)
