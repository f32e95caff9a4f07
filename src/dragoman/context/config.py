"""What learning from the words around can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option


@dataclass(frozen=True)
class ContextConfig(Options):
    """From links to a lexicon that looks at the words around each word."""

    section = "context"

    use: bool = option(True, "Whether models of phrases have such a lexicon.")
    window: int = option(5, "How many words on each side it sees.", low=0, high=50)
    translations: int = option(
        30,
        "How many translations of a word it tells apart: the most frequent ones.",
        low=1,
        high=64,
    )
    passes: int = option(2, "How often it reads the bitext.", low=1, high=100)
    most: int = option(
        4_000_000,
        "How many source words it reads in each pass; of a larger bitext it reads a part, and "
        "another one in each pass.",
        low=1,
    )
    bits: int = option(
        22,
        "It has 2 to this power places for weights at most; for small text fewer.",
        low=10,
        high=28,
    )
    rate: float = option(0.1, "The size of the steps by which it learns.", above=0)
    decay: float = option(1e-4, "How strongly weights are drawn to zero.", low=0)
    seed: int = option(1, "The seed of the order in which it reads sentences.", low=0)
