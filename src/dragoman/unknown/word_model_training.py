"""Training of phrase models whose sentences are single words; a search needs none of this."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

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
