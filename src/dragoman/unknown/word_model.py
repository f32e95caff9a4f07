"""A phrase model whose sentences are single words: of letters, or of pieces."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from dragoman._core import DecodeWants, PhraseDecoder, SearchOptions, TranslationModel
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.lm.estimate import estimate_from_lines
from dragoman.rules.config import RulesConfig
from dragoman.rules.extract import extract_table


def train_word_model(
    bitext: Bitext,
    links: Links,
    target: Iterable[str],
    files: Sequence[Path],
    *,
    longest: int,
    order: int,
    threads: int,
) -> None:
    """Write table, vocabularies and language model. `target` is what the language model learns
    from, `longest` the longest phrase and `order` that of the language model."""
    table, source_vocabulary, target_vocabulary, language_model = files
    bitext.source_vocabulary.save(str(source_vocabulary))
    bitext.target_vocabulary.save(str(target_vocabulary))
    rules = RulesConfig(max_length=longest, reordering=(), bilingual_order=0)
    extract_table(bitext, links, table, rules, threads=threads)
    estimate_from_lines(target, language_model, order=order, spool=table.parent, threads=threads)


class WordModel:
    """What :func:`train_word_model` wrote, with weights by the names of features."""

    def __init__(
        self, files: Sequence[Path], weights: Mapping[str, float], options: SearchOptions
    ) -> None:
        table, source, target, language_model = map(str, files)
        self._model = TranslationModel(
            phrase_table=table,
            source_vocabulary=source,
            target_vocabulary=target,
            sequences=[("lm", language_model, False)],
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
