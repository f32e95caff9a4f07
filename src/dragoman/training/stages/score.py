"""The stage that translates the test set, once, with the finished model and scores it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from dragoman._core import Vocabulary
from dragoman.corpus.read import read_lines
from dragoman.evaluation.config import ScoreConfig
from dragoman.evaluation.model_scores import translated_test
from dragoman.evaluation.scores import evaluate
from dragoman.evaluation.unknown_words import UnknownWords, find_unknown
from dragoman.layout import (
    BTG,
    CLASSIFIER,
    SORTED_PHRASES,
    SOURCE_VOCABULARY,
    TEST_SCORES,
    WEIGHTS,
    held_out_files,
    held_out_text,
    preordered_source,
)
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.preorder.config import PreorderConfig
from dragoman.search.choice import make_search
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm, form_files
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.searching import model_files, search_inputs, search_options
from dragoman.translation.preordering import ModelPreordering
from dragoman.translation.translator import Translator

_TEXT = held_out_text("test")
_REFERENCE = held_out_files("test")[2]
_ORDERED = preordered_source("test")


def score_stage(
    config: ScoreConfig,
    directory: ModelDirectory,
    shape: Shape,
    text: TextConfig,
    preorder: PreorderConfig | None = None,
) -> Stage:
    """The stage that translates the test set of a model as anybody would translate it. Where that
    takes trees which only the training had, it takes the text that was ordered along them."""
    table = shape.table if shape.hierarchical else SORTED_PHRASES
    inputs = search_inputs(directory, shape, table)
    names = [_TEXT, _REFERENCE, WEIGHTS, *form_files(text)]
    also: dict[str, Any] = {"prepare": text}
    if shape.preordered and preorder is not None:
        needs_trees = preorder.method == "trees" and not preorder.parser
        names.append(
            _ORDERED if needs_trees else CLASSIFIER if preorder.method == "trees" else BTG
        )
        also["preorder"] = preorder
    inputs |= {name: directory.file(name) for name in names}
    return Stage("test", config, inputs, (TEST_SCORES,), _run, also)


def _run(context: StageContext) -> None:
    config: ScoreConfig = context.config
    sources = list(read_lines(context.input(_TEXT)))
    references = list(read_lines(context.input(_REFERENCE)))
    said, unknown = _translated(context, sources) if sources else ([], UnknownWords())
    scores = list(evaluate(said, references, metrics=config.metrics)) if sources else []
    told = {
        "sentences": len(sources),
        "scores": [asdict(score) for score in scores],
        **asdict(unknown),
    }
    written = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    context.output(TEST_SCORES).write_text(written, "utf-8")
    context.results["sentences"] = len(sources)
    if sources:
        context.results["unknown_words"] = round(unknown.share, 6)
        for score in scores:
            name = score.metric.lower()
            context.results[name] = {"score": round(score.value, 4), "signature": score.signature}


def _translated(context: StageContext, sources: Sequence[str]) -> tuple[list[str], UnknownWords]:
    text: TextConfig = context.also("prepare")
    form = TextForm(text, {name: context.input(name) for name in form_files(text)})
    bundle = Bundle.of_files(model_files(context))
    options = search_options(context, hierarchical=bundle.hierarchical)
    vocabulary = Vocabulary.open(str(context.input(SOURCE_VOCABULARY)))
    examples = context.config.examples
    if context.has_input(_ORDERED):
        ordered = list(read_lines(context.input(_ORDERED)))
        search = make_search(bundle, options, threads=context.threads)
        said = [form.joined(line.split()) for line in search.translate(ordered)]
        tokens = [line.split() for line in ordered]
        return said, find_unknown(tokens, sources, vocabulary, examples=examples)
    preordering = None
    orderer = next((name for name in (CLASSIFIER, BTG) if context.has_input(name)), None)
    if orderer is not None:
        parser = context.also("preorder").parser
        preordering = ModelPreordering.of_file(context.input(orderer), parser)
    translator = Translator(
        ModelDirectory(context.staging),
        bundle,
        options,
        form,
        preordering,
        threads=context.threads,
    )
    return translated_test(
        translator, sources, vocabulary, examples=examples, progress=context.progress
    )
