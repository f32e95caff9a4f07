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
        "Translation memory: off; exact: a segment that is in it gets the translation stored with "
        "it; fuzzy: similar ones are offered beside the machine's as well. None: off for lines of "
        "text, fuzzy for documents.",
    )
    memory_least: int = option(
        70, "Fuzzy matches are offered from this score on, in percent.", low=30, high=100
    )
    memory_most: int = option(3, "How many matches of a segment are offered.", low=1, high=100)
    memory_prefer: PreferenceName = option(
        "frequent",
        "Which of several translations of a segment is taken: the most frequent, or the latest.",
    )

    def otherwise(self, matches: MatchesName) -> MemoryOptions:
        """The same with `matches` wanted, if nobody has said which."""
        return self if self.memory_matches else replace(self, memory_matches=matches)


@dataclass(frozen=True)
class SuggestOptions(Options):
    """How what somebody types is looked for in the search graph."""

    suggest_edit_cost: float = option(
        6.0,
        "What it costs, in model score, that a word was typed which is not in a translation, or "
        "the reverse.",
        above=0,
        high=1000,
    )


@dataclass(frozen=True)
class ConfidenceConfig(Options):
    """From the dev set to how sure translations are."""

    section = "confidence"

    sentences: int = option(
        400, "How many dev sentences to learn from, evenly spread; 0: nothing is learnt.", low=0
    )
