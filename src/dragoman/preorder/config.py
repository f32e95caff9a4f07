"""What preordering can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.alignment.config import SymmetryName
from dragoman.declared import Options, option

PreorderName = Literal["off", "trees", "btg"]


@dataclass(frozen=True)
class PreorderConfig(Options):
    """Source words in the order of the target language, before anything else sees them.

    docs/reference/preordering.md says what the numbers do.
    """

    section = "preorder"

    method: PreorderName = option(
        "off",
        "Put source sentences into the target's order first: along parse trees that are given "
        "(paper 004), or along trees induced from alignments (btg).",
    )
    symmetry: SymmetryName = option(
        "grow-diag-final-and", "How the links that labels come from are made (see [align])."
    )
    posterior_threshold: float = option(
        0.3,
        "For the symmetry posterior: what a link needs (see [align]).",
        low=0,
        high=1,
    )
    passes: int = option(
        3,
        "How often to align, learn and reorder: in reordered text the aligner finds more of the "
        "links that labels are made of.",
        low=1,
    )
    binarisation: Literal["left", "right", "head"] = option(
        "head", "How constituents of more than two parts are cut in two."
    )
    head_side: Literal["first", "last"] = option(
        "last", "Which part of a constituent is its head if the tree does not say so."
    )
    features: tuple[str, ...] = option(
        ("spans", "sigma", "sigma-r", "sigma-t", "sigma-w", "heads"),
        "Sets of templates of the method trees (see dragoman.preorder.features).",
    )
    weighting: Literal["equal", "gain"] = option(
        "equal",
        "How much a label counts: all the same, as in the paper, or by how many pairs of words "
        "it brings into order (method trees).",
    )
    min_count: int = option(2, "Features seen more rarely are left out.", low=1, high=255)
    hash_bits: int = option(
        22, "Weights are kept in 2 to the power of so many buckets.", low=8, high=28
    )
    inverse_penalty: float = option(0.1, "C of the logistic regression.", above=0)
    epochs: int = option(
        10, "How often the logistic regression goes over the labelled nodes.", low=1
    )
    max_nodes: int = option(
        1_000_000,
        "Of more labelled nodes only a sample is used, so that memory is bounded.",
        low=1,
    )
    # A model knows its own training text better than any other and would promise the decoder too
    # much.
    folds: int = option(
        2,
        "The training text is put in order by so many models, each trained without its share; 1: "
        "by the model itself.",
        low=1,
    )
    parser: str = option("", "A spaCy pipeline that parses what is translated, such as ja_ginza.")
    word_classes: int = option(64, "Word classes of the method btg.", low=1, high=10_000)
    rounds: int = option(2, "Rounds of the method btg over the corpus.", low=1)
    sharpness: float = option(1.0, "How hard the method btg tells decisions apart.", above=0)
    rate: float = option(0.02, "The size of the steps of the method btg.", above=0)
    max_words: int = option(60, "Longer sentences are not learnt from by the method btg.", low=1)
    seed: int = option(1, "The seed of the random numbers of the method btg.", low=0)
