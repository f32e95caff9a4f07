"""What a derivation scores, recomputed from its phrases alone, the same way for every decoder.

The score is in the terms that Moses and we share: weights · features without the jump to the end
of the sentence and without the last phrase's forward orientation, which Moses does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import sacrebleu

from dragoman.layout import LANGUAGE_MODEL
from dragoman.lm.query import LanguageModel
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory

Phrase = tuple[int, int, str]  # source words [begin, end), target words


def bleu(outputs: Sequence[str], references: Sequence[str]) -> float:
    """Of tokens as they are."""
    return sacrebleu.corpus_bleu(outputs, [references], tokenize="none", force=True).score


def orientation(before: tuple[int, int], now: tuple[int, int]) -> str:
    """Of two source phrases, as models that look at neighbouring phrases see it."""
    if before[1] == now[0]:
        return "monotone"
    return "swap" if now[1] == before[0] else "discontinuous"


class Scorer:
    """Scores derivations with a model's tables, language model and weights."""

    def __init__(self, directory: ModelDirectory) -> None:
        self._weights = Bundle.open(directory).named_weights()
        self._table = directory.phrase_table()
        self._lm = LanguageModel.open(directory.file(LANGUAGE_MODEL))
        self._reorderings = self._table.file.reorderings
        self.scores_of = cache(self._scores_of)

    def _scores_of(self, source: str, target: str) -> dict[str, float]:
        for translation in self._table.translations(source):
            if translation.target == target:
                return translation.scores
        if source != target:
            raise ValueError(f"the table has no {source!r} to {target!r}")
        return {"unknown": 1.0}  # a word that was copied

    def score(self, sources: Sequence[str], derivations: Sequence[Sequence[Phrase]]) -> float:
        """The mean over the sentences."""
        targets = [" ".join(phrase[2] for phrase in phrases) for phrases in derivations]
        total = self._weights["lm"] * float(self._lm.score(targets).sum())
        for line, phrases in zip(sources, derivations, strict=True):
            total += self._without_lm(line.split(), phrases)
        return total / len(sources)

    def _without_lm(self, words: Sequence[str], phrases: Sequence[Phrase]) -> float:
        weights = self._weights
        total = 0.0
        last, last_scores = (0, 0), dict[str, float]()
        for begin, end, target in phrases:
            scores = self.scores_of(" ".join(words[begin:end]), target)
            total += weights["phrases"] + weights["words"] * len(target.split())
            total -= weights["distortion"] * abs(begin - last[1])
            for name, value in scores.items():
                if not name.startswith("reorder."):
                    total += weights[name] * value
            turn = orientation(last, (begin, end))
            for model in self._reorderings:
                for side, values in (("backward", scores), ("forward", last_scores)):
                    name = f"reorder.{model}.{side}.{turn}"
                    total += weights[name] * values.get(name, 0.0)
            last, last_scores = (begin, end), scores
        return total
