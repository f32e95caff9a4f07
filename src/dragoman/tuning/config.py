"""What tuning can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.declared import Options, option


@dataclass(frozen=True)
class TuneConfig(Options):
    """Finds the weights that translate the dev set best."""

    section = "tune"

    method: Literal["mira", "mert", "pro", "perceptron"] = option(
        "mira", "The optimiser that finds the weights."
    )
    metric: Literal["bleu", "chrf", "ter", "ribes"] = option(
        "bleu", "The score that the weights make as good as possible."
    )
    nbest: int = option(100, "How many translations of each dev sentence a round adds.", low=1)
    # Scores hardly rise after the fifth round.
    max_iterations: int = option(8, "How many rounds there are at most.", low=1)
    patience: int = option(
        3,
        "After how many rounds without a better score tuning ends, unless these rise one by one.",
        low=1,
    )
    seed: int = option(1, "The seed of the optimiser's random numbers.", low=0)
    never_seen: int = option(
        100,
        "How many words never seen tuning needs. Where the dev set has fewer, some of its "
        "sentences come once more with their rare words as if these were new.",
        low=0,
    )


@dataclass(frozen=True)
class ConsensusConfig(Options):
    """Finds out how several models best agree on a translation."""

    section = "consensus"

    members: tuple[str, ...] = option(
        ("btg", "hiero"),
        "Which models train --best makes beside the plain one: btg (preordered), hiero "
        "(hierarchical).",
    )
    list_size: int = option(70, "How many translations each model lists.", low=1, high=1_000_000)
    seed: int = option(1, "The seed of the optimiser's random numbers.", low=0)
