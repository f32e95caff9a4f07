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
    """Collects phrases and their translations, with probabilities, in a phrase table."""

    section = "rules"

    max_length: int = option(
        7, "How many words a phrase may have on either side.", low=1, high=255
    )
    smoothing: SmoothingName = option(
        "kneser-ney",
        "How the probabilities of phrases are smoothed (Foster, Kuhn & Johnson 2006).",
    )
    lexical_weights: WeightingName = option(
        "viterbi",
        "How the words of a phrase are judged: each by its best partner under IBM Model 1 "
        "(viterbi, Moore & Quirk 2007), or by the mean over its links (links, Koehn et al. "
        "2003).",
    )
    reordering: tuple[ReorderingName, ...] = option(
        ("hierarchical",),
        "Which reordering models there are. They differ in what they look at beside a phrase: "
        "links (word), phrase pairs (phrase), or blocks of any size (hierarchical).",
    )
    reordering_smoothing: float = option(
        0.5, "What is added to each count of a reordering model.", above=0
    )
    significance: Literal["off", "lenient", "strict"] = option(
        "off",
        "Which phrase pairs are dropped because they may be together by chance (Fisher's "
        "exact test, Johnson et al. 2007): strict also drops pairs that occur once, of "
        "phrases that occur once; lenient keeps these.",
    )
    quantise: bool = option(False, "Whether each score is stored in one byte instead of four.")
    bilingual_order: int = option(
        5,
        "How many words the longest n-grams of the bilingual language model have (Niehues et "
        "al. 2011); 0: there is no such model.",
        low=0,
        high=8,
    )

    def check(self) -> None:
        require(
            len(set(self.reordering)) == len(self.reordering),
            "rules.reordering names a model twice",
        )


@dataclass(frozen=True)
class HieroConfig(Options):
    """Collects rules with gaps (Chiang 2007), for models of the kind "hiero"."""

    section = "hiero"

    max_span: int = option(
        10,
        "How many words the phrase pairs that rules are made from may have on either side.",
        low=1,
        high=15,
    )
    max_symbols: int = option(
        5, "How many words and gaps the source side of a rule may have.", low=1, high=15
    )
    max_gaps: int = option(2, "How many gaps a rule may have.", low=0, high=2)
    min_gap: int = option(
        1, "How many source words a gap must stand for at least.", low=1, high=15
    )
    tight: bool = option(
        True,
        "Whether the phrase pairs that rules are made from must begin and end with linked words.",
    )
    min_count: float = option(
        0.0, "Rules with gaps that count less than this are left out; counts are fractions.", low=0
    )
    discount: float = option(
        0.8,
        "What smoothing (Kneser-Ney) takes off the count of each rule, to spread it over all "
        "of them; 0: nothing is smoothed.",
        low=0,
        below=1,
    )
    max_options: int = option(
        100,
        "How many rules of each source side are kept, the best ones by their estimated "
        "scores; 0: all.",
        low=0,
        high=(1 << 31) - 1,
    )
    lexical_weights: WeightingName = option(
        "viterbi", "How the words of a rule are judged, as in [rules]."
    )
    quantise: bool = option(False, "Whether each score is stored in one byte instead of four.")


@dataclass(frozen=True)
class ResortConfig(Options):
    """Sorts the phrase table under the tuned weights and keeps the best translations."""

    section = "resort"

    limit: int = option(
        100, "How many translations of each source phrase are kept, the best ones; 0: all.", low=0
    )
