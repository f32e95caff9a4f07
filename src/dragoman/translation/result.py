"""What a sentence becomes on its way: prepared, searched for, translated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dragoman._core import DecodeResult, PhraseTranslation
from dragoman.search.options import AnyOptions
from dragoman.translation.demands import MarkedLine
from dragoman.translation.source import Source
from dragoman.translation.trace import alignment_of, places_of

if TYPE_CHECKING:
    from dragoman.translation.memory import Match


@dataclass(frozen=True)
class Wants:
    """What is asked of a search beside the best translation; sentences that want the same may
    share a call."""

    options: AnyOptions | None = None  # None: the translator's own
    nbest: int = 0
    distinct: bool = False
    features: bool = False
    graph: bool = False
    graph_values: bool = True  # feature values of its edges
    confidence: bool = False  # how sure the best translation is; needs a graph without values
    picture: bool = False


PLAIN = Wants()


@dataclass(frozen=True)
class Prepared:
    """A sentence as the search takes it; its translation, when somebody has dictated it, and what
    the translation memory offers, best first."""

    source: Source
    line: MarkedLine
    dictated: str | None = None
    offers: tuple[Match, ...] = ()
    remembered: Match | None = None  # the one of them that is taken as it is

    def as_seen_by(self, member: int) -> Prepared:
        """The same with the words in the order of a model of a consensus."""
        orders = self.line.orders
        return replace(self, line=replace(self.line, order=orders[member])) if orders else self


@dataclass(frozen=True)
class PhrasePair:
    """Some words of a sentence and their translation; spans are half-open, in words."""

    source_span: tuple[int, int]
    target_span: tuple[int, int]
    target: str
    unknown: bool  # nothing is known of the word: it was copied


class Translation:
    """One translation of a sentence: its text, and on demand why it came out so.

    It prints as its text. A sentence that could not be translated has a `problem` and no text.
    """

    def __init__(
        self,
        text: str,
        prepared: Prepared,
        entry: PhraseTranslation | None = None,
        features: Sequence[str] = (),
        problem: str = "",
        sure: Callable[[], list[float]] = list,
    ) -> None:
        self.text = text
        self.problem = problem
        self._sure = sure
        self._prepared, self._entry, self._features = prepared, entry, features

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Translation({self.text!r})" if not self.problem else f"<{self.problem}>"

    @property
    def source(self) -> str:
        """The sentence that was translated."""
        return self._prepared.source.spelt

    @property
    def dictated(self) -> bool:
        """Whether a correction or the translation memory has said what the translation of the
        whole sentence is."""
        return self._prepared.dictated is not None or self.remembered is not None

    @property
    def remembered(self) -> Match | None:
        """The match of the translation memory that it is."""
        return self._prepared.remembered

    @property
    def offers(self) -> tuple[Match, ...]:
        """What the translation memory offers for the sentence, best first."""
        return self._prepared.offers

    @property
    def score(self) -> float:
        """The model score, a weighted sum of features; 0 where there is no translation."""
        return self._entry.score if self._entry is not None else 0.0

    @cached_property
    def features(self) -> dict[str, float]:
        """Feature values by name."""
        if self._entry is None:
            return {}
        return dict(zip(self._features, self._entry.features.tolist(), strict=True))

    @property
    def source_words(self) -> list[str]:
        """The sentence in tokens."""
        return self._prepared.line.tokens

    @cached_property
    def words(self) -> list[str]:
        """The translation in tokens."""
        return self._entry.target.split() if self._entry is not None else []

    @cached_property
    def confidences(self) -> list[float]:
        """How sure each of `words` is, from 0 to 1; empty where nobody has asked."""
        return self._sure()

    @property
    def confidence(self) -> float | None:
        """The share of its words that is expected to be right; None where nobody has asked."""
        found = self.confidences
        return sum(found) / len(found) if found else None

    def told_confidence(self) -> dict[str, Any]:
        """How sure it is and each of its words, as JSON has it."""
        whole = self.confidence
        return {
            "confidence": round(whole, 4) if whole is not None else None,
            "target_tokens": self.words,
            "word_confidences": [round(one, 4) for one in self.confidences],
        }

    @cached_property
    def alignment(self) -> list[tuple[int, int]]:
        """Links between tokens, (source, target)."""
        if self._entry is None:
            return []
        return alignment_of(self._entry, self._prepared.line.order)

    @cached_property
    def phrases(self) -> list[PhrasePair]:
        """The phrase pairs it is made of, in the order of the translation."""
        steps = self._entry.steps if self._entry is not None else []
        order = self._prepared.line.order
        found = []
        for step in steps:
            begin, end = places_of(step.source, order)["source_span"]
            found.append(PhrasePair((begin, end), step.target_span, step.target, step.unknown))
        return found


@dataclass(frozen=True)
class Found:
    """A sentence with all that was found for it."""

    prepared: Prepared
    result: DecodeResult
    best: Translation
    nbest: tuple[Translation, ...] = ()


@dataclass(frozen=True)
class SaidPassage:
    """A translated passage."""

    text: str
    confidence: float | None = None


def passage_confidence(sentences: Sequence[Sequence[float] | None]) -> float | None:
    """The share of the words of some sentences that is expected to be right, from how sure each
    word is; None where that is unknown, as of a sentence that was not searched for."""
    if any(words is None for words in sentences):
        return None
    found = [one for words in sentences if words for one in words]
    return sum(found) / len(found) if found else None
