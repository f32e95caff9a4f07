"""What the training of the network can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option


@dataclass(frozen=True)
class NeuralConfig(Options):
    """From the aligned bitext to a small neural network, which has a say in train --best."""

    section = "neural"

    use: bool = option(True, "Whether train --best makes a network.")
    history: int = option(3, "Target words before a word that it sees.", low=1, high=8)
    window: int = option(
        4, "Source words on each side of the word's partner that it sees.", low=0, high=8
    )
    dimensions: int = option(96, "Numbers that stand for a word.", low=1, high=1024)
    hidden: int = option(128, "Units of the hidden layer.", low=1, high=4096)
    words: int = option(
        16_000,
        "Words of each language that it tells apart, the most frequent ones; those seen once "
        "never are.",
        low=1,
        high=65_000,
    )
    passes: int = option(5, "How often it sees the text.", low=1, high=1000)
    most: int = option(
        2_500_000,
        "Words that it learns from in all passes together; of more text every n-th pair is taken.",
        low=1,
    )
    noise: int = option(512, "Random words that a batch is told from.", low=1, high=65_536)
    batch: int = option(400, "Words between two changes of the weights.", low=1, high=1_000_000)
    rate: float = option(0.05, "How fast it learns at first.", above=0)
    seed: int = option(1, "The seed of its random numbers.", low=0)
