"""From parallel text, or text and links, to a preordering in a directory; and its examination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import Trees, build_vocabulary
from dragoman.alignment.aligner import bitext_of
from dragoman.alignment.links import Links
from dragoman.alignment.score import GoldLinks
from dragoman.corpus.bitext import SentenceIds
from dragoman.errors import FileError, UsageError
from dragoman.preorder.btg import train_btg
from dragoman.preorder.classifier import (
    TrainingReport,
    accuracy,
    oracle_scores,
    train_classifier,
)
from dragoman.preorder.config import PreorderConfig
from dragoman.preorder.orders import Orders, OrderScore, score_orders
from dragoman.preorder.passes import OrderLearner
from dragoman.preorder.preorderer import (
    BTG_FILE,
    CLASSIFIER_FILE,
    Preorderer,
    TreePreorderer,
)
from dragoman.progress import SILENT, Progress


@dataclass(frozen=True)
class Examination:
    """How well a preordering does on aligned sentences."""

    before: OrderScore
    after: OrderScore
    oracle: OrderScore | None  # the best that the trees allow
    accuracy: float | None  # of the classifier, on nodes with a label


def learn_preordering(
    source: Sequence[str],
    directory: str | Path,
    config: PreorderConfig,
    *,
    target: Sequence[str] | None = None,
    links: Links | None = None,
    examples: Sequence[GoldLinks] = (),
    trees: Trees | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> TrainingReport | None:
    """Learn from tokenised sentences and their translations or their links.

    With the method "trees" a tree per sentence is needed, and the report says what the classifier
    was trained on. `examples` are hand-made links of the first sentences, for the aligner.
    """
    if (target is None) == (links is None):
        raise UsageError("preordering is learnt from translations or from links: give one of them")
    if examples and target is None:
        raise UsageError("examples are for the aligner, and there is nothing to align")
    if config.method == "trees":
        if trees is None:
            raise UsageError('the method "trees" needs trees; "btg" makes its own')
        trees.check_words(list(source), "trees")
    place = Path(directory)
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name in (CLASSIFIER_FILE, BTG_FILE):  # a directory holds one preordering
            (place / name).unlink(missing_ok=True)
    except OSError as problem:
        raise FileError.of(problem, place) from problem
    if target is not None:
        learner = OrderLearner(
            bitext_of(source, target),
            trees if config.method == "trees" else None,
            config,
            examples=examples,
            threads=threads,
            progress=progress,
        )
        return learner.learn(place).report
    assert links is not None
    if config.method == "trees":
        assert trees is not None
        links.check_against(trees.token_offsets, _unbounded(links))
        return train_classifier(
            trees, links, place / CLASSIFIER_FILE, config, threads=threads, progress=progress
        )
    vocabulary = build_vocabulary(list(source))
    ids = SentenceIds(*vocabulary.encode(list(source)))
    links.check_against(ids.offsets, _unbounded(links))
    train_btg(ids, links, vocabulary, place / BTG_FILE, config, progress=progress)
    return None


def examine(
    preorderer: Preorderer,
    source: Sequence[str],
    links: Links,
    trees: Trees | None = None,
    *,
    threads: int = 1,
) -> Examination:
    """Score the orders of aligned sentences: as they stand, reordered, and at best."""
    after = preorderer.orders(source, trees, threads=threads)
    links.check_against(after.offsets, _unbounded(links))
    best = agreement = None
    if trees is not None and isinstance(preorderer, TreePreorderer):
        oracle = oracle_scores(trees, links)
        best = score_orders(oracle_orders(trees, oracle), links)
        agreement = accuracy(preorderer.classifier.scores(trees, threads), oracle)
    return Examination(
        before=score_orders(Orders.identity(after.offsets), links),
        after=score_orders(after, links),
        oracle=best,
        accuracy=agreement,
    )


def oracle_orders(trees: Trees, scores: NDArray[np.int64]) -> Orders:
    """The orders of highest tau that the trees allow, from the scores of their nodes."""
    return Orders(trees.reorder((scores < 0).astype(np.uint8)), trees.token_offsets)


def _unbounded(links: Links) -> NDArray[np.uint64]:
    """Offsets of target sentences long enough for any link: nothing is known of them."""
    return np.arange(len(links) + 1, dtype=np.uint64) * np.uint64(1 << 16)
