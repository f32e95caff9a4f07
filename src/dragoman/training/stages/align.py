"""The stage that aligns: a bitext in, its links and word translation tables out."""

from __future__ import annotations

from dragoman.alignment.aligner import train_files
from dragoman.alignment.config import AlignConfig
from dragoman.alignment.lexical import lexical_table_from_links
from dragoman.corpus.bitext import Bitext, BitextFiles
from dragoman.layout import (
    ALIGNER,
    BACKWARD_LEXICON,
    FORWARD_LEXICON,
    LINKS,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
)
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.training.pipeline import Stage, StageContext


def align_stage(config: AlignConfig, directory: ModelDirectory, shape: Shape) -> Stage:
    """The stage that aligns the training bitext of a model."""
    inputs = {
        "bitext": shape.bitext,
        "source vocabulary": SOURCE_VOCABULARY,
        "target vocabulary": TARGET_VOCABULARY,
    }
    return Stage(
        "align",
        config,
        {name: directory.file(path) for name, path in inputs.items()},
        (LINKS, ALIGNER, FORWARD_LEXICON, BACKWARD_LEXICON),
        _run,
    )


def bitext_files(context: StageContext) -> BitextFiles:
    """The bitext among the inputs of a stage."""
    return BitextFiles(
        context.input("bitext"),
        context.input("source vocabulary"),
        context.input("target vocabulary"),
    )


def open_bitext(context: StageContext) -> Bitext:
    """The same, mapped."""
    return bitext_files(context).open()


def _run(context: StageContext) -> None:
    bitext = open_bitext(context)
    trained = train_files(
        bitext_files(context),
        context.config,
        context.staging / "parts",
        context.crew,
        memory=context.memory,
        threads=context.threads,
        progress=context.progress,
    )
    trained.links.save(context.output(LINKS))
    trained.aligner.model.save(str(context.output(ALIGNER)))
    forward = lexical_table_from_links(bitext, trained.links, "forward")
    forward.save(str(context.output(FORWARD_LEXICON)))
    backward = lexical_table_from_links(bitext, trained.links, "backward")
    backward.save(str(context.output(BACKWARD_LEXICON)))
