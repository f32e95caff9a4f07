"""Stages in order; skip what is up to date; resume after anything.

A stage declares its inputs and outputs and is a function of them and of its parameters. It
writes to a staging directory; when it returns, its outputs are renamed into the model directory
and the manifest is written. Killed before that, it has not run; killed after, it has. A stage is
up to date when its parameters, the hashes of its inputs and the hashes of its outputs are those
of the manifest.

To add a stage: a frozen dataclass in ``config.py``, a function that takes a
:class:`StageContext`, and a :class:`Stage` that names them, made where the command line or
``dragoman.train`` puts the list of stages together.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.config import to_mapping
from dragoman.errors import FileError, UsageError
from dragoman.progress import SILENT, Progress
from dragoman.workspace import Manifest, StageRecord, Workspace, sha256


@dataclass(frozen=True)
class Stage:
    """One step of training."""

    name: str
    # A frozen dataclass of config.py; every value in it can change the outputs.
    config: Any
    # Name to file. Names, not paths, go into the manifest. A file made by an earlier stage is
    # given by its place in the model directory.
    inputs: Mapping[str, Path]
    # Paths in the model directory.
    outputs: tuple[str, ...]
    run: Callable[[StageContext], None]


@dataclass(frozen=True)
class StageContext:
    """What a running stage may use."""

    stage: Stage
    staging: Path
    threads: int
    progress: Progress
    identity: str  # of parameters and inputs

    def input(self, name: str) -> Path:
        return self.stage.inputs[name]

    def output(self, name: str) -> Path:
        """Where to write the declared output `name`."""
        if name not in self.stage.outputs:
            raise KeyError(f"stage {self.stage.name} does not declare the output {name}")
        path = self.staging / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def resume(self) -> Path:
        """A directory for what a long stage wants to find again if it is interrupted.

        It survives a kill, is empty when parameters or inputs have changed since, and goes when
        the stage is done.
        """
        path = _resume_directory(self.staging)
        key = path / "identity"
        if not key.exists() or key.read_text("utf-8") != self.identity:
            shutil.rmtree(path, ignore_errors=True)
            path.mkdir(parents=True)
            key.write_text(self.identity, "utf-8")
        return path


def _resume_directory(staging: Path) -> Path:
    return staging.with_name(f"{staging.name}.resume")


@dataclass(frozen=True)
class Outcome:
    """What became of a stage, or would."""

    stage: str
    ran: bool
    reason: str  # why it ran, or "up to date"
    seconds: float = 0.0
    bytes_written: int = 0


def run(
    workspace: Workspace,
    stages: Sequence[Stage],
    *,
    start_from: str | None = None,
    dry_run: bool = False,
    threads: int = 1,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Bring the model up to date; `start_from` runs that stage and what depends on it anew.

    With `dry_run` nothing is written: the outcomes say what would run, and why.
    """
    names = [stage.name for stage in stages]
    if start_from is not None and start_from not in names:
        raise UsageError(f"there is no stage {start_from!r}; the stages are {', '.join(names)}")
    if dry_run:
        return _plan(workspace, stages, start_from)
    workspace.create()
    with workspace.locked():
        return [
            _bring_up_to_date(workspace, stage, names, stage.name == start_from, threads, progress)
            for stage in stages
        ]


def _plan(workspace: Workspace, stages: Sequence[Stage], start_from: str | None) -> list[Outcome]:
    manifest = workspace.read_manifest()
    remade: dict[Path, str] = {}  # files that would be written anew, and by which stage
    outcomes = []
    for stage in stages:
        makers = sorted({remade[path] for path in stage.inputs.values() if path in remade})
        if stage.name == start_from:
            reason = "asked for"
        elif makers:
            reason = f"uses what {', '.join(makers)} would write"
        else:
            reason = _reason_to_run(workspace, stage, manifest, _hash_inputs(stage))
        if reason:
            remade |= {workspace.file(name): stage.name for name in stage.outputs}
        outcomes.append(Outcome(stage.name, bool(reason), reason or "up to date"))
    return outcomes


def _bring_up_to_date(
    workspace: Workspace,
    stage: Stage,
    order: Sequence[str],
    forced: bool,
    threads: int,
    progress: Progress,
) -> Outcome:
    manifest = workspace.read_manifest()
    input_hashes = _hash_inputs(stage)
    reason = "asked for" if forced else _reason_to_run(workspace, stage, manifest, input_hashes)
    if not reason:
        progress.message(f"{stage.name}: up to date")
        return Outcome(stage.name, False, "up to date")

    progress.message(f"{stage.name}: {reason}")
    start = time.monotonic()
    staging = workspace.staging(stage.name)
    shutil.rmtree(staging, ignore_errors=True)  # what a killed run left
    try:
        staging.mkdir(parents=True)
        parameters = to_mapping(stage.config)
        identity = json.dumps([parameters, input_hashes], sort_keys=True)
        stage.run(StageContext(stage, staging, threads, progress, identity))
        record = StageRecord(
            parameters=parameters,
            inputs=input_hashes,
            outputs={name: sha256(staging / name) for name in stage.outputs},
        )
        size = sum((staging / name).stat().st_size for name in stage.outputs)
        # From here the old outputs vanish one by one. A manifest that still vouched for them
        # would be wrong if we were killed in between, and files without any manifest would
        # look like somebody else's.
        workspace.write_manifest(manifest.without_stage(stage.name))
        for name in stage.outputs:
            workspace.file(name).parent.mkdir(parents=True, exist_ok=True)
            (staging / name).replace(workspace.file(name))
        workspace.write_manifest(manifest.with_stage(stage.name, record, order))
        shutil.rmtree(_resume_directory(staging), ignore_errors=True)
    except OSError as problem:
        raise FileError.of(problem) from problem
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if staging.parent.is_dir() and not any(staging.parent.iterdir()):
            staging.parent.rmdir()
    return Outcome(stage.name, True, reason, time.monotonic() - start, size)


def _hash_inputs(stage: Stage) -> dict[str, str]:
    return {name: sha256(path) for name, path in stage.inputs.items()}


def _reason_to_run(
    workspace: Workspace, stage: Stage, manifest: Manifest, input_hashes: Mapping[str, str]
) -> str:
    """Why the stage must run; empty when it is up to date."""
    record = manifest.stages.get(stage.name)
    if record is None:
        return "has not run yet"
    parameters = to_mapping(stage.config)
    for key in sorted(parameters.keys() | record.parameters.keys()):
        old, new = record.parameters.get(key), parameters.get(key)
        if _plain(old) != _plain(new):
            return f"{key} changed from {old!r} to {new!r}"
    for name in sorted(input_hashes.keys() | record.inputs.keys()):
        if name not in record.inputs:
            return f"new input {name}"
        if name not in input_hashes:
            return f"input {name} is no longer given"
        if input_hashes[name] != record.inputs[name]:
            return f"input {name} changed"
    if set(stage.outputs) != set(record.outputs):
        return "writes other files than before"
    for name in stage.outputs:
        path = workspace.file(name)
        if not path.is_file():
            return f"output {name} is missing"
        if sha256(path) != record.outputs[name]:
            return f"output {name} was changed"
    return ""


def _plain(value: Any) -> Any:
    """Tuples come back from TOML as lists."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
