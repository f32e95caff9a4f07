"""What tuning can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.declared import Options, option


@dataclass(frozen=True)
class TuneConfig(Options):
    """From a model with default weights to one whose weights suit the dev set."""

    section = "tune"

    method: Literal["mira", "mert", "pro", "perceptron"] = option("mira", "The optimiser.")
    metric: Literal["bleu", "chrf", "ter", "ribes"] = option(
        "bleu", "The score that is made as good as possible."
    )
    nbest: int = option(100, "Translations per dev sentence that each round adds.", low=1)
    # Scores hardly rise after the fifth round.
    max_iterations: int = option(8, "How many rounds there are at most.", low=1)
    patience: int = option(3, "Rounds without a better score before giving up.", low=1)
    seed: int = option(1, "The seed of the optimiser's random numbers.", low=0)
    never_seen: int = option(
        100,
        "Words never seen to tune on at least: where the dev set has fewer, sentences come once "
        "more with their rare words as if these were new.",
        low=0,
    )


@dataclass(frozen=True)
class ConsensusConfig(Options):
    """From several models to one that says what they agree on."""

    section = "consensus"

    members: tuple[str, ...] = option(
        ("btg", "hiero"), "What train --best makes beside the plain model: btg, hiero."
    )
    list_size: int = option(70, "Translations that each model lists.", low=1, high=1_000_000)
    seed: int = option(1, "The seed of the optimiser's random numbers.", low=0)
