"""Preordering without a parser: trees induced from word alignments, and word classes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import BtgOptions, BtgTrainer, Vocabulary, WordClusterer
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import SentenceIds
from dragoman.preorder.config import PreorderConfig
from dragoman.progress import SILENT, Progress

_SENTENCES_AT_ONCE = 1000
# Rarer words have no class: the parser sees them as it will see words it does not know.
MIN_WORD_COUNT = 2


def cluster_words(
    text: SentenceIds,
    vocabulary: int,
    *,
    classes: int = 64,
    sweeps: int = 10,
    min_count: int = MIN_WORD_COUNT,
    progress: Progress = SILENT,
) -> NDArray[np.uint16]:
    """The class of each word id, from 1; 0 for words rarer than `min_count`.

    The exchange algorithm: sweeps over the words until hardly any moves.
    """
    clusterer = WordClusterer(text.native, vocabulary, classes, min_count)
    with progress.task("word classes", total=sweeps, unit="sweeps") as task:
        for _ in range(sweeps):
            moved = clusterer.sweep()
            task.advance()
            task.note(f"{moved:,} words moved")
            if moved * 1000 < vocabulary:
                break
    return clusterer.classes()


def train_btg(
    source: SentenceIds,
    links: Links,
    vocabulary: Vocabulary,
    path: str | Path,
    config: PreorderConfig | None = None,
    *,
    classes: NDArray[np.uint16] | None = None,
    progress: Progress = SILENT,
) -> None:
    """Learn to order sentences from their links, and write the parser to `path`."""
    config = config if config is not None else PreorderConfig(method="btg")
    if classes is None:
        classes = cluster_words(
            source, len(vocabulary), classes=config.word_classes, progress=progress
        )
    options = BtgOptions(
        bits=config.hash_bits - 2,
        sharpness=config.sharpness,
        rate=config.rate,
        seed=config.seed,
        max_words=config.max_words,
    )
    trainer = BtgTrainer(source.native, links.native, vocabulary, classes, options)
    total = len(trainer) * config.rounds
    with progress.task("learning to reorder", total=total, unit="sentences") as task:
        for number in range(config.rounds):
            trainer.begin_round()
            regret = pairs = 0.0
            for begin in range(0, len(trainer), _SENTENCES_AT_ONCE):
                end = min(len(trainer), begin + _SENTENCES_AT_ONCE)
                more_regret, more_pairs = trainer.learn(begin, end)
                regret, pairs = regret + more_regret, pairs + more_pairs
                task.advance(end - begin)
            task.note(f"round {number + 1}: {100 * regret / max(1.0, pairs):.1f} % wrong pairs")
    trainer.save(str(path))
