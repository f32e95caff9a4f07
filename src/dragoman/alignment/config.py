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
    """Finds out which words translate each other.

    docs/reference/alignment.md says what the numbers do.
    """

    section = "align"

    symmetry: SymmetryName = option(
        "grow-diag-final-and", "How the links of the two directions become one set."
    )
    posterior_threshold: float = option(
        0.3,
        "What a link needs under the symmetry posterior: the geometric mean of its "
        "probabilities in both directions must be higher.",
        low=0,
        high=1,
    )
    model1_iterations: int = option(
        8, "How often the aligner goes over the corpus with IBM Model 1.", low=0, high=1000
    )
    hmm_iterations: int = option(
        4, "How often the aligner then goes over the corpus with the HMM.", low=1, high=1000
    )
    lexical_prior: float = option(
        0.001,
        "What every word pair counts before it is seen; with small values a word has few "
        "translations.",
        low=1e-9,
        high=1000,
    )
    null_probability: float = option(
        0.1, "How probable it is that a word has no counterpart.", above=0, below=1
    )
