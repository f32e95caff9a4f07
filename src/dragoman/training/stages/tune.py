"""The stage that tunes the weights on the dev set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dragoman._core import Vocabulary
from dragoman.corpus.read import read_lines
from dragoman.crew import Effort, Part
from dragoman.errors import InputError
from dragoman.evaluation.metrics import make_metric
from dragoman.layout import (
    BTG,
    CLASSIFIER,
    SOURCE_VOCABULARY,
    TUNING_HISTORY,
    WEIGHTS,
    held_out_files,
)
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.model.weights import (
    Vector,
    default_weights,
    lowest_weights,
    normalised,
    save_weights,
)
from dragoman.preorder.config import PreorderConfig
from dragoman.search.choice import make_search
from dragoman.search.engine import BATCH, Search
from dragoman.search.options import AnyOptions
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm, form_files
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.searching import (
    dev_source,
    model_files,
    search_inputs,
    search_options,
)
from dragoman.translation.preordering import ModelPreordering
from dragoman.tuning.config import TuneConfig
from dragoman.tuning.loop import TuningResult, make_optimiser, tune
from dragoman.tuning.pool import NbestLists
from dragoman.unknown.held_out import held_out

# With more unknown words than this in the dev set, tuning learns little about the model.
MANY_UNKNOWN = 0.3
PART = 32  # dev sentences that a worker of a cluster translates at a time
A_SENTENCE = Effort(2e-3, threaded=True)  # what it takes to translate it

_SOURCE, _REFERENCE = "dev source", "dev reference "
_TARGET = held_out_files("dev")[1]


@dataclass(frozen=True)
class DevFiles:
    """Raw text to tune on, instead of the dev set that training has set aside."""

    source: Path
    references: tuple[Path, ...]


def tune_stage(
    config: TuneConfig, directory: ModelDirectory, shape: Shape, dev: DevFiles | None = None
) -> Stage:
    """The stage that decodes a dev set again and again: the model's own, or other files, which
    are prepared as the model prepares text."""
    inputs = search_inputs(directory, shape)
    if dev is None:
        inputs |= {name: directory.file(name) for name in (shape.dev_source, _TARGET)}
        return Stage("tune", config, inputs, (WEIGHTS, TUNING_HISTORY), _run)
    inputs[_SOURCE] = dev.source
    inputs |= {f"{_REFERENCE}{i}": path for i, path in enumerate(dev.references, 1)}
    text = directory.text
    also: dict[str, Any] = {"prepare": text} if text is not None else {}
    if text is not None:
        inputs |= {name: directory.file(name) for name in form_files(text)}
    if shape.preordered:
        orderer = CLASSIFIER if directory.has(CLASSIFIER) else BTG
        inputs[orderer] = directory.file(orderer)
        if directory.parser:
            also["preorder"] = directory.recorded("preorder", PreorderConfig)
    return Stage("tune", config, inputs, (WEIGHTS, TUNING_HISTORY), _run, also)


def _run(context: StageContext) -> None:
    config: TuneConfig = context.config
    bundle = Bundle.of_files(model_files(context))
    sources, references = _dev_set(context)
    start = default_weights(bundle.features)
    reason = _reason_not_to_tune(context, sources)
    if reason:
        result = TuningResult(start, 0.0, [], reason)
    else:
        options = search_options(context, hierarchical=bundle.hierarchical)
        more = _held_out(context, sources) if bundle.sources is not None else []
        sources += [line for _, line in more]
        for lines in references:
            lines += [lines[number] for number, _ in more]
        result = _tune(context, bundle, options, start, sources, references, len(more))
    context.progress.message(f"tuning ended: {result.reason}")
    save_weights(context.output(WEIGHTS), bundle.features, result.weights)
    history = asdict(result) | {
        "weights": None,
        "features": bundle.features,
        "metric": make_metric(config.metric, tokenize="none").name,
    }
    context.output(TUNING_HISTORY).write_text(json.dumps(history, indent=1) + "\n", "utf-8")


def _dev_set(context: StageContext) -> tuple[list[str], list[list[str]]]:
    """The dev text as the decoder sees it, and its references."""
    own = dev_source(context)
    if own is not None:
        return list(read_lines(own)), [list(read_lines(context.input(_TARGET)))]
    form = TextForm.tokenised()
    if "prepare" in context.stage.also:
        text: TextConfig = context.also("prepare")
        form = TextForm(text, {name: context.input(name) for name in form_files(text)})
    source = context.input(_SOURCE)
    raw = list(read_lines(source))
    sources = [form.prepare_source(line) for line in raw]
    references = []
    for path in context.inputs(_REFERENCE).values():
        lines = list(read_lines(path))
        if len(lines) != len(sources):
            raise InputError(f"{source} has {len(sources):,} lines but {path} has {len(lines):,}")
        pairs = zip(raw, lines, strict=True)
        references.append([form.prepare_pair(*pair)[1] for pair in pairs])
    orderers = [name for name in (CLASSIFIER, BTG) if context.has_input(name)]
    if orderers:
        parser = context.also("preorder").parser if "preorder" in context.stage.also else ""
        preordering = ModelPreordering.of_file(context.input(orderers[0]), parser)
        sources = preordering.reordered(sources, context.threads)
    return sources, references


def _held_out(context: StageContext, sources: Sequence[str]) -> list[tuple[int, str]]:
    """Dev sentences once more, with rare words held out, where too few words are unknown."""
    vocabulary = Vocabulary.open(str(context.input(SOURCE_VOCABULARY)))
    return held_out(sources, vocabulary, context.config.never_seen)


def _reason_not_to_tune(context: StageContext, sources: Sequence[str]) -> str:
    """Empty when the dev set can be tuned on; warns when it is a poor one."""
    if not sources:
        return "there is no dev set; the weights are the default ones"
    ids, _ = Vocabulary.open(str(context.input(SOURCE_VOCABULARY))).encode(list(sources))
    if not len(ids):
        return "the dev set has no words; the weights are the default ones"
    unknown = float(np.mean(ids == 0))
    if unknown == 1:
        return (
            "no word of the dev set occurs in the training text; the weights are the default "
            "ones (is the dev set in the right language, and tokenised alike?)"
        )
    if unknown > MANY_UNKNOWN:
        context.progress.message(
            f"warning: {unknown:.0%} of the words of the dev set do not occur in the training text"
        )
    return ""


def _nbest_lists(search: Search, asked: tuple[list[str], int], threads: int) -> NbestLists:
    """The n-best lists of some sentences; the search knows its threads."""
    del threads
    # Most derivations of a hierarchical model differ in their brackets alone, and a list of them
    # would hold a handful of translations.
    lists = search.decode_nbest(*asked, distinct=search.bundle.hierarchical)
    return NbestLists.joined(lists, len(search.weights))


def _tune(
    context: StageContext,
    bundle: Bundle,
    options: AnyOptions,
    start: Vector,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    examples: int,
) -> TuningResult:
    config: TuneConfig = context.config
    # Sentences are translated one by one, so the size of parts changes nothing: small ones keep
    # all workers busy to the end, large ones all threads.
    crew = context.crew.suited(len(sources) * config.max_iterations * A_SENTENCE)
    size = PART if crew.elsewhere else BATCH
    parts = [
        Part(f"dev sentences {first + 1:,} to {first + size:,}", (batch, config.nbest))
        for first in range(0, len(sources), size)
        for batch in [list(sources[first : first + size])]
    ]

    def decode(weights: Vector) -> NbestLists:
        # Pruning thresholds mean something only in the scale in which weights are kept.
        scaled = normalised(bundle.features, weights)
        search = make_search(bundle, options, weights=scaled, threads=context.threads)
        found = crew.run(_nbest_lists, search, parts)
        return NbestLists.joined(found, len(start))

    return tune(
        decode,
        references,
        start,
        make_metric(config.metric, tokenize="none"),
        make_optimiser(config.method, context.threads, lowest_weights(bundle.features)),
        max_iterations=config.max_iterations,
        patience=config.patience,
        seed=config.seed,
        examples=examples,
        length=bundle.features.index("words"),
        resume=context.resume(),
        threads=context.threads,
        progress=context.progress,
    )
