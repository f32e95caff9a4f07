"""Between the user's tokens and the order in which a preordered model sees them.

The decoder works on sentences in their new order. Everything the user says about a line (terms,
zones, walls) is carried into that order before decoding, and everything said about the
translation (alignments, spans of phrases) is carried back, so that positions are always those of
the user's tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from dragoman._core import GivenTranslation, Trees
from dragoman.errors import ModelError, UsageError
from dragoman.layout import BTG, CLASSIFIER
from dragoman.model.directory import ModelDirectory
from dragoman.preorder.orders import Orders
from dragoman.preorder.preorderer import Preorderer, open_preorderer
from dragoman.preorder.trees import no_trees
from dragoman.translation.demands import MarkedLine


class ModelPreordering:
    """The preordering of a model directory."""

    def __init__(self, preorderer: Preorderer, trees: Trees | None = None) -> None:
        self.preorderer = preorderer
        self._trees = trees
        self._used = 0

    @classmethod
    def of_model(
        cls, directory: ModelDirectory, trees: str | Path | None = None
    ) -> ModelPreordering | None:
        """None when the model was trained without; `trees`: a file with a tree for each line that
        will be translated."""
        if not directory.shape.preordered:
            if trees is not None:
                raise UsageError(f"{directory}: a model without preordering needs no --trees")
            return None
        orderer = CLASSIFIER if directory.has(CLASSIFIER) else BTG
        return cls.of_file(directory.file(orderer), directory.parser, trees)

    @classmethod
    def of_file(
        cls, path: Path, parser: str = "", trees: str | Path | None = None
    ) -> ModelPreordering:
        """From the file of a trained preordering; `parser` names a spaCy pipeline."""
        preorderer = open_preorderer(path, parser)
        return cls(preorderer, preorderer.read_trees(trees) if trees is not None else None)

    def begin_at(self, line: int) -> None:
        """The next sentence is that line, counted from 0; its tree is taken."""
        self._used = line

    def orders(self, sentences: Sequence[str], threads: int = 1) -> Orders:
        """The orders of the next sentences; trees that were given are used up in their order."""
        trees = self._trees
        if trees is not None:
            import numpy as np

            begin, self._used = self._used, self._used + len(sentences)
            if self._used > len(trees):
                raise UsageError(f"there are only {len(trees):,} trees for the text")
            trees = trees.select(np.arange(begin, self._used, dtype=np.int64))
        return self.preorderer.orders(sentences, trees, threads=threads)

    def reordered(self, sentences: Sequence[str], threads: int = 1) -> list[str]:
        """The next sentences in their new order."""
        orders = self.orders(sentences, threads)
        return [orders.apply(sentence, index) for index, sentence in enumerate(sentences)]

    def apply(self, lines: Sequence[MarkedLine], threads: int = 1) -> list[MarkedLine]:
        """The lines as the decoder is to see them; each line given remembers its `order`."""
        if self.preorderer.needs_trees:
            orders = self.orders([line.text for line in lines], threads)
            return [
                carry(line, [int(place) for place in orders[index]])
                for index, line in enumerate(lines)
            ]
        # What stands between walls is ordered by itself, as if it were alone.
        bounds = [sorted({0, *line.walls, len(line.tokens)}) for line in lines]
        parts = [
            (line, begin, end)
            for line, places in zip(lines, bounds, strict=True)
            for begin, end in pairwise(places)
        ]
        texts = [" ".join(line.tokens[begin:end]) for line, begin, end in parts]
        found = self.orders(texts, threads)
        whole: dict[int, list[int]] = {id(line): [] for line in lines}
        for index, (line, begin, _) in enumerate(parts):
            whole[id(line)] += [begin + int(place) for place in found[index]]
        return [carry(line, whole[id(line)]) for line in lines]

    def check_trees(self) -> None:
        """Raise ModelError when the model needs trees and there will be none."""
        makes_its_own = not self.preorderer.needs_trees or self.preorderer.has_parser
        if not makes_its_own and self._trees is None:
            raise ModelError(no_trees())


def carry(line: MarkedLine, order: Sequence[int]) -> MarkedLine:
    """A line and its demands in a new order, changed as far as the demands need it.

    Nothing crosses a wall; the words of a term or a zone stay together, where the first of them
    would have come. When demands overlap so that this cannot be, the line keeps its order.
    """
    order = _behind_walls(order, line.walls)
    spans = [(given.begin, given.end) for given in line.given] + line.zones
    # Wide spans first: those inside them are then kept together within.
    for begin, end in sorted(set(spans), key=lambda span: (span[0] - span[1], span)):
        order = _together(order, begin, end)
    place = {user: ours for ours, user in enumerate(order)}

    def moved(begin: int, end: int) -> tuple[int, int]:
        places = [place[user] for user in range(begin, end)]
        return min(places), max(places) + 1

    for begin, end in spans:
        first, last = moved(begin, end)
        if last - first != end - begin:
            line.order = range(len(line.tokens))
            return line

    given = [
        GivenTranslation(*moved(one.begin, one.end), one.target, one.log_prob, one.exclusive)
        for one in line.given
    ]
    zones = [moved(begin, end) for begin, end in line.zones]
    line.order = order
    # A wall stands behind as many words as before, since none has crossed it.
    tokens = [line.tokens[user] for user in order]
    return MarkedLine(tokens, given, zones, line.walls, source=line.source)


def _behind_walls(order: Sequence[int], walls: Sequence[int]) -> list[int]:
    if not walls:
        return list(order)
    bounds = sorted(walls)
    return sorted(order, key=lambda user: sum(user >= wall for wall in bounds))


def _together(order: list[int], begin: int, end: int) -> list[int]:
    inside = [user for user in order if begin <= user < end]
    first = order.index(inside[0])
    outside = [user for user in order[:first] if not begin <= user < end]
    rest = [user for user in order[first:] if not begin <= user < end]
    return [*outside, *inside, *rest]
