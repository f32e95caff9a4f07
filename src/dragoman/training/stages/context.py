"""The stage that learns how words are translated beside others."""

from __future__ import annotations

import math

from dragoman.alignment.links import Links
from dragoman.context.config import ContextConfig
from dragoman.context.learn import learn
from dragoman.layout import CONTEXT_LEXICON, LINKS, SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.align import open_bitext


def context_stage(config: ContextConfig, directory: ModelDirectory, shape: Shape) -> Stage:
    """The stage that reads the links and the bitext of a model, in the order in which it will
    see sentences."""
    inputs = {
        "bitext": shape.bitext,
        "source vocabulary": SOURCE_VOCABULARY,
        "target vocabulary": TARGET_VOCABULARY,
        "links": LINKS,
    }
    paths = {name: directory.file(path) for name, path in inputs.items()}
    return Stage("context", config, paths, (CONTEXT_LEXICON,), _run)


def _run(context: StageContext) -> None:
    learnt = learn(
        open_bitext(context),
        Links.open(context.input("links")),
        context.output(CONTEXT_LEXICON),
        context.config,
        progress=context.progress,
    )
    context.progress.message(
        f"{learnt.words:,} words with several translations in {learnt.pairs:,} pairs; the right "
        f"one gets a probability of {math.exp(learnt.log_prob):.2f} (geometric mean)"
    )
