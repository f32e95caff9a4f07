"""Preordering without a parser: trees induced from word alignments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import BtgOptions, BtgTrainer, Vocabulary
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import SentenceIds
from dragoman.corpus.classes import cluster_words
from dragoman.preorder.config import PreorderConfig
from dragoman.progress import SILENT, Progress

_SENTENCES_AT_ONCE = 1000


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
