"""What the extraction of phrases and rules can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.declared import Options, option, require

ReorderingName = Literal["word", "phrase", "hierarchical"]
WeightingName = Literal["viterbi", "links"]
SmoothingName = Literal["none", "good-turing", "kneser-ney"]


@dataclass(frozen=True)
class RulesConfig(Options):
    """From links to a phrase table."""

    section = "rules"

    max_length: int = option(7, "Longest phrase on either side, in words.", low=1, high=255)
    smoothing: SmoothingName = option(
        "kneser-ney", "Of phrase probabilities (Foster, Kuhn & Johnson 2006)."
    )
    lexical_weights: WeightingName = option(
        "viterbi",
        "Every word takes its best partner under IBM Model 1 (Moore & Quirk 2007), or the mean "
        "over its links (Koehn et al. 2003).",
    )
    reordering: tuple[ReorderingName, ...] = option(
        ("hierarchical",),
        "How orientations are counted: from links (word), from phrase pairs, or from blocks of "
        "any size.",
    )
    reordering_smoothing: float = option(
        0.5, "Added to each orientation count of a phrase pair.", above=0
    )
    significance: Literal["off", "lenient", "strict"] = option(
        "off",
        "Fisher's exact test (Johnson et al. 2007): strict drops pairs that occur once, of "
        "phrases that occur once; lenient keeps them.",
    )
    quantise: bool = option(False, "Scores in one byte each instead of four.")
    bilingual_order: int = option(
        5, "Order of the bilingual language model (Niehues et al. 2011); 0: none.", low=0, high=8
    )

    def check(self) -> None:
        require(
            len(set(self.reordering)) == len(self.reordering),
            "rules.reordering names a model twice",
        )


@dataclass(frozen=True)
class HieroConfig(Options):
    """From links to hierarchical rules (Chiang 2007), for models of the kind "hiero"."""

    section = "hiero"

    max_span: int = option(
        10,
        "Longest phrase pair that rules are made from, in words on either side.",
        low=1,
        high=15,
    )
    max_symbols: int = option(5, "Words and gaps of a rule's source side.", low=1, high=15)
    max_gaps: int = option(2, "How many of them may be gaps.", low=0, high=2)
    min_gap: int = option(1, "Source words that a gap must stand for at least.", low=1, high=15)
    tight: bool = option(True, "Whether phrase pairs must begin and end with linked words.")
    min_count: float = option(
        0.0, "Rules with gaps that count less than this are left out; counts are fractions.", low=0
    )
    discount: float = option(
        0.8,
        "What smoothing takes off the count of each rule, to spread it over all (Kneser-Ney); 0: "
        "relative frequencies.",
        low=0,
        below=1,
    )
    max_options: int = option(
        100,
        "Of each source side, so many rules by estimated score are kept; 0: all.",
        low=0,
        high=(1 << 31) - 1,
    )
    lexical_weights: WeightingName = option("viterbi", "As in [rules].")
    quantise: bool = option(False, "Scores in one byte each instead of four.")


@dataclass(frozen=True)
class ResortConfig(Options):
    """From the phrase table to one sorted under the tuned weights."""

    section = "resort"

    limit: int = option(
        100, "Translations of a source phrase that are kept, the best ones; 0: all.", low=0
    )
