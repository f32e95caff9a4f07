"""The stage that tunes the weights on the dev set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from dragoman._core import Vocabulary
from dragoman.config import TuneConfig
from dragoman.corpus.prepare import (
    SOURCE_VOCABULARY,
    TARGET_TRUECASE,
    TARGET_VOCABULARY,
    held_out_files,
)
from dragoman.corpus.read import read_lines
from dragoman.corpus.truecase import Truecaser
from dragoman.errors import InputError
from dragoman.evaluation.metrics import make_metric
from dragoman.lm.stage import MODEL as LANGUAGE_MODEL
from dragoman.model.bundle import WEIGHTS, Bundle
from dragoman.model.weights import (
    Vector,
    default_weights,
    lowest_weights,
    normalised,
    save_weights,
)
from dragoman.output.preordering import ModelPreordering
from dragoman.output.text import TextForm
from dragoman.pipeline import Stage, StageContext
from dragoman.preorder.stage import preordered_source
from dragoman.rules.stage import BILINGUAL_MODEL, BILINGUAL_VOCABULARY, HIERO, PHRASES
from dragoman.search.choice import make_search, model_options
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.tuning.loop import TuningResult, make_optimiser, tune
from dragoman.tuning.pool import NbestLists
from dragoman.workspace import Workspace

# How the score rose, round by round.
HISTORY = "tuning.json"
# With more unknown words than this in the dev set, tuning learns little about the model.
MANY_UNKNOWN = 0.3


@dataclass(frozen=True)
class DevFiles:
    """Raw text to tune on, instead of the dev set that training has set aside."""

    source: Path
    references: tuple[Path, ...]


def tune_stage(
    config: TuneConfig,
    workspace: Workspace,
    *,
    hiero: bool = False,
    bilingual: bool = False,
    dev: DevFiles | None = None,
    preordered: bool = False,
) -> Stage:
    """The stage that decodes a dev set again and again; `hiero`: with hierarchical rules;
    `bilingual`: with a bilingual language model; `preordered`: the source is reordered first."""
    files = [SOURCE_VOCABULARY, TARGET_VOCABULARY, LANGUAGE_MODEL, HIERO if hiero else PHRASES]
    if bilingual:
        files += [BILINGUAL_VOCABULARY, BILINGUAL_MODEL]
    inputs = {name: workspace.file(name) for name in files}
    source, target, _ = held_out_files("dev")
    if preordered:
        source = preordered_source("dev")
    if dev is None:
        inputs |= {name: workspace.file(name) for name in (source, target)}
    else:
        inputs["dev source"] = dev.source
        inputs |= {f"dev reference {i}": path for i, path in enumerate(dev.references, 1)}

    def run(context: StageContext) -> None:
        bundle = Bundle.open(workspace.path, tuned=False, full_table=True)
        if dev is None:
            sources = list(read_lines(context.input(source)))
            references = [list(read_lines(context.input(target)))]
        else:
            sources, references = _prepare(workspace, dev)
            preordering = ModelPreordering.of_model(workspace.path)
            if preordering is not None:
                sources = preordering.reordered(sources, context.threads)
        start = default_weights(bundle.features)
        reason = _reason_not_to_tune(context, sources)
        if reason:
            result = TuningResult(start, 0.0, [], reason)
        else:
            options = model_options(workspace.path)
            result = _tune(context, config, bundle, options, start, sources, references)
        context.progress.message(f"tuning ended: {result.reason}")
        save_weights(context.output(WEIGHTS), bundle.features, result.weights)
        history = asdict(result) | {
            "weights": None,
            "features": bundle.features,
            "metric": make_metric(config.metric, tokenize="none").name,
        }
        context.output(HISTORY).write_text(json.dumps(history, indent=1) + "\n", "utf-8")

    return Stage("tune", config, inputs, (WEIGHTS, HISTORY), run)


def dev_scores(workspace: Workspace) -> tuple[str, float, float] | None:
    """Metric, and the dev score before and after tuning; None when nothing was tuned."""
    try:
        history = json.loads(workspace.file(HISTORY).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    rounds = [entry["score"] for entry in history["iterations"]]
    return (history["metric"], rounds[0], history["score"]) if rounds else None


def _prepare(workspace: Workspace, dev: DevFiles) -> tuple[list[str], list[list[str]]]:
    """The dev text as the model sees text."""
    form = TextForm.of_model(workspace.path)
    caser = Truecaser.load(workspace.file(TARGET_TRUECASE)) if form.truecaser else None
    sources = [form.prepare_source(line) for line in read_lines(dev.source)]
    references = []
    for path in dev.references:
        lines = [form.prepare_target(line) for line in read_lines(path)]
        if len(lines) != len(sources):
            raise InputError(
                f"{dev.source} has {len(sources):,} lines but {path} has {len(lines):,}"
            )
        references.append([caser.truecase(line) for line in lines] if caser else lines)
    return sources, references


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


def _tune(
    context: StageContext,
    config: TuneConfig,
    bundle: Bundle,
    options: SearchOptions | ChartOptions,
    start: Vector,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
) -> TuningResult:
    def decode(weights: Vector) -> NbestLists:
        # Pruning thresholds mean something only in the scale in which weights are kept.
        scaled = normalised(bundle.features, weights)
        search = make_search(bundle, options, weights=scaled, threads=context.threads)
        return NbestLists.joined(search.decode_nbest(sources, config.nbest), len(start))

    return tune(
        decode,
        references,
        start,
        make_metric(config.metric, tokenize="none"),
        make_optimiser(config.method, context.threads, lowest_weights(bundle.features)),
        max_iterations=config.max_iterations,
        patience=config.patience,
        seed=config.seed,
        resume=context.resume(),
        threads=context.threads,
        progress=context.progress,
    )
