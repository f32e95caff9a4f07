"""Words spelt by their sound, letter by letter; dragoman.unknown.letters learns how."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from pathlib import Path

from dragoman._core import (
    DecodeWants,
    PhraseDecoder,
    SearchOptions,
    TranslationModel,
    word_kind,
)

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
        table, source, target, letters = map(str, files)
        self._model = TranslationModel(
            phrase_table=table,
            source_vocabulary=source,
            target_vocabulary=target,
            sequences=[("lm", letters, False)],
        )
        weights = array("d", [_WEIGHTS.get(name, 0.0) for name in self._model.features])
        options = SearchOptions(distortion_limit=0, beam_limit=BEAM, ttable_limit=BEAM)
        self._decoder = PhraseDecoder(self._model, weights, options)
        self._shares = shares

    def spelt(self, word: str) -> list[tuple[str, float]]:
        """How a word may be spelt in the target language, and how probable that is."""
        share = self._shares[word_kind(word)]
        line = " ".join(word)
        if not SHORTEST <= len(word) <= LONGEST or not word.isalpha() or share < LEAST_SHARE:
            return []
        if self._model.strangers([line])[0]:
            return []  # a letter that nobody has spelt
        wants = DecodeWants(nbest=MOST_OFFERS, distinct=True, features=False)
        (result,) = self._decoder.decode([line], wants)
        found = [(one.target.replace(" ", ""), one.score * _SCALE) for one in result.nbest]
        best = max((score for _, score in found), default=0.0)
        total = sum(math.exp(score - best) for _, score in found)
        return [(spelt, share * math.exp(score - best) / total) for spelt, score in found if spelt]
