"""A trained preordering: sentences in, their new orders out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from dragoman import layout
from dragoman._core import BtgParser, NodeClassifier, Trees
from dragoman.errors import InputError, ModelError, UsageError
from dragoman.preorder.orders import Orders
from dragoman.preorder.trees import SpacyParser, no_trees
from dragoman.preorder.trees import read_trees as read_tree_file

# In a directory of their own.
CLASSIFIER_FILE = "classifier"
BTG_FILE = "btg"


class Preorderer(Protocol):
    """Says in which order the words of sentences should stand."""

    needs_trees: bool
    has_parser: bool  # makes trees of sentences that come without

    def orders(
        self, sentences: Sequence[str], trees: Trees | None = None, *, threads: int = 1
    ) -> Orders:
        """An order for each sentence of tokens."""

    def read_trees(self, path: str | Path) -> Trees:
        """Trees in the form in which this preordering was trained."""


class TreePreorderer:
    """Turns over nodes of given trees (paper 004)."""

    needs_trees = True

    def __init__(self, classifier: NodeClassifier, parser: str = "") -> None:
        self.classifier = classifier
        self._pipeline = parser
        self._parser: SpacyParser | None = None
        self.has_parser = bool(parser)

    def read_trees(self, path: str | Path) -> Trees:
        # "head", "last" and the like are the values of these types.
        return read_tree_file(
            path,
            binarisation=self.classifier.binarisation,  # type: ignore[arg-type]
            head_side=self.classifier.head_side,  # type: ignore[arg-type]
        )

    def orders(
        self, sentences: Sequence[str], trees: Trees | None = None, *, threads: int = 1
    ) -> Orders:
        """Without trees, the spaCy pipeline of the model makes them; a sentence whose tree is
        empty keeps its order."""
        if trees is None:
            trees = self._parse(sentences)
        missing = trees.check_words(list(sentences), "trees")
        scores = self.classifier.scores(trees, threads)
        found = Orders(trees.reorder((scores > 0).astype(np.uint8)), trees.token_offsets)
        if not missing.any():
            return found
        return Orders.of(
            range(len(sentences[number].split())) if missing[number] else found[number]
            for number in range(len(sentences))
        )

    def _parse(self, sentences: Sequence[str]) -> Trees:
        if not self._pipeline:
            raise UsageError(no_trees())
        if self._parser is None:
            self._parser = SpacyParser(
                self._pipeline,
                self.classifier.binarisation,  # type: ignore[arg-type]
            )
        return self._parser.parse(sentences)


class BtgPreorderer:
    """Makes its own trees from words and word classes."""

    needs_trees = False
    has_parser = True

    def __init__(self, parser: BtgParser) -> None:
        self.parser = parser

    def read_trees(self, path: str | Path) -> Trees:
        raise UsageError(f"{path}: this model makes its own trees; leave --trees out")

    def orders(
        self, sentences: Sequence[str], trees: Trees | None = None, *, threads: int = 1
    ) -> Orders:
        return Orders(*self.parser.orders(list(sentences), threads))


def load_preorderer(directory: str | Path, parser: str = "") -> Preorderer:
    """Map what was trained, by itself or as part of a model; `parser` names a spaCy pipeline."""
    found = find_preorderer(directory, parser)
    if found is None:
        raise ModelError(
            f"{directory}: there is no preordering in it; make one with dragoman preorder train"
        )
    return found


def find_preorderer(directory: str | Path, parser: str = "") -> Preorderer | None:
    """The preordering in a directory; None when there is none."""
    for name in (CLASSIFIER_FILE, BTG_FILE, layout.CLASSIFIER, layout.BTG):
        path = Path(directory) / name
        if path.is_file():
            return open_preorderer(path, parser)
    return None


def open_preorderer(path: Path, parser: str = "") -> Preorderer:
    """Map a file that a classifier or a BTG parser was written to."""
    try:
        if path.name == CLASSIFIER_FILE:
            return TreePreorderer(NodeClassifier(str(path)), parser)
        return BtgPreorderer(BtgParser(str(path)))
    except InputError as problem:
        raise ModelError(str(problem)) from problem
