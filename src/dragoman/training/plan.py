"""The stages of a training, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.corpus.read import ParallelFile
from dragoman.errors import FileError, UsageError
from dragoman.layout import CONFIDENCE, SEARCH, TUNING_HISTORY, WEIGHTS
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.training.config import Config
from dragoman.training.pipeline import Stage
from dragoman.training.stages.align import align_stage
from dragoman.training.stages.confidence import confidence_stage
from dragoman.training.stages.context import context_stage
from dragoman.training.stages.joint import joint_stage, joint_weights_stage
from dragoman.training.stages.kept_weights import kept_weights_stage
from dragoman.training.stages.lm import lm_stage
from dragoman.training.stages.preorder import preorder_stage
from dragoman.training.stages.prepare import prepare_stage
from dragoman.training.stages.report import report_stage
from dragoman.training.stages.resort import resort_stage
from dragoman.training.stages.rules import hiero_stage, rules_stage
from dragoman.training.stages.score import score_stage
from dragoman.training.stages.tune import tune_stage
from dragoman.training.stages.unknown import unknown_stage

LEAST_PAIRS = 2


@dataclass(frozen=True)
class Material:
    """What a model is trained on."""

    train: Sequence[ParallelFile]
    dev: ParallelFile | None = None
    test: ParallelFile | None = None
    lm_texts: Sequence[Path] = ()  # further text in the target language
    trees: Sequence[Path] = ()  # of all source sentences, for preordering

    def require_files(self) -> None:
        """Before long work: is every file there?"""
        texts = [one for one in (*self.train, self.dev, self.test) if one is not None]
        paths = [path for one in texts for path in one.paths]
        for path in (*paths, *self.lm_texts, *self.trees):
            if not path.exists():
                raise FileError(f"{path}: No such file or directory")


def training_stages(
    config: Config,
    directory: ModelDirectory,
    material: Material,
    tuned: ModelDirectory | None = None,
) -> list[Stage]:
    """Every stage of training; with `tuned`, weights are taken from that model, not tuned."""
    if not material.train:
        raise UsageError("no parallel text given: use -s and -t, --tsv, --tmx, --po or --xliff")
    joint = config.method == "joint"
    shape = planned_shape(config, directory)
    if shape.hierarchical and joint:
        raise UsageError("the joint method learns phrases; it cannot make a hiero model")
    if shape.preordered and joint:
        raise UsageError("the joint method does not take preordered text")
    if material.trees and not shape.preordered:
        raise UsageError("trees are for preordering: set its method to trees (--preorder trees)")
    prepare = config.prepare.resolved()
    stages = [
        prepare_stage(
            prepare, material.train, material.dev, material.test, least_pairs=LEAST_PAIRS
        )
    ]
    if shape.preordered:
        stages.append(preorder_stage(config.preorder, config.align, directory, material.trees))
    stages += [
        align_stage(config.align, directory, shape),
        lm_stage(config.lm, directory, shape, prepare.text, material.lm_texts),
    ]
    if joint:
        stages.append(joint_stage(config.joint, directory))
    elif shape.hierarchical:
        stages.append(hiero_stage(config.hiero, directory, shape))
    else:
        stages.append(rules_stage(config.rules, directory, shape))
    if shape.context:
        stages.append(context_stage(config.context, directory, shape))
    if shape.unknown:
        stages.append(unknown_stage(config.unknown, directory, shape))
    if tuned is not None:
        stages.append(kept_weights_stage(tuned, WEIGHTS, TUNING_HISTORY))
    elif joint and not config.joint.tune:
        stages.append(joint_weights_stage(directory))
    else:
        stages.append(tune_stage(config.tune, directory, shape))
    if not shape.hierarchical:
        stages.append(resort_stage(config.resort, directory))
    if tuned is not None:
        stages.append(kept_weights_stage(tuned, CONFIDENCE, stage="confidence"))
    else:
        stages.append(confidence_stage(config.confidence, directory, shape))
    tested = material.test or (not material.dev and prepare.test_size)
    if tested:
        preorder = config.preorder if shape.preordered else None
        stages.append(score_stage(config.test, directory, shape, prepare.text, preorder))
    return [
        *stages,
        report_stage(
            config.report, directory, shape, prepare.text, tested=bool(tested), confident=True
        ),
    ]


def planned_shape(config: Config, directory: ModelDirectory) -> Shape:
    """What kind of model a training will make."""
    joint = config.method == "joint"
    return Shape(
        config.model,
        preordered=config.preorder.method != "off",
        bilingual=config.model == "phrase" and not joint and config.rules.bilingual_order > 0,
        # Hierarchical models are worse with it (docs/lab/hierarchical.md).
        classes=config.model == "phrase" and not joint and config.lm.classes > 0,
        context=config.model == "phrase" and not joint and config.context.use,
        # What joint training has written was for its own model; other options are the user's.
        search=joint or (directory.has(SEARCH) and directory.manifest.digest(SEARCH) is None),
        unknown=config.unknown.sources and (not joint or config.joint.tune),
    )
