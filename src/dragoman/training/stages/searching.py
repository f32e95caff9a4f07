"""What stages that translate read: the model's files and its search options."""

from __future__ import annotations

from pathlib import Path

from dragoman.layout import (
    BILINGUAL_MODEL,
    CLASS_MODEL,
    CONTEXT_LEXICON,
    HIERO,
    PHRASES,
    SEARCH,
    SORTED_PHRASES,
    UNKNOWN_FILES,
    WEIGHTS,
    held_out_files,
    is_language_model,
    preordered_source,
)
from dragoman.model.directory import ModelDirectory
from dragoman.model.files import ModelFiles
from dragoman.model.shape import Shape
from dragoman.search.options import AnyOptions, options_in
from dragoman.training.pipeline import StageContext


def search_inputs(
    directory: ModelDirectory, shape: Shape, table: str = "", within: str = ""
) -> dict[str, Path]:
    """All that a search reads but weights, as inputs of a stage; `within`: what their names begin
    with, for a stage that reads several models."""
    return {within + name: directory.file(name) for name in shape.search_files(table)}


def model_files(context: StageContext, within: str = "") -> ModelFiles:
    """The model among the inputs of a stage; with weights, if they are among them."""
    names = [name.removeprefix(within) for name in context.inputs(within)]
    table = next(name for name in (SORTED_PHRASES, PHRASES, HIERO) if name in names)
    shape = Shape(
        "hiero" if table == HIERO else "phrase",
        bilingual=BILINGUAL_MODEL in names,
        classes=CLASS_MODEL in names,
        context=CONTEXT_LEXICON in names,
        language_models=tuple(name for name in names if is_language_model(name)),
        unknown=set(UNKNOWN_FILES) <= set(names),
    )

    def place(name: str) -> Path:
        return context.input(within + name)

    weights = place(WEIGHTS) if WEIGHTS in names else None
    return ModelFiles.of(shape.search_files(table), place, weights)


def search_options(context: StageContext, *, hierarchical: bool, within: str = "") -> AnyOptions:
    """The options the model asks for; the defaults of its kind when it says nothing."""
    path = context.input(within + SEARCH) if context.has_input(within + SEARCH) else None
    return options_in(path, hierarchical=hierarchical)


def dev_source(context: StageContext, within: str = "") -> Path | None:
    """The dev set's source as the decoder sees it, if it is an input of the stage."""
    names = [within + name for name in (preordered_source("dev"), held_out_files("dev")[0])]
    return next((context.input(name) for name in names if context.has_input(name)), None)
