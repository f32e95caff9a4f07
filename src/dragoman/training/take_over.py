"""Stages that another model has run already: their files and records are taken over."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from dragoman.errors import FileError
from dragoman.files import sha256
from dragoman.model.directory import ModelDirectory
from dragoman.model.manifest import Manifest
from dragoman.training.pipeline import Stage


def take_over(
    original: ModelDirectory,
    heir: ModelDirectory,
    stages: Iterable[str],
    files: Sequence[str] = (),
) -> None:
    """Give a model what stages of another have written, with the records of their making, and
    other files as far as they are there. Nothing is copied that is there already."""
    records = original.manifest.stages
    kept = {name: records[name] for name in stages if name in records}
    written = {name: None for record in kept.values() for name in record.outputs}
    for name in (*written, *files):
        source, place = original.file(name), heir.file(name)
        if source.is_file() and not (place.is_file() and sha256(place) == sha256(source)):
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, place)
            except OSError as problem:
                raise FileError.of(problem, place) from problem
    own = heir.manifest.stages
    merged = {**kept, **{name: record for name, record in own.items() if name not in kept}}
    if merged != own:
        heir.write_manifest(Manifest(merged))


def shared_stages(
    original: ModelDirectory, stages: Sequence[Stage], heir: ModelDirectory, plan: Sequence[Stage]
) -> list[str]:
    """The stages of a plan that are the same as those of the original, what they read included."""
    known = {stage.name: stage for stage in stages}

    def same(stage: Stage) -> bool:
        other = known.get(stage.name)
        return (
            other is not None
            and other.parameters == stage.parameters
            and other.outputs == stage.outputs
            and _places(other, original) == _places(stage, heir)
        )

    shared: list[str] = []
    remade: set[str] = set()
    for stage in plan:
        if same(stage) and not remade & set(_places(stage, heir).values()):
            shared.append(stage.name)
        else:
            remade |= set(stage.outputs)
    return shared


def _places(stage: Stage, directory: ModelDirectory) -> dict[str, str]:
    """Its inputs; those in the model directory by their names there."""

    def place(path: Path) -> str:
        inside = path.is_relative_to(directory.path)
        return path.relative_to(directory.path).as_posix() if inside else str(path)

    return {name: place(path) for name, path in stage.inputs.items()}
