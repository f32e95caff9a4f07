"""From parallel text to a model: the stages in their order, and the function that runs them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dragoman import pipeline
from dragoman.alignment.stage import align_stage
from dragoman.config import (
    Config,
    ModelName,
    PrepareConfig,
    TokeniserName,
    from_mapping,
    to_mapping,
)
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.prepare import (
    BITEXT,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    prepare_stage,
)
from dragoman.corpus.read import ParallelFile
from dragoman.errors import UsageError
from dragoman.lm.stage import lm_stage
from dragoman.pipeline import Outcome, Stage
from dragoman.progress import SILENT, Progress
from dragoman.rules.stage import hiero_stage, rules_stage
from dragoman.tuning.stage import tune_stage
from dragoman.workspace import Workspace


def training_stages(
    config: Config,
    workspace: Workspace,
    train_files: Sequence[ParallelFile],
    dev: ParallelFile | None = None,
    test: ParallelFile | None = None,
) -> list[Stage]:
    """Every stage of training, in order."""
    if not train_files:
        raise UsageError("no parallel text given: use -s and -t, --tsv, --tmx, --po or --xliff")
    hiero = config.model == "hiero"
    return [
        prepare_stage(config.prepare, list(train_files), dev, test),
        align_stage(config.align, workspace),
        lm_stage(config.lm, workspace),
        hiero_stage(config.hiero, workspace) if hiero else rules_stage(config.rules, workspace),
        tune_stage(config.tune, workspace, config.hiero if hiero else config.rules),
    ]


def train(
    source: str | Path | Sequence[ParallelFile],
    target: str | Path | None,
    model: str | Path,
    *,
    dev: tuple[str | Path, str | Path] | ParallelFile | None = None,
    test: tuple[str | Path, str | Path] | ParallelFile | None = None,
    source_language: str = "",
    target_language: str = "",
    tokeniser: TokeniserName | None = None,
    kind: ModelName | None = None,
    config: Config | None = None,
    start_from: str | None = None,
    dry_run: bool = False,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Train a model in the directory `model`; what is up to date there is not done again.

    `source` and `target` are two files with a sentence a line; or `source` is a list of
    :class:`ParallelFile` in any format, and `target` is None. Languages, tokeniser and the
    `kind` of model, when given, go before what `config` says.
    """
    if isinstance(source, str | Path):
        if target is None:
            raise UsageError("a source file needs a target file")
        files: Sequence[ParallelFile] = [ParallelFile.plain(source, target)]
    else:
        files = source
    config = config if config is not None else Config()
    said = {
        "source_language": source_language,
        "target_language": target_language,
        "tokeniser": tokeniser,
    }
    prepare = to_mapping(config.prepare) | {key: value for key, value in said.items() if value}
    config = replace(
        config,
        model=kind or config.model,
        prepare=from_mapping(PrepareConfig, prepare, "train"),
    )
    workspace = Workspace(model)
    return pipeline.run(
        workspace,
        training_stages(config, workspace, files, _parallel(dev), _parallel(test)),
        start_from=start_from,
        dry_run=dry_run,
        threads=threads if threads is not None else (os.cpu_count() or 1),
        progress=progress,
    )


def _parallel(pair: tuple[str | Path, str | Path] | ParallelFile | None) -> ParallelFile | None:
    return ParallelFile.plain(*pair) if isinstance(pair, tuple) else pair


def open_bitext(model: str | Path) -> Bitext:
    """The training bitext of a model directory."""
    workspace = Workspace(model)
    return Bitext.open(
        workspace.file(BITEXT),
        workspace.file(SOURCE_VOCABULARY),
        workspace.file(TARGET_VOCABULARY),
    )
