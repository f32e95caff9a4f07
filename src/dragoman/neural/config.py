"""What the training of the network can be told."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.declared import Options, option


@dataclass(frozen=True)
class NeuralConfig(Options):
    """Trains a small neural network, which has a say in train --best."""

    section = "neural"

    use: bool = option(True, "Whether train --best trains a network.")
    history: int = option(
        3, "How many target words before a word the network sees.", low=1, high=8
    )
    window: int = option(
        4,
        "How many source words the network sees on each side of a word's partner.",
        low=0,
        high=8,
    )
    dimensions: int = option(96, "How many numbers stand for a word.", low=1, high=1024)
    hidden: int = option(128, "How many units the hidden layer has.", low=1, high=4096)
    words: int = option(
        16_000,
        "How many words of each language the network tells apart, the most frequent ones; "
        "words that occur once are never among them.",
        low=1,
        high=65_000,
    )
    passes: int = option(5, "How often the network goes over the text.", low=1, high=1000)
    most: int = option(
        2_500_000,
        "How many words the network learns from in all passes together; of a longer text, "
        "every n-th pair is taken.",
        low=1,
    )
    noise: int = option(
        512,
        "How many random words the network learns to tell each batch from.",
        low=1,
        high=65_536,
    )
    batch: int = option(
        400, "How many words there are between two changes of the weights.", low=1, high=1_000_000
    )
    rate: float = option(0.05, "How fast the network learns at first.", above=0)
    seed: int = option(1, "The seed of the network's random numbers.", low=0)
