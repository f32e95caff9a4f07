"""What the aligner can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.declared import Options, option

SymmetryName = Literal[
    "grow-diag-final-and",
    "grow-diag-final",
    "grow-diag",
    "intersection",
    "union",
    "forward",
    "backward",
    "posterior",
]


@dataclass(frozen=True)
class AlignConfig(Options):
    """From a bitext to word links; docs/reference/alignment.md says what the numbers do."""

    section = "align"

    symmetry: SymmetryName = option(
        "grow-diag-final-and", "How the links of the two directions become one set."
    )
    posterior_threshold: float = option(
        0.3,
        "For the symmetry posterior: a link needs this geometric mean of both directions' "
        "probabilities.",
        low=0,
        high=1,
    )
    model1_iterations: int = option(
        8, "Sweeps over the corpus with IBM Model 1.", low=0, high=1000
    )
    hmm_iterations: int = option(4, "Sweeps over the corpus with the HMM.", low=1, high=1000)
    lexical_prior: float = option(
        0.001,
        "Weight of a word pair before it is seen; small values make translations sparse.",
        low=1e-9,
        high=1000,
    )
    null_probability: float = option(
        0.1, "Probability that a word has no counterpart.", above=0, below=1
    )
