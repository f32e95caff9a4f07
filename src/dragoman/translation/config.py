"""What translating can be told beside the search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from dragoman.declared import Options, option

MatchesName = Literal["off", "exact", "fuzzy"]
PreferenceName = Literal["frequent", "latest"]


@dataclass(frozen=True)
class MemoryOptions(Options):
    """How the translation memory of a model is used."""

    memory_matches: MatchesName | None = option(
        None,
        "What the translation memory does. off: nothing; exact: a segment that is in it gets "
        "the translation stored with it; fuzzy: similar segments are offered as well. none: "
        "off for lines of text, fuzzy for documents.",
    )
    memory_least: int = option(
        70, "From which score on fuzzy matches are offered, in percent.", low=30, high=100
    )
    memory_most: int = option(3, "How many matches of a segment are offered.", low=1, high=100)
    memory_prefer: PreferenceName = option(
        "frequent",
        "Which of several translations of a segment is taken: the most frequent one, or the "
        "latest.",
    )

    def otherwise(self, matches: MatchesName) -> MemoryOptions:
        """The same with `matches` wanted, if nobody has said which."""
        return self if self.memory_matches else replace(self, memory_matches=matches)


@dataclass(frozen=True)
class SuggestOptions(Options):
    """How what somebody types is looked for in the search graph."""

    suggest_edit_cost: float = option(
        6.0,
        "What it costs, in model score, that a word was typed which is not in a translation, "
        "or that one of its words was not typed.",
        above=0,
        high=1000,
    )


@dataclass(frozen=True)
class ConfidenceConfig(Options):
    """Learns from the dev set how sure translations are."""

    section = "confidence"

    sentences: int = option(
        400, "How many dev sentences are learnt from, evenly spread; 0: nothing is learnt.", low=0
    )
