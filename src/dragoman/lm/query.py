"""Asking a language model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import LmState, NgramModel, SentenceScores
from dragoman.errors import ModelError
from dragoman.layout import LANGUAGE_MODEL


@dataclass(frozen=True)
class WordScores:
    """Scores of the words of sentence i: entries ``offsets[i]`` to ``offsets[i + 1]``.

    The sentence end, if it was asked for, is the last word of its sentence.
    """

    log_probs: NDArray[np.float32]  # natural logarithms
    matched: NDArray[np.uint8]  # how many words the n-gram that was found has
    offsets: NDArray[np.uint64]


@dataclass(frozen=True)
class Perplexity:
    """How well a model predicts a text; sentence ends count as words."""

    words: int
    unknown: int
    log_prob: float
    unknown_log_prob: float

    @property
    def including_unknown(self) -> float:
        """Over all words, unknown ones with the probability of <unk>."""
        return math.exp(-self.log_prob / self.words) if self.words else math.nan

    @property
    def excluding_unknown(self) -> float:
        """Over the words the model knows."""
        known = self.words - self.unknown
        return math.exp(-(self.log_prob - self.unknown_log_prob) / known) if known else math.nan


class LanguageModel:
    """A back-off model mapped from a file; immutable, may be shared by threads.

    Scores are natural logarithms. Lines are tokens separated by white space; words the model
    does not know, and the names of the sentence marks when a text contains them, are <unk>.
    """

    def __init__(self, native: NgramModel) -> None:
        self.native = native

    @classmethod
    def open(cls, path: str | Path, *, verify: bool = True) -> LanguageModel:
        """Map a model, read once to compare its checksum unless `verify` is false."""
        if Path(path).is_dir():
            raise ModelError(
                f"{path}: is a directory; the language model of a model is {LANGUAGE_MODEL} in it"
            )
        return cls(NgramModel.open(str(path), verify))

    @property
    def path(self) -> Path:
        return Path(self.native.path)

    @property
    def order(self) -> int:
        return self.native.order

    @property
    def counts(self) -> tuple[int, ...]:
        """How many n-grams of each order."""
        return tuple(self.native.counts)

    def __len__(self) -> int:
        """How many words the model knows, <unk>, <s> and </s> included."""
        return len(self.native)

    def __contains__(self, word: str) -> bool:
        return self.native.find(word) != 0

    def begin_state(self) -> LmState:
        """The state at the beginning of a sentence."""
        return self.native.begin_state()

    def null_state(self) -> LmState:
        """The state when nothing is known of what stands before."""
        return self.native.null_state()

    def score_word(self, state: LmState, word: str) -> tuple[float, LmState]:
        """Log-probability of one word (``</s>``: the sentence end) and the state behind it.

        For looking and teaching; whole texts go through :meth:`score` many times faster.
        """
        found = self.native.score_word(state, self.native.find(word))
        return found.log_prob, found.state

    def score(
        self, lines: Sequence[str], *, begin: bool = True, end: bool = True, threads: int = 1
    ) -> NDArray[np.float64]:
        """Log-probability of each line, as a whole sentence unless told otherwise."""
        return self._score(lines, begin, end, threads).log_probs

    def score_words(
        self, lines: Sequence[str], *, begin: bool = True, end: bool = True, threads: int = 1
    ) -> WordScores:
        """Log-probability of every word."""
        ids, offsets = self.native.encode(list(lines))
        log_probs, matched = self.native.score_words(ids, offsets, begin, end, threads)
        if end:
            offsets = np.add(offsets, np.arange(len(offsets)), dtype=np.uint64, casting="unsafe")
        return WordScores(log_probs, matched, offsets)

    def perplexity(self, lines: Sequence[str], *, threads: int = 1) -> Perplexity:
        """Perplexity of a text, a sentence a line."""
        scores = self._score(lines, True, True, threads)
        return Perplexity(
            words=scores.words,
            unknown=int(scores.unknowns.sum()),
            log_prob=float(scores.log_probs.sum()),
            unknown_log_prob=float(scores.unknown_log_probs.sum()),
        )

    def _score(self, lines: Sequence[str], begin: bool, end: bool, threads: int) -> SentenceScores:
        if not isinstance(lines, list):
            lines = list(lines)
        return self.native.score_lines(lines, begin, end, threads)
