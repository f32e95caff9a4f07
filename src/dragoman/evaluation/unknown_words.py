"""Words of a text that a model has never seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from dragoman._core import Vocabulary
from dragoman.text.items import item_kind


@dataclass(frozen=True)
class UnknownWord:
    """A word, how often it occurs, and the first sentence with it."""

    word: str
    count: int
    sentence: str


@dataclass(frozen=True)
class UnknownWords:
    """How many running words there are, and how many of them are unknown."""

    words: int = 0
    unknown: int = 0
    examples: tuple[UnknownWord, ...] = field(default_factory=tuple)

    @property
    def share(self) -> float:
        """The part of the words that is unknown."""
        return self.unknown / self.words if self.words else 0.0

    def __str__(self) -> str:
        return f"{self.unknown:,} of {self.words:,} words unknown ({self.share:.1%})"


def find_unknown(
    tokens: Sequence[Sequence[str]],
    texts: Sequence[str],
    vocabulary: Vocabulary,
    *,
    examples: int,
) -> UnknownWords:
    """Count the words of sentences, in tokens as the model has them, that are not in its
    vocabulary; `texts` are the sentences as people write them. What is held is no word, nor is
    what has no letter."""
    words = 0
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for sentence, text in zip(tokens, texts, strict=True):
        for token in sentence:
            if item_kind(token) or not any(map(str.isalpha, token)):
                continue
            words += 1
            if vocabulary.find(token) <= 0:
                counts[token] += 1
                first.setdefault(token, text)
    frequent = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:examples]
    shown = tuple(UnknownWord(word, count, first[word]) for word, count in frequent)
    return UnknownWords(words, counts.total(), shown)
