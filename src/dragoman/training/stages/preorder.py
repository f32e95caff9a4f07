"""The stage between preparation and alignment: source sentences in the order of the target.

What comes after it sees the new order only; the orders themselves are kept, so that nothing is
lost (see docs/reference/preordering.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from dragoman._core import Trees
from dragoman.alignment.config import AlignConfig
from dragoman.corpus.bitext import write_bitext
from dragoman.corpus.read import read_lines
from dragoman.errors import UsageError
from dragoman.layout import (
    BITEXT,
    BTG,
    CLASSIFIER,
    ORDERS,
    PREORDER_REPORT,
    PREORDERED_BITEXT,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    HeldOutName,
    held_out_files,
    preordered_source,
)
from dragoman.model.directory import ModelDirectory
from dragoman.preorder.classifier import oracle_scores
from dragoman.preorder.config import PreorderConfig
from dragoman.preorder.learn import oracle_orders
from dragoman.preorder.orders import Orders, score_orders
from dragoman.preorder.passes import OrderLearner
from dragoman.preorder.preorderer import Preorderer, load_preorderer
from dragoman.preorder.trees import SpacyParser, match_trees, read_trees
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.align import open_bitext

_HELD_OUT: tuple[HeldOutName, ...] = ("dev", "test")


def preorder_stage(
    config: PreorderConfig,
    align_config: AlignConfig,
    directory: ModelDirectory,
    trees: Sequence[Path] = (),
) -> Stage:
    """The stage that learns an order from the bitext of a model and puts it into that order.

    `trees`: files that hold the trees of all its sentences, in any order.
    """
    if config.method == "off":
        raise UsageError("preordering is off: set preorder.method")
    if config.method == "trees" and not trees and not config.parser:
        raise UsageError(
            "preordering with trees needs them: give files (--trees), or a spaCy pipeline "
            "(preorder.parser)"
        )
    if config.method == "btg" and trees:
        raise UsageError("preordering without a parser makes its own trees; leave --trees out")
    inputs = {
        "bitext": directory.file(BITEXT),
        "source vocabulary": directory.file(SOURCE_VOCABULARY),
        "target vocabulary": directory.file(TARGET_VOCABULARY),
    }
    for name in _HELD_OUT:
        inputs[name] = directory.file(held_out_files(name)[0])
    inputs |= {f"trees {number} {path.name}": path for number, path in enumerate(trees, 1)}
    outputs = (
        PREORDERED_BITEXT,
        ORDERS,
        PREORDER_REPORT,
        CLASSIFIER if config.method == "trees" else BTG,
        *(preordered_source(name) for name in _HELD_OUT),
    )
    return Stage("preorder", config, inputs, outputs, _run, {"align": align_config})


def _run(context: StageContext) -> None:
    _Preordering(context).run()


class _Preordering:
    def __init__(self, context: StageContext) -> None:
        self._context = context
        self._config: PreorderConfig = context.config
        self._tree_files = list(context.inputs("trees ").values())
        config = self._config
        self._parser = SpacyParser(config.parser, config.binarisation) if config.parser else None
        self._read: Trees | None = None
        self._bitext = open_bitext(context)

    def run(self) -> None:
        context, config = self._context, self._config
        sentences = [self._bitext.source_text(index) for index in range(len(self._bitext))]
        trees = self._trees(sentences, "the training text") if config.method == "trees" else None
        learner = OrderLearner(
            self._bitext,
            trees,
            config,
            context.also("align"),
            threads=context.threads,
            progress=context.progress,
        )
        path = context.output(CLASSIFIER if config.method == "trees" else BTG)
        learnt = learner.learn(path.parent)
        before = Orders.identity(self._bitext.source.offsets)
        # Both by the links of the last pass, which are the best there are.
        report: dict[str, Any] = {
            "before": asdict(score_orders(before, learnt.links)),
            "after": asdict(score_orders(learnt.orders, learnt.links)),
        }
        if trees is not None and learnt.report is not None:
            if learnt.report.remark:
                context.progress.message(f"preordering: {learnt.report.remark}")
            best = oracle_orders(trees, oracle_scores(trees, learnt.links))
            report["oracle"] = asdict(score_orders(best, learnt.links))
            report["training"] = asdict(learnt.report)
        self._write_bitext(learnt.orders)
        preorderer = load_preorderer(path.parent)
        for name in _HELD_OUT:
            self._write_held_out(name, preorderer)
        context.output(PREORDER_REPORT).write_text(json.dumps(report, indent=2) + "\n", "utf-8")
        taus = [report[name]["tau"] for name in ("before", "after")]
        context.progress.message(
            f"Kendall's tau of the training text: {taus[0]:.3f} -> {taus[1]:.3f}"
        )

    def _trees(self, sentences: Sequence[str], what: str) -> Trees:
        if self._parser is not None and not self._tree_files:
            return self._parser.parse(sentences)
        if self._read is None:
            self._read = read_trees(
                self._tree_files,
                binarisation=self._config.binarisation,
                head_side=self._config.head_side,
            )
        names = ", ".join(path.name for path in self._tree_files)
        return match_trees(self._read, sentences, f"{names}: {what}")

    def _write_bitext(self, orders: Orders) -> None:
        context, bitext = self._context, self._bitext

        def pairs() -> Iterator[tuple[str, str]]:
            for index in range(len(bitext)):
                ids = bitext.source[index][orders[index]]
                yield bitext.source_vocabulary.decode(ids), bitext.target_text(index)

        # The words are the same and so are their numbers: the vocabularies can be thrown away.
        unused = [context.staging / "unused.source", context.staging / "unused.target"]
        write_bitext(pairs(), context.output(PREORDERED_BITEXT), unused[0], unused[1])
        for path in unused:
            path.unlink()
        np.save(context.output(ORDERS), orders.array)

    def _write_held_out(self, name: HeldOutName, preorderer: Preorderer) -> None:
        sentences = list(read_lines(self._context.input(name)))
        trees = self._trees(sentences, f"the {name} set") if preorderer.needs_trees else None
        orders = preorderer.orders(sentences, trees, threads=self._context.threads)
        text = "".join(
            f"{orders.apply(sentence, index)}\n" for index, sentence in enumerate(sentences)
        )
        self._context.output(preordered_source(name)).write_text(text, "utf-8", newline="\n")
