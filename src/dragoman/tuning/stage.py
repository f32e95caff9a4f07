"""The stage that tunes the weights on the dev set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from dragoman.config import HieroConfig, RulesConfig, TuneConfig
from dragoman.corpus.prepare import SOURCE_VOCABULARY, TARGET_VOCABULARY, held_out_files
from dragoman.corpus.read import read_lines
from dragoman.evaluation.metrics import make_metric
from dragoman.lm.stage import MODEL as LANGUAGE_MODEL
from dragoman.model.bundle import WEIGHTS, Bundle
from dragoman.model.weights import Vector, default_weights, normalised, save_weights
from dragoman.pipeline import Stage, StageContext
from dragoman.rules.stage import BILINGUAL_MODEL, BILINGUAL_VOCABULARY, HIERO, PHRASES
from dragoman.search.choice import make_search
from dragoman.tuning.loop import TuningResult, make_optimiser, tune
from dragoman.tuning.pool import Candidate
from dragoman.workspace import Workspace

# How the score rose, round by round.
HISTORY = "tuning.json"


def tune_stage(
    config: TuneConfig, workspace: Workspace, rules: RulesConfig | HieroConfig
) -> Stage:
    """The stage that decodes the dev set of `workspace` again and again."""
    source, target, _ = held_out_files("dev")
    table = HIERO if isinstance(rules, HieroConfig) else PHRASES
    files = [SOURCE_VOCABULARY, TARGET_VOCABULARY, LANGUAGE_MODEL, table, source, target]
    if isinstance(rules, RulesConfig) and rules.bilingual_order > 0:
        files += [BILINGUAL_VOCABULARY, BILINGUAL_MODEL]

    def run(context: StageContext) -> None:
        bundle = Bundle.open(workspace.path)
        start = default_weights(bundle.features)
        sources = list(read_lines(context.input(source)))
        references = list(read_lines(context.input(target)))
        result = TuningResult(start, 0.0, [], "there is no dev set")
        if sources:
            result = _tune(context, bundle, start, sources, references)
        context.progress.message(f"tuning ended: {result.reason}")
        save_weights(context.output(WEIGHTS), bundle.features, result.weights)
        history = asdict(result) | {"weights": None, "features": bundle.features}
        context.output(HISTORY).write_text(json.dumps(history, indent=1) + "\n", "utf-8")

    return Stage(
        "tune",
        config,
        {name: workspace.file(name) for name in files},
        (WEIGHTS, HISTORY),
        run,
    )


def _tune(
    context: StageContext,
    bundle: Bundle,
    start: Vector,
    sources: Sequence[str],
    references: Sequence[str],
) -> TuningResult:
    config: TuneConfig = context.stage.config

    def decode(weights: Vector) -> list[list[Candidate]]:
        # Pruning thresholds mean something only in the scale in which weights are kept.
        scaled = normalised(bundle.features, weights)
        search = make_search(bundle, weights=scaled, threads=context.threads)
        return [
            [Candidate(entry.target, np.asarray(entry.features)) for entry in result.nbest]
            for result in search.decode(sources, nbest=config.nbest)
        ]

    return tune(
        decode,
        [list(references)],
        start,
        make_metric(config.metric, tokenize="none"),
        make_optimiser(config.method),
        max_iterations=config.max_iterations,
        patience=config.patience,
        seed=config.seed,
        resume=context.resume(),
        progress=context.progress,
    )
