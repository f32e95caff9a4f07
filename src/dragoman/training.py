"""From parallel text to a model: the stages in their order, and the function that runs them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from dragoman import pipeline
from dragoman.alignment.stage import LINKS, align_stage
from dragoman.config import (
    Config,
    MethodName,
    ModelName,
    PrepareConfig,
    ReportConfig,
    ResortConfig,
    TokeniserName,
    TuneConfig,
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
from dragoman.corpus.prepare import REPORT as CORPUS_REPORT
from dragoman.corpus.read import ParallelFile
from dragoman.errors import ModelError, UsageError
from dragoman.learning.joint_stage import joint_stage, joint_weights_stage
from dragoman.lm.stage import lm_stage
from dragoman.pipeline import Outcome, Stage
from dragoman.preorder.preorderer import PREORDERED_BITEXT, is_preordered
from dragoman.preorder.stage import preorder_stage
from dragoman.progress import SILENT, Progress
from dragoman.report.stage import report_stage
from dragoman.rules.stage import BILINGUAL_MODEL, HIERO, hiero_stage, rules_stage, table_name
from dragoman.tuning.resort import resort_stage
from dragoman.tuning.stage import DevFiles, tune_stage
from dragoman.workspace import StageRecord, Workspace

Section = TypeVar("Section")


LEAST_PAIRS = 2


def training_stages(
    config: Config,
    workspace: Workspace,
    train_files: Sequence[ParallelFile],
    dev: ParallelFile | None = None,
    test: ParallelFile | None = None,
    lm_texts: Sequence[Path] = (),
    trees: Sequence[Path] = (),
) -> list[Stage]:
    """Every stage of training, in order."""
    if not train_files:
        raise UsageError("no parallel text given: use -s and -t, --tsv, --tmx, --po or --xliff")
    hiero = config.model == "hiero"
    joint = config.method == "joint"
    if hiero and joint:
        raise UsageError("the joint method learns phrases; it cannot make a hiero model")
    preordered = config.preorder.method != "off"
    if preordered and joint:
        raise UsageError("the joint method does not take preordered text")
    if trees and not preordered:
        raise UsageError("trees are for preordering: set its method to trees (--preorder trees)")
    bitext = PREORDERED_BITEXT if preordered else BITEXT
    bilingual = not hiero and not joint and config.rules.bilingual_order > 0
    rules = (
        hiero_stage(config.hiero, workspace, bitext=bitext)
        if hiero
        else joint_stage(config.joint, workspace)
        if joint
        else rules_stage(config.rules, workspace, bitext=bitext)
    )
    return [
        prepare_stage(config.prepare, list(train_files), dev, test, least_pairs=LEAST_PAIRS),
        *([preorder_stage(config.preorder, config.align, workspace, trees)] if preordered else []),
        align_stage(config.align, workspace, bitext),
        lm_stage(config.lm, workspace, config.prepare, lm_texts),
        rules,
        joint_weights_stage(workspace)
        if joint and not config.joint.tune
        else tune_stage(
            config.tune, workspace, hiero=hiero, bilingual=bilingual, preordered=preordered
        ),
        *([] if hiero else [resort_stage(config.resort, workspace)]),
        report_stage(config.report, workspace, hiero=hiero, preordered=preordered),
    ]


def train(
    source: str | Path | Sequence[ParallelFile],
    target: str | Path | None,
    model: str | Path,
    *,
    dev: tuple[str | Path, str | Path] | ParallelFile | None = None,
    test: tuple[str | Path, str | Path] | ParallelFile | None = None,
    lm_texts: Sequence[str | Path] = (),
    trees: Sequence[str | Path] = (),
    source_language: str = "",
    target_language: str = "",
    tokeniser: TokeniserName | None = None,
    kind: ModelName | None = None,
    method: MethodName | None = None,
    config: Config | None = None,
    start_from: str | None = None,
    dry_run: bool = False,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Train a model in the directory `model`; what is up to date there is not done again.

    `source` and `target` are two files with a sentence a line; or `source` is a list of
    :class:`ParallelFile` in any format, and `target` is None. `dev` and `test` are sets to tune
    and to test on; without them some pairs are set aside. `lm_texts` are files of further text
    in the target language. `trees` are files with the trees of all source sentences, for
    preordering (see PreorderConfig). Languages, tokeniser, the `kind` of model and the `method`
    of training, when given, go before what `config` says.
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
        method=method or config.method,
        prepare=from_mapping(PrepareConfig, prepare, "train"),
    )
    workspace = Workspace(model)
    return pipeline.run(
        workspace,
        training_stages(
            config,
            workspace,
            files,
            _parallel(dev),
            _parallel(test),
            [Path(text) for text in lm_texts],
            [Path(file) for file in trees],
        ),
        start_from=start_from,
        dry_run=dry_run,
        threads=threads if threads is not None else (os.cpu_count() or 1),
        progress=progress,
    )


def tune_model(
    model: str | Path,
    *,
    dev: tuple[str | Path, Sequence[str | Path]] | None = None,
    config: TuneConfig | None = None,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Tune the weights of a model anew.

    `dev` is a source file and one or more files of references; without it, the dev set that
    training has set aside or was given.
    """
    workspace = Workspace(model)
    if not workspace.exists():
        raise ModelError(f"{model}: no model there; make one with 'dragoman train'")
    parameters = workspace.read_manifest().stages
    hiero = table_name(workspace) == HIERO
    bilingual = not hiero and workspace.file(BILINGUAL_MODEL).exists()
    preordered = is_preordered(workspace)
    files = DevFiles(Path(dev[0]), tuple(map(Path, dev[1]))) if dev is not None else None
    if files is not None and not files.references:
        raise UsageError("a dev set needs at least one reference")
    stages = [
        tune_stage(
            config if config is not None else TuneConfig(),
            workspace,
            hiero=hiero,
            bilingual=bilingual,
            dev=files,
            preordered=preordered,
        )
    ]
    if not hiero:
        stages.append(resort_stage(_recorded(ResortConfig, parameters, "resort"), workspace))
    if workspace.file(LINKS).exists() and workspace.file(CORPUS_REPORT).exists():
        recorded = _recorded(ReportConfig, parameters, "report")
        stages.append(report_stage(recorded, workspace, hiero=hiero, preordered=preordered))
    return pipeline.run(
        workspace,
        stages,
        threads=threads if threads is not None else (os.cpu_count() or 1),
        progress=progress,
    )


def _recorded(kind: type[Section], stages: Mapping[str, StageRecord], name: str) -> Section:
    """The parameters a stage ran with, so that it does not run again for other ones."""
    record = stages.get(name)
    return from_mapping(kind, record.parameters, name) if record is not None else kind()


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
