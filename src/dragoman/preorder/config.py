"""What preordering can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.alignment.config import SymmetryName
from dragoman.declared import Options, option

PreorderName = Literal["off", "trees", "btg"]


@dataclass(frozen=True)
class PreorderConfig(Options):
    """Puts source words into the order of the target language, before anything else sees them.

    docs/reference/preordering.md says what the numbers do.
    """

    section = "preorder"

    method: PreorderName = option(
        "off",
        "Whether source sentences are put into the order of the target language first: along "
        "parse trees that are given (trees, paper 004), or along trees that are learnt from "
        "alignments (btg).",
    )
    symmetry: SymmetryName = option(
        "grow-diag-final-and",
        "How the links of both directions become the one set that orders are learnt from (see "
        "[align]).",
    )
    posterior_threshold: float = option(
        0.3,
        "What a link needs under the symmetry posterior (see [align]).",
        low=0,
        high=1,
    )
    passes: int = option(
        3,
        "How often the text is aligned, learnt from and reordered; in reordered text the "
        "aligner finds more of the links that orders are learnt from.",
        low=1,
    )
    binarisation: Literal["left", "right", "head"] = option(
        "head",
        "How constituents of more than two parts are cut in two: from the left, from the "
        "right, or outwards from the head.",
    )
    head_side: Literal["first", "last"] = option(
        "last", "Which part of a constituent is its head where the tree does not say so."
    )
    features: tuple[str, ...] = option(
        ("spans", "sigma", "sigma-r", "sigma-t", "sigma-w", "heads"),
        "Which sets of feature templates the method trees uses (see dragoman.preorder.features).",
    )
    weighting: Literal["equal", "gain"] = option(
        "equal",
        "How much each decision counts when the method trees learns: all the same (equal), as "
        "in the paper, or by how many pairs of words it brings into order (gain).",
    )
    min_count: int = option(
        2, "Features that occur less often than this are left out.", low=1, high=255
    )
    hash_bits: int = option(
        22,
        "The weights of features are kept in 2 to the power of this many buckets.",
        low=8,
        high=28,
    )
    inverse_penalty: float = option(
        0.1, "How closely the logistic regression may fit its text: its constant C.", above=0
    )
    epochs: int = option(
        10,
        "How often the logistic regression goes over the decisions of the training text.",
        low=1,
    )
    max_nodes: int = option(
        1_000_000,
        "How many decisions are learnt from at most, so that memory is bounded; of more, only "
        "a sample is used.",
        low=1,
    )
    # A model knows its own training text better than any other and would promise the decoder too
    # much.
    folds: int = option(
        2,
        "How many models put the training text in order, each trained without the share that "
        "it puts in order; 1: the model itself does.",
        low=1,
    )
    parser: str = option("", "A spaCy pipeline that parses what is translated, such as ja_ginza.")
    word_classes: int = option(
        64, "How many word classes the method btg uses.", low=1, high=10_000
    )
    rounds: int = option(2, "How often the method btg goes over the corpus.", low=1)
    sharpness: float = option(
        1.0, "How hard the method btg tells good decisions from bad ones.", above=0
    )
    rate: float = option(0.02, "How large the steps of the method btg are.", above=0)
    max_words: int = option(
        60, "Sentences with more words than this are not learnt from by the method btg.", low=1
    )
    seed: int = option(1, "The seed of the random numbers of the method btg.", low=0)
