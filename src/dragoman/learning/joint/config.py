"""What joint training can be told (paper 003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.declared import Options, option

_MOST = 65_535


@dataclass(frozen=True)
class JointConfig(Options):
    """Learns rules and weights in one loop, instead of one after the other.

    Names of the paper's variants: reordering = "distortion" is its dl-based decoding,
    "gap" its gap-based one.
    """

    section = "joint"

    max_length: int = option(3, "How many words a phrase may have on either side.", low=1, high=7)
    reordering: Literal["gap", "distortion"] = option(
        "gap",
        "What limits reordering, in forced and in real decoding: the number of gaps (gap), or "
        "the length of jumps (distortion).",
    )
    gap_limit: int = option(2, "How many gaps there may be at a time.", low=1, high=_MOST)
    distortion_limit: int = option(6, "How many words a jump may skip.", low=0, high=_MOST)
    null_rules: bool = option(
        False, "Whether forced decoding may delete source words and insert target words."
    )
    null_cost: float = option(
        0.0,
        "What a deletion or an insertion costs beside its probabilities, in the scale in "
        "which weights are kept. The weight of phrases counts for it only where it is below "
        "zero.",
        low=0,
        below=1e6,
    )
    k: float = option(
        4.0,
        "The constant k of the rule probabilities (equation 1 of the paper): the larger it "
        "is, the better for short phrases.",
        above=0,
        below=1e6,
    )
    forced_beam: int = option(
        10, "How many hypotheses each stack keeps in forced decoding.", low=1, high=_MOST
    )
    real_beam: int = option(
        30,
        "How many hypotheses each stack keeps when the training text is decoded.",
        low=1,
        high=_MOST,
    )
    scale: float = option(
        5.0,
        "By how much the scores of forced derivations are multiplied, in the scale in which "
        "weights are kept, before they become the probabilities that rules are counted by.",
        above=0,
        below=1e6,
    )
    min_count: float = option(
        0.01, "Rules with a smaller count than this are left out of the table.", low=0, below=1e6
    )
    options: int = option(
        100, "How many translations of a source phrase the table keeps.", low=1, high=_MOST
    )
    lexicon: Literal["links", "model1"] = option(
        "links",
        "Which word translation probabilities guide the search: those of the aligner's links, "
        "or those of IBM Model 1.",
    )
    folds: int = option(
        4,
        "Into how many parts the training text is cut: weights are learnt from each part with "
        "the rules and the language model of the others; 1: with those of everything, as in "
        "the paper.",
        low=1,
        high=_MOST,
    )
    learn_from: Literal["table", "all"] = option(
        "table",
        "Which pairs weights are learnt from: those that the table of the other parts can "
        "derive (table), or all that can be derived with any phrase pairs (all), as in the "
        "paper.",
    )
    rules: Literal["replace", "unite"] = option(
        "replace",
        "Whether the rules that an iteration counts replace what was known, or are added to "
        "it (unite), as in the paper.",
    )
    weights: Literal["restart", "carry"] = option(
        "restart",
        "Whether each iteration learns its weights practically anew (restart), or goes on "
        "with those of the one before (carry), as in the paper.",
    )
    max_iterations: int = option(10, "How many iterations there are at most.", low=1, high=_MOST)
    patience: int = option(
        2,
        "After how many iterations without a better score on the dev set the loop ends.",
        low=1,
        high=_MOST,
    )
    batch: int = option(
        8, "How many sentence pairs the perceptron sees between two updates.", low=1, high=_MOST
    )
    rate: float = option(1.0, "How far each update of the weights goes.", above=0, below=1e6)
    match_length: bool = option(
        True,
        "Whether the weight of words is set so that translations of the dev set are as long "
        "as their references.",
    )
    start: Literal["default", "zero"] = option(
        "default",
        "The weights before the first update: those of a model before tuning (default), or "
        "zero, as in the paper.",
    )
    max_words: int = option(
        40,
        "Pairs with more words than this on either side are cut into segments by IBM Model 1.",
        low=5,
        high=1000,
    )
    sparse: bool = option(
        False,
        "Whether every rule has a weight of its own, beside the few weights of all rules; "
        "this overfits.",
    )
    tune: bool = option(
        True, "Whether the weights are tuned on the dev set afterwards, as [tune] says."
    )
    seed: int = option(
        1, "The seed of the order in which pairs are learnt from.", low=0, high=_MOST
    )
