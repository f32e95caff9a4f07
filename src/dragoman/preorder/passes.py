"""Learning an order and aligning in it, in turns.

An aligner expects neighbours to stay neighbours, so in a language of another order it misses just
those links that say so, and labels from its links say "keep" too often. In text that has been
reordered, even if poorly, it finds more of them. So: align, learn, reorder, and align again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import Trees
from dragoman.alignment.aligner import train as align
from dragoman.alignment.config import AlignConfig
from dragoman.alignment.links import Links
from dragoman.alignment.score import GoldLinks
from dragoman.corpus.bitext import Bitext, SentenceIds
from dragoman.corpus.classes import cluster_words
from dragoman.preorder.btg import train_btg
from dragoman.preorder.classifier import TrainingReport, train_classifier
from dragoman.preorder.config import PreorderConfig
from dragoman.preorder.orders import Orders, original_links
from dragoman.preorder.preorderer import BTG_FILE, CLASSIFIER_FILE, load_preorderer
from dragoman.progress import SILENT, Progress


@dataclass(frozen=True)
class Learnt:
    """What the last turn found."""

    links: Links  # of the original words
    orders: Orders  # of the training text, each by a model that has not seen the sentence
    report: TrainingReport | None  # of the classifier, with trees


class OrderLearner:
    """Learns to order the source of one bitext; `trees`: of its sentences, if there are any.

    `examples` are hand-made links of its first pairs, which the aligner keeps to and learns from.
    """

    def __init__(
        self,
        bitext: Bitext,
        trees: Trees | None,
        config: PreorderConfig,
        align_config: AlignConfig | None = None,
        *,
        examples: Sequence[GoldLinks] = (),
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> None:
        self._bitext, self._trees, self._config = bitext, trees, config
        settings = align_config if align_config is not None else AlignConfig()
        self._align_config = replace(
            settings, symmetry=config.symmetry, posterior_threshold=config.posterior_threshold
        )
        self._examples = examples
        self._threads, self._progress = threads, progress
        self._sentences = [bitext.source_text(index) for index in range(len(bitext))]
        self._classes: NDArray[np.uint16] | None = None

    def learn(self, directory: Path) -> Learnt:
        """Write the model of the last turn to `directory`, which must exist."""
        orders = Orders.identity(self._bitext.source.offsets)
        report = None
        for number in range(1, self._config.passes + 1):
            if self._config.passes > 1:
                self._progress.message(f"preordering: pass {number} of {self._config.passes}")
            links = self._align(orders)
            last = number == self._config.passes
            if last or self._config.folds == 1:
                report = self._train(links, directory)
            orders = self._orders(links, directory)
        return Learnt(links, orders, report)

    def _align(self, orders: Orders) -> Links:
        source = self._bitext.source
        offsets = source.offsets.astype(np.int64)
        starts = np.repeat(offsets[:-1], np.diff(offsets))
        moved = SentenceIds(
            np.ascontiguousarray(source.ids[starts + orders.array]), source.offsets
        )
        reordered = replace(self._bitext, source=moved)
        found = align(
            reordered,
            self._align_config,
            examples=_moved(self._examples, orders),
            threads=self._threads,
            progress=self._progress,
        )
        return original_links(found.links, orders)

    def _train(self, links: Links, directory: Path) -> TrainingReport | None:
        if self._trees is not None:
            return train_classifier(
                self._trees,
                links,
                directory / CLASSIFIER_FILE,
                self._config,
                threads=self._threads,
                progress=self._progress,
            )
        if self._classes is None:
            self._classes = cluster_words(
                self._bitext.source,
                len(self._bitext.source_vocabulary),
                classes=self._config.word_classes,
                progress=self._progress,
            )
        train_btg(
            self._bitext.source,
            links,
            self._bitext.source_vocabulary,
            directory / BTG_FILE,
            self._config,
            classes=self._classes,
            progress=self._progress,
        )
        return None

    def _orders(self, links: Links, directory: Path) -> Orders:
        """Each sentence as a model would order it that has not learnt from it."""
        folds = self._config.folds
        if folds == 1:
            return self._apply(directory)
        found = []
        for fold in range(folds):
            with tempfile.TemporaryDirectory(dir=directory, prefix="fold.") as place:
                self._train(links.without(np.arange(len(links)) % folds == fold), Path(place))
                found.append(self._apply(Path(place)))
        return Orders.of(found[index % folds][index] for index in range(len(self._sentences)))

    def _apply(self, directory: Path) -> Orders:
        model = load_preorderer(directory)
        return model.orders(self._sentences, self._trees, threads=self._threads)


def _moved(examples: Sequence[GoldLinks], orders: Orders) -> list[GoldLinks]:
    """Hand-made links of the first sentences as links of the sentences in these orders."""
    moved = []
    for index, gold in enumerate(examples):
        place = np.argsort(orders[index]).tolist()
        moved.append(
            GoldLinks(
                sure=frozenset((place[i], j) for i, j in gold.sure),
                possible=frozenset((place[i], j) for i, j in gold.possible),
            )
        )
    return moved
