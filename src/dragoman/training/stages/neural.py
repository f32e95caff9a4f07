"""The stage that trains the network which has a say in a consensus."""

from __future__ import annotations

import numpy as np

from dragoman.alignment.links import Links
from dragoman.layout import BITEXT, LINKS, NETWORK, ORDERS, SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.neural.config import NeuralConfig
from dragoman.preorder.orders import Orders, original_links
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.align import open_bitext


def neural_stage(config: NeuralConfig, directory: ModelDirectory, shape: Shape) -> Stage:
    """The stage that reads the bitext and the links of a model, preordered or not: the network
    sees sentences as people write them."""
    inputs = {
        "bitext": BITEXT,
        "source vocabulary": SOURCE_VOCABULARY,
        "target vocabulary": TARGET_VOCABULARY,
        "links": LINKS,
        **({"orders": ORDERS} if shape.preordered else {}),
    }
    paths = {name: directory.file(path) for name, path in inputs.items()}
    return Stage("neural", config, paths, (NETWORK,), _run)


def _run(context: StageContext) -> None:
    # Nothing else in a training needs SciPy, which takes long to be imported.
    from dragoman.neural.learn import learn

    text, links = open_bitext(context), Links.open(context.input("links"))
    if context.has_input("orders"):
        orders = Orders(np.load(context.input("orders")), text.source.offsets)
        links = original_links(links, orders)
    learnt = learn(
        text,
        links,
        context.output(NETWORK),
        context.config,
        resume=context.resume(),
        progress=context.progress,
    )
    context.progress.message(
        f"the network knows {learnt.source_words:,} source and {learnt.target_words:,} target "
        f"words from {learnt.passes} passes over {learnt.examples:,} words"
    )
