"""Words spelt by their sound, letter by letter; dragoman.unknown.letters learns how."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dragoman._core import SearchOptions, word_kind
from dragoman.unknown.word_model import WordModel

SHORTEST, LONGEST = 2, 24
# Different words that are offered.
MOST_OFFERS = 4
BEAM = 15
# Kinds of words that are spelt anew less often than this are not tried.
LEAST_SHARE = 0.02
_WEIGHTS = {"tm.fwd": 0.3, "tm.bwd": 0.1, "lex.fwd": 0.1, "lex.bwd": 0.1, "lm": 0.3, "words": 0.3}
# From scores under these weights to log-probabilities.
_SCALE = 3.0


class Sound:
    """A phrase model of letters."""

    def __init__(self, files: Sequence[Path], shares: Sequence[float]) -> None:
        options = SearchOptions(distortion_limit=0, beam_limit=BEAM, ttable_limit=BEAM)
        self._model = WordModel(files, _WEIGHTS, options)
        self._shares = shares

    def spelt(self, word: str) -> list[tuple[str, float]]:
        """How a word may be spelt in the target language, and how probable that is."""
        share = self._shares[word_kind(word)]
        if not SHORTEST <= len(word) <= LONGEST or not word.isalpha() or share < LEAST_SHARE:
            return []
        found = self._model.translations(" ".join(word), MOST_OFFERS, _SCALE)
        return [(spelt.replace(" ", ""), share * p) for spelt, p in found]
