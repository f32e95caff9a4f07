"""What joint training can be told (paper 003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.declared import Options, option

_MOST = 65_535


@dataclass(frozen=True)
class JointConfig(Options):
    """Rules and weights learnt in one loop, instead of extraction and tuning.

    Names of the paper's variants: reordering = "distortion" is its dl-based decoding,
    "gap" its gap-based one.
    """

    section = "joint"

    max_length: int = option(3, "Longest phrase on either side, in words.", low=1, high=7)
    reordering: Literal["gap", "distortion"] = option(
        "gap",
        "What limits reordering, in forced and real decoding: the number of gaps, or the jumps.",
    )
    gap_limit: int = option(2, "Most gaps.", low=1, high=_MOST)
    distortion_limit: int = option(6, "Longest jump.", low=0, high=_MOST)
    null_rules: bool = option(
        False, "Whether forced decoding may delete source words and insert target words."
    )
    null_cost: float = option(
        0.0,
        "What a deletion or insertion costs, beside its probabilities, in the scale in which "
        "weights are kept. It has no part in what is learnt of phrases, unless they cost more.",
        low=0,
        below=1e6,
    )
    k: float = option(
        4.0,
        "Of the rule probabilities: the larger, the better for short phrases.",
        above=0,
        below=1e6,
    )
    forced_beam: int = option(10, "Hypotheses per stack in forced decoding.", low=1, high=_MOST)
    real_beam: int = option(
        30, "Hypotheses per stack in real decoding of the training text.", low=1, high=_MOST
    )
    scale: float = option(
        5.0,
        "Rules count as often as they are probable in forced derivations, which are as probable "
        "as their score times this, in the scale in which weights are kept.",
        above=0,
        below=1e6,
    )
    min_count: float = option(
        0.01, "Rules with a smaller count are left out of the table.", low=0, below=1e6
    )
    options: int = option(
        100, "Options of a source phrase that are kept in the table.", low=1, high=_MOST
    )
    lexicon: Literal["links", "model1"] = option(
        "links",
        "The word translation probabilities that guide: from the aligner's links, or IBM Model 1.",
    )
    folds: int = option(
        4,
        "Weights are learnt from each part of the training text with what the others have "
        "taught, rules as well as language model; 1: with everything, as in the paper.",
        low=1,
        high=_MOST,
    )
    learn_from: Literal["table", "all"] = option(
        "table",
        "Pairs to learn weights from: those that the table of the other folds can derive, or all "
        "that can be derived with any phrase pairs, as in the paper.",
    )
    rules: Literal["replace", "unite"] = option(
        "replace",
        "What an iteration counts takes the place of what was known, or is added to it, as in the "
        "paper.",
    )
    weights: Literal["restart", "carry"] = option(
        "restart",
        "Each iteration learns its weights practically anew, or goes on with those of the one "
        "before, as in the paper.",
    )
    max_iterations: int = option(10, "Iterations at most.", low=1, high=_MOST)
    patience: int = option(
        2,
        "Iterations without a better score on the dev set before giving up.",
        low=1,
        high=_MOST,
    )
    batch: int = option(8, "Sentence pairs per update of the perceptron.", low=1, high=_MOST)
    rate: float = option(1.0, "How far an update goes.", above=0, below=1e6)
    match_length: bool = option(
        True,
        "Whether the weight of words is set so that translations of the dev set are as long as "
        "their references.",
    )
    start: Literal["default", "zero"] = option(
        "default",
        "Weights before the first update: all zero as in the paper, or those of a model before "
        "tuning.",
    )
    max_words: int = option(
        40,
        "Pairs with more words on a side are cut into segments by IBM Model 1.",
        low=5,
        high=1000,
    )
    sparse: bool = option(
        False, "A weight for every rule of its own, beside the few dense ones; overfits."
    )
    tune: bool = option(True, "Tune the weights on the dev set afterwards, as [tune] says.")
    seed: int = option(
        1, "The seed of the order in which pairs are learnt from.", low=0, high=_MOST
    )
