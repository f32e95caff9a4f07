"""A model for use, which has learnt from everything.

To tune weights, some pairs must be set aside, and of a small corpus that is much to do without.
So a model is trained and tuned first, in a directory inside the final one; then the final one is
trained on all pairs and takes over the weights. Scores are those of the first: of the final one
nothing can be told, as it has seen all that it could be tried on.
"""

from __future__ import annotations

from dataclasses import replace

from dragoman.errors import UsageError
from dragoman.layout import TUNED_MODEL
from dragoman.model.directory import ModelDirectory
from dragoman.training.config import Config
from dragoman.training.pipeline import Stage
from dragoman.training.plan import Material, training_stages


def tuned_model(directory: ModelDirectory) -> ModelDirectory:
    """Where the model is that the weights are tuned for."""
    return ModelDirectory(directory.file(TUNED_MODEL))


def check_final(config: Config) -> None:
    """Raise UsageError for what cannot be learnt from everything."""
    if config.method == "joint":
        raise UsageError(
            "the joint method learns weights from the corpus itself; it has no final training"
        )


def final_stages(config: Config, directory: ModelDirectory, material: Material) -> list[Stage]:
    """The stages that learn from everything: nothing is set aside, and a dev set that was given
    is learnt from as well; a test set is not."""
    everything = replace(config.prepare, dev_size=0, test_size=0)
    given = [material.dev] if material.dev is not None else []
    return training_stages(
        replace(config, prepare=everything),
        directory,
        replace(material, train=[*material.train, *given], dev=None),
        tuned_model(directory),
    )
