"""The stage that learns how words never seen are translated."""

from __future__ import annotations

from dragoman.layout import SOURCE_VOCABULARY, TARGET_VOCABULARY, UNKNOWN_FILES
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.rules.table import PhraseTable
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.align import open_bitext
from dragoman.unknown.config import UnknownConfig
from dragoman.unknown.learn import learn

_TABLE, _SOURCE, _TARGET = "table", "source vocabulary", "target vocabulary"


def unknown_stage(config: UnknownConfig, directory: ModelDirectory, shape: Shape) -> Stage:
    """The stage that reads the table of a model."""
    names = {
        _TABLE: shape.table,
        _SOURCE: SOURCE_VOCABULARY,
        _TARGET: TARGET_VOCABULARY,
        "bitext": shape.bitext,
    }
    inputs = {name: directory.file(path) for name, path in names.items()}
    return Stage("unknown", config, inputs, UNKNOWN_FILES, _run)


def _run(context: StageContext) -> None:
    config: UnknownConfig = context.config
    table = PhraseTable.open(*(context.input(name) for name in (_TABLE, _SOURCE, _TARGET)))
    files = [context.output(name) for name in UNKNOWN_FILES]
    learnt = learn(table, open_bitext(context), config, files, context.threads)
    ways = len(learnt["parts"]["links"])
    context.progress.message(
        f"learnt from the words that are known: {len(learnt['relative']['ends']):,} endings and "
        f"{len(learnt['relative']['beginnings']):,} beginnings that change into each other, "
        f"{ways} way{'' if ways == 1 else 's'} to join the parts of a word"
    )
