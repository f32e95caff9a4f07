"""Oracle-BLEU model re-estimation (paper 002), and forced decoding (Wuebker et al. 2010).

A trained model derives its own training bitext: freely, and of what it finds the derivations
nearest to the references are taken, or forced to give exactly the references, or both. From the
derivations the phrase table, the reordering models and the bilingual language model are
estimated anew, in place of the old ones or mixed with them, and the weights are tuned again.
The result is an ordinary model directory; the first model stays as it is.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict
from pathlib import Path

import numpy as np

from dragoman import pipeline
from dragoman.alignment.stage import LINKS
from dragoman.config import (
    DeriveConfig,
    ReestimateConfig,
    ReportConfig,
    ResortConfig,
    TuneConfig,
)
from dragoman.corpus.prepare import BITEXT
from dragoman.corpus.prepare import REPORT as CORPUS_REPORT
from dragoman.errors import InputError, UsageError
from dragoman.learning.reestimate_derivations import (
    DERIVED,
    NO_DERIVATION,
    REFUSED,
    Derivations,
)
from dragoman.learning.reestimate_models import Baseline, Renewed, renew
from dragoman.learning.reestimate_original import Original
from dragoman.model.bundle import WEIGHTS
from dragoman.pipeline import Outcome, Stage, StageContext
from dragoman.progress import SILENT, Progress
from dragoman.report.stage import report_stage
from dragoman.rules.stage import BILINGUAL_MODEL, BILINGUAL_VOCABULARY, PHRASES
from dragoman.rules.table import open_file
from dragoman.tuning.resort import resort_stage
from dragoman.tuning.stage import tune_stage
from dragoman.workspace import LOCK, STAGING, Workspace

DERIVATIONS = "reestimate/derivations.npz"
REPORT = "reestimate/report.json"

_FILES = {
    "phrases": PHRASES,
    "bilingual vocabulary": BILINGUAL_VOCABULARY,
    "bilingual model": BILINGUAL_MODEL,
}


def reestimate(
    model: str | Path,
    output: str | Path,
    *,
    derive: DeriveConfig | None = None,
    config: ReestimateConfig | None = None,
    tune: TuneConfig | None = None,
    retune: bool = True,
    files: tuple[str | Path, str | Path] | None = None,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Re-estimate `model` into the model directory `output`; what is up to date is not redone.

    `files` are a source and a target file to derive instead of the model's own bitext. Without
    `retune` the weights stay those of `model`.
    """
    derive = derive if derive is not None else DeriveConfig()
    config = config if config is not None else ReestimateConfig()
    if Path(model).resolve() == Path(output).resolve():
        raise UsageError("the re-estimated model needs a directory of its own")
    original = Original.open(model, (Path(files[0]), Path(files[1])) if files else None)
    workspace = Workspace(output)
    existed = workspace.path.exists()
    count = threads if threads is not None else (os.cpu_count() or 1)
    try:
        first = [derive_stage(original, workspace, derive)]
        outcomes = pipeline.run(workspace, first, threads=count, progress=progress)
    except InputError:
        if not existed:
            _remove_if_empty(workspace)
        raise
    with workspace.locked():
        original.copy_to(workspace)
    second = [reestimate_stage(original, workspace, derive, config)]
    if retune:
        tuning = tune if tune is not None else TuneConfig()
        second.append(tune_stage(tuning, workspace, bilingual=original.bilingual is not None))
    else:
        second.append(keep_weights_stage(original))
    if retune or original.workspace.file(WEIGHTS).is_file():
        second.append(resort_stage(ResortConfig(), workspace))
    if retune and all(workspace.file(name).is_file() for name in (BITEXT, LINKS, CORPUS_REPORT)):
        second.append(report_stage(ReportConfig(), workspace))
    return outcomes + pipeline.run(workspace, second, threads=count, progress=progress)


def derive_stage(original: Original, workspace: Workspace, config: DeriveConfig) -> Stage:
    """The stage that derives the bitext of a model."""

    def run(context: StageContext) -> None:
        context.staging.mkdir(parents=True, exist_ok=True)
        parts: list[Derivations] = []
        for part in config.parts():
            notes = context.resume() / part.method
            notes.mkdir(exist_ok=True)
            found = original.derive(
                part,
                context.staging,
                threads=context.threads,
                resume=notes,
                progress=context.progress,
            )
            context.progress.message(describe(found, part))
            parts.append(found)
        if not any(found.derived for found in parts):
            raise InputError(
                f"none of {len(found):,} sentence pairs has a derivation; the model stays as it is"
                + ("; try --method oracle" if config.method == "forced" else "")
            )
        Derivations.concatenate(parts).save(context.output(DERIVATIONS))

    return Stage("derive", config, original.inputs(), (DERIVATIONS,), run)


def describe(found: Derivations, config: DeriveConfig) -> str:
    """One line about derivations by one method."""
    missed = int((found.outcomes == NO_DERIVATION).sum())
    refused = int((found.outcomes == REFUSED).sum())
    text = f"{config.method}: {found.derived:,} of {len(found):,} pairs derived"
    if missed:
        text += f", {missed:,} without a derivation"
    if refused:
        text += f", {refused:,} refused"
    if config.method == "oracle" and found.derived:
        model, best = found.corpus_bleu()
        text += f"; BLEU of the model {model:.2f}, of the oracle {best:.2f}"
    return text


def reestimate_stage(
    original: Original, workspace: Workspace, derive: DeriveConfig, config: ReestimateConfig
) -> Stage:
    """The stage that estimates the models from what :func:`derive_stage` has found."""
    record = original.manifest.stages[original.maker]
    outputs = tuple(name for name in record.outputs if name != WEIGHTS)
    inputs = original.inputs() | {DERIVATIONS: workspace.file(DERIVATIONS)}

    def run(context: StageContext) -> None:
        found = Derivations.load(context.input(DERIVATIONS))
        dev = original.dev() if config.weight is None else None
        if config.weight is None and dev is None:
            context.progress.message("no dev set: new and old probabilities count the same")
        dev_found = None
        if dev is not None:
            context.staging.mkdir(parents=True, exist_ok=True)
            dev_found = original.derive_dev(
                derive, context.staging, threads=context.threads, progress=context.progress
            )
        renewed = renew(
            Baseline(
                open_file(original.workspace.file(PHRASES)),
                original.bitext(),
                found,
                original.rules,
                dev[1] if dev is not None else None,
                dev_found,
                original.pairs().links,
                original.bilingual,
            ),
            config,
            lambda name: context.output(_FILES[name]),
            keep_words=derive.keep_words,
            threads=context.threads,
            progress=context.progress,
        )
        for name in outputs:  # what was not renewed
            if not context.output(name).exists():
                shutil.copyfile(original.workspace.file(name), context.output(name))
        context.progress.message(describe_tables(renewed))
        model, best = found.corpus_bleu()
        report = asdict(renewed) | {
            "pairs": len(np.unique(found.numbers)),
            "derived": len(np.unique(found.numbers[found.outcomes == DERIVED])),
            "model_bleu": None if derive.method == "forced" else model,
            "oracle_bleu": None if derive.method == "forced" else best,
        }
        context.output(REPORT).write_text(json.dumps(report, indent=2) + "\n", "utf-8")

    return Stage("reestimate", config, inputs, (*outputs, REPORT), run)


def describe_tables(renewed: Renewed) -> str:
    """One line about what was estimated."""
    text = (
        f"{renewed.used:,} of {renewed.rows:,} phrase pairs used "
        f"({renewed.used / max(1, renewed.rows):.1%}), {renewed.written:,} written"
    )
    if renewed.confirmed is not None:
        text += f"; the references confirm {renewed.confirmed:.1%} of the uses"
    if renewed.forward_weight is not None and renewed.backward_weight is not None:
        text += (
            f"; weights of the new probabilities {renewed.forward_weight:.2f} forward, "
            f"{renewed.backward_weight:.2f} backward"
        )
    if renewed.bilingual_weight is not None:
        text += f", bilingual {renewed.bilingual_weight:.2f}"
    return text


def keep_weights_stage(original: Original) -> Stage:
    """The stage that takes over the old weights instead of tuning."""
    path = original.workspace.file(WEIGHTS)
    inputs = {WEIGHTS: path} if path.is_file() else {}

    def run(context: StageContext) -> None:
        if inputs:
            shutil.copyfile(path, context.output(WEIGHTS))

    return Stage("tune", TuneConfig(), inputs, tuple(inputs), run)


def _remove_if_empty(workspace: Workspace) -> None:
    """Leave no directory behind that this call has made and nothing was written to."""
    items = {item.name for item in workspace.path.iterdir()} if workspace.path.is_dir() else set()
    if items <= {LOCK, STAGING}:
        shutil.rmtree(workspace.path, ignore_errors=True)
