"""The stage that takes over the weights of another model instead of tuning."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from dragoman.declared import Options, option
from dragoman.model.directory import ModelDirectory
from dragoman.training.pipeline import Stage, StageContext


@dataclass(frozen=True)
class KeptWeights(Options):
    """Takes over the weights of another model instead of tuning."""

    method: str = option("kept", "Where the weights come from.")


def kept_weights_stage(model: ModelDirectory, *names: str, stage: str = "tune") -> Stage:
    """The stage that takes over these files of a model, as far as they are there."""
    inputs = {name: model.file(name) for name in names if model.has(name)}
    return Stage(stage, KeptWeights(), inputs, tuple(inputs), _run)


def _run(context: StageContext) -> None:
    for name in context.stage.outputs:
        shutil.copyfile(context.input(name), context.output(name))
