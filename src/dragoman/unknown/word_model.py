"""A phrase model whose sentences are single words: of letters, or of pieces."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path

from dragoman._core import DecodeWants, PhraseDecoder, SearchOptions, Tokens, TranslationModel


class WordModel:
    """What dragoman.unknown.word_model_training wrote, with weights by the names of features."""

    def __init__(
        self, files: Sequence[Path], weights: Mapping[str, float], options: SearchOptions
    ) -> None:
        table, source, target, language_model = map(str, files)
        self._model = TranslationModel(
            phrase_table=table,
            source_vocabulary=source,
            target_vocabulary=target,
            sequences=[("lm", language_model, Tokens.WORDS)],
        )
        values = array("d", [weights.get(name, 0.0) for name in self._model.features])
        self._decoder = PhraseDecoder(self._model, values, options)

    def translations(self, line: str, most: int, scale: float) -> list[tuple[str, float]]:
        """The best ones of a word cut at spaces, with probabilities that add up to 1; none when a
        part of it was never seen. `scale`: from scores to log-probabilities."""
        if self._model.strangers([line])[0]:
            return []
        wants = DecodeWants(nbest=most, distinct=True, features=False)
        (result,) = self._decoder.decode([line], wants)
        found = [(one.target, one.score * scale) for one in result.nbest if one.target]
        best = max((score for _, score in found), default=0.0)
        total = sum(math.exp(score - best) for _, score in found)
        return [(target, math.exp(score - best) / total) for target, score in found]
