"""A model directory, opened for translating: everything is mapped, nothing is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dragoman._core import TranslationModel
from dragoman.errors import InputError, ModelError
from dragoman.layout import (
    BILINGUAL_MODEL,
    BILINGUAL_VOCABULARY,
    HIERO,
    LANGUAGE_MODEL,
    PHRASES,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    table_name,
)
from dragoman.model.weights import Vector, default_weights, load_weights
from dragoman.workspace import Workspace

EXTRA_LANGUAGE_MODELS = "lm/extra.*.bin"  # features lm.2, lm.3, ... by name of the file
WEIGHTS = "weights.toml"
# The phrase table sorted and thinned out under the tuned weights.
SORTED_PHRASES = "rules/sorted.table"
# Stages that write what it is made from.
MAKERS = ("rules", "joint", "reestimate", "tune")


@dataclass(frozen=True)
class Bundle:
    """A model and its weights."""

    native: TranslationModel
    weights: Vector
    path: Path | None = None
    tuned: bool = False  # whether the weights come from the model or are defaults

    @property
    def hierarchical(self) -> bool:
        """Whether it has rules with gaps, for a chart search; else phrases."""
        return self.native.hierarchical

    @property
    def features(self) -> list[str]:
        """The names of the features, in the order of weights and values."""
        return self.native.features

    @classmethod
    def open(
        cls,
        directory: str | Path,
        *,
        weights: str | Path | None = None,
        tuned: bool = True,
        phrases: str | Path | None = None,
        full_table: bool = False,
        verify: bool = False,
    ) -> Bundle:
        """Open a model directory; `weights` and `phrases` name files to use instead of its own.

        Without `tuned` the weights are the default ones, whatever the model has. With
        `full_table` the phrase table is the one before sorting and thinning out. With
        `verify` everything is read once and compared with its checksum.
        """
        workspace = Workspace(directory)
        if not workspace.path.is_dir():
            raise ModelError(f"{directory}: no model there")
        name = table_name(workspace)
        table = "table of rules" if name == HIERO else "phrase table"
        if name == PHRASES and not full_table and weights is None:
            name = table_in_use(workspace)
        files = {
            table: Path(phrases) if phrases is not None else workspace.file(name),
            "source vocabulary": workspace.file(SOURCE_VOCABULARY),
            "target vocabulary": workspace.file(TARGET_VOCABULARY),
        }
        for kind, path in files.items():
            if not path.exists():
                inside = path.is_relative_to(workspace.path)
                place = path.relative_to(workspace.path) if inside else path
                raise ModelError(
                    f"{directory}: the model has no {kind} ({place}); "
                    "its training has not been finished"
                )
        sequences = [("lm", str(workspace.file(LANGUAGE_MODEL)), False)]
        if not workspace.file(LANGUAGE_MODEL).exists():
            sequences = []
        sequences += [
            (f"lm.{number}", str(path), False)
            for number, path in enumerate(sorted(workspace.path.glob(EXTRA_LANGUAGE_MODELS)), 2)
        ]
        if name != HIERO and workspace.file(BILINGUAL_MODEL).exists():
            sequences.append(("bilm", str(workspace.file(BILINGUAL_MODEL)), True))
        try:
            native = TranslationModel(
                phrase_table=str(files[table]),
                source_vocabulary=str(files["source vocabulary"]),
                target_vocabulary=str(files["target vocabulary"]),
                sequences=sequences,
                bilingual_vocabulary=str(workspace.file(BILINGUAL_VOCABULARY)),
                verify=verify,
            )
        except InputError as problem:
            raise ModelError(str(problem)) from problem
        own = workspace.file(WEIGHTS)
        if not tuned or (weights is None and not own.exists()):
            return cls(native, default_weights(native.features), workspace.path)
        chosen = load_weights(weights if weights is not None else own, native.features)
        return cls(native, chosen, workspace.path, tuned=True)


def table_in_use(workspace: Workspace) -> str:
    """The sorted table, when it was made from the phrase table and the weights that are there."""
    stages = workspace.read_manifest().stages
    record = stages.get("resort")
    if record is None or not workspace.file(SORTED_PHRASES).is_file():
        return PHRASES
    made = [stages[name].outputs for name in MAKERS if name in stages]
    current = {name: digest for outputs in made for name, digest in outputs.items()}
    fresh = all(current.get(name) == digest for name, digest in record.inputs.items())
    return SORTED_PHRASES if fresh else PHRASES
