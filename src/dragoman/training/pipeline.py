"""Stages in order; skip what is up to date; resume after anything.

A stage declares its inputs, outputs and parameters and is a function of them: it gets a
:class:`StageContext`, which holds these and nothing else. It writes to a staging directory; when
it returns, its outputs are renamed into the model directory and the manifest is written. Killed
before that, it has not run; killed after, it has. A stage is up to date when its parameters, the
hashes of its inputs and the hashes of its outputs are those of the manifest.

To add a stage: its options, derived from dragoman.declared.Options, in the package whose work it
does; a module in ``training/stages`` with a function that takes a context and one that makes the
:class:`Stage`; its place in ``training/plan.py``.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.crew import Crew, Here
from dragoman.declared import to_mapping
from dragoman.errors import FileError, UsageError
from dragoman.files import sha256
from dragoman.layout import STAGING
from dragoman.memory import forget_peak, peak_memory
from dragoman.model.directory import ModelDirectory
from dragoman.model.manifest import Manifest, StageRecord
from dragoman.progress import SILENT, Progress

NOT_YET = "has not run yet"


@dataclass(frozen=True)
class Stage:
    """One step of training."""

    name: str
    # A group of options (dragoman.declared); every value in it can change the outputs.
    config: Any
    # Name to file. Names, not paths, go into the manifest. A file made by an earlier stage is
    # given by its place in the model directory.
    inputs: Mapping[str, Path]
    # Paths in the model directory.
    outputs: tuple[str, ...]
    # Sees the context only; a closure holds nothing that the names of inputs do not say.
    run: Callable[[StageContext], None]
    # Options of other stages that it reads too, by the names of their groups.
    also: Mapping[str, Any] = field(default_factory=dict)

    @property
    def purpose(self) -> str:
        """What it does, in a few words, as its options say it."""
        about = (type(self.config).__doc__ or "").strip().splitlines()[0]
        words = about.partition(";")[0].rstrip(".")
        return words[:1].lower() + words[1:]

    @property
    def parameters(self) -> dict[str, Any]:
        """All its options, as the manifest records them."""
        others = {name: to_mapping(group) for name, group in self.also.items()}
        return to_mapping(self.config) | others


@dataclass(frozen=True)
class StageContext:
    """What a running stage may use."""

    stage: Stage
    staging: Path
    threads: int
    progress: Progress
    identity: str  # of parameters and inputs
    crew: Crew = field(default_factory=Here)  # who does what can be cut into parts
    memory: int | None = None  # bytes, above which counts go through files; None: as is usual
    # What it found out that the manifest should say, beside what it writes.
    results: dict[str, Any] = field(default_factory=dict)

    @property
    def config(self) -> Any:
        """The options of the stage."""
        return self.stage.config

    def also(self, group: str) -> Any:
        """Options of another stage."""
        return self.stage.also[group]

    def input(self, name: str) -> Path:
        """Where the declared input `name` is."""
        return self.stage.inputs[name]

    def has_input(self, name: str) -> bool:
        """Whether an input of that name was declared."""
        return name in self.stage.inputs

    def inputs(self, beginning: str) -> dict[str, Path]:
        """The inputs whose names begin so, in their order."""
        return {n: path for n, path in self.stage.inputs.items() if n.startswith(beginning)}

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
    peak_memory: int = 0  # bytes, of this process; 0 where the system does not say
    processor: float = 0.0  # seconds of this process's processors


@dataclass(frozen=True)
class Workforce:
    """Who works: threads here, and a crew for what can be cut into parts."""

    threads: int
    crew: Crew
    memory: int | None


def run(
    directory: ModelDirectory,
    stages: Sequence[Stage],
    *,
    whole: bool = False,
    start_from: str | None = None,
    dry_run: bool = False,
    threads: int = 1,
    crew: Crew | None = None,
    memory: int | None = None,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Bring the model up to date; `start_from` runs that stage and what depends on it anew.

    With `whole` these are all the stages there are: what the manifest says of others, from a
    training of another kind, is forgotten. With `dry_run` nothing is written: the outcomes say
    what would run, and why. The `crew` does what can be cut into parts; without one it is done
    here, as all else, with `threads`. Counts beyond `memory` bytes go through files.
    """
    names = [stage.name for stage in stages]
    if start_from is not None and start_from not in names:
        raise UsageError(f"there is no stage {start_from!r}; the stages are {', '.join(names)}")
    if dry_run:
        return _plan(directory, stages, start_from)
    workforce = Workforce(threads, crew if crew is not None else Here(threads), memory)
    with directory.created(), directory.locked():
        kept = directory.manifest.only(names)
        if whole and kept != directory.manifest:
            _discard_outputs(directory, kept, stages)
            directory.write_manifest(kept)
        outcomes = [
            _bring_up_to_date(
                directory, stage, names, stage.name == start_from, workforce, progress
            )
            for stage in stages
        ]
        if whole:  # nothing is unfinished now, not of any other training either
            shutil.rmtree(directory.file(STAGING), ignore_errors=True)
        return outcomes


def _plan(
    directory: ModelDirectory, stages: Sequence[Stage], start_from: str | None
) -> list[Outcome]:
    manifest = directory.manifest
    remade: dict[Path, str] = {}  # files that would be written anew, and by which stage
    outcomes = []
    for stage in stages:
        makers = sorted({remade[path] for path in stage.inputs.values() if path in remade})
        if stage.name == start_from:
            reason = "asked for"
        elif makers:
            reason = f"uses what {', '.join(makers)} would write"
        else:
            reason = _reason_to_run(directory, stage, manifest, _hash_inputs(stage))
        if reason:
            remade |= {directory.file(name): stage.name for name in stage.outputs}
        outcomes.append(Outcome(stage.name, bool(reason), reason or "up to date"))
    return outcomes


def _bring_up_to_date(
    directory: ModelDirectory,
    stage: Stage,
    order: Sequence[str],
    forced: bool,
    workforce: Workforce,
    progress: Progress,
) -> Outcome:
    manifest = directory.manifest
    input_hashes = _hash_inputs(stage)
    reason = "asked for" if forced else _reason_to_run(directory, stage, manifest, input_hashes)
    staging = directory.staging(stage.name)
    if not reason:
        progress.message(f"{stage.name}: up to date")
        # A run that was killed when all but its tidying up was done.
        _tidy_up(staging, _resume_directory(staging))
        return Outcome(stage.name, False, "up to date")

    why = "" if reason == NOT_YET else f" ({reason})"
    progress.message(f"{stage.name}: {stage.purpose}{why}")
    start, used = time.monotonic(), time.process_time()
    shutil.rmtree(staging, ignore_errors=True)  # what a killed run left
    try:
        staging.mkdir(parents=True)
        identity = json.dumps([stage.parameters, input_hashes], sort_keys=True)
        context = StageContext(
            stage,
            staging,
            workforce.threads,
            progress,
            identity,
            workforce.crew,
            workforce.memory,
        )
        forget_peak()
        stage.run(context)
        peak = peak_memory()
        record = StageRecord(
            parameters=stage.parameters,
            inputs=input_hashes,
            outputs={name: sha256(staging / name) for name in stage.outputs},
            results=context.results,
        )
        size = sum((staging / name).stat().st_size for name in stage.outputs)
        # From here the old outputs vanish one by one. A manifest that still vouched for them
        # would be wrong if we were killed in between, and files without any manifest would
        # look like somebody else's.
        others = manifest.without_stage(stage.name)
        _discard_outputs(directory, others, [stage])
        directory.write_manifest(others)
        for name in stage.outputs:
            directory.file(name).parent.mkdir(parents=True, exist_ok=True)
            (staging / name).replace(directory.file(name))
        directory.write_manifest(manifest.with_stage(stage.name, record, order))
        shutil.rmtree(_resume_directory(staging), ignore_errors=True)
    except OSError as problem:
        raise FileError.of(problem) from problem
    finally:
        _tidy_up(staging)
    used = time.process_time() - used
    return Outcome(stage.name, True, reason, time.monotonic() - start, size, peak, used)


def _discard_outputs(directory: ModelDirectory, kept: Manifest, stages: Sequence[Stage]) -> None:
    """Remove what neither the stages that are kept nor these write, lest it be taken for a part
    of the model. The manifest vouches for it until then: whoever is killed here does it again."""
    wanted = {name for stage in stages for name in stage.outputs}
    wanted |= {name for record in kept.stages.values() for name in record.outputs}
    for record in directory.manifest.stages.values():
        for name in record.outputs.keys() - wanted:
            path = directory.file(name)
            path.unlink(missing_ok=True)
            if path.parent != directory.path and path.parent.is_dir():
                with suppress(OSError):  # of others that are still there
                    path.parent.rmdir()


def _tidy_up(staging: Path, *others: Path) -> None:
    """Remove what is not needed of a stage, and the folder of such things when it is empty."""
    for path in (staging, *others):
        shutil.rmtree(path, ignore_errors=True)
    if staging.parent.is_dir() and not any(staging.parent.iterdir()):
        staging.parent.rmdir()


def _hash_inputs(stage: Stage) -> dict[str, str]:
    return {name: sha256(path) for name, path in stage.inputs.items()}


def _reason_to_run(
    directory: ModelDirectory, stage: Stage, manifest: Manifest, input_hashes: Mapping[str, str]
) -> str:
    """Why the stage must run; empty when it is up to date."""
    record = manifest.stages.get(stage.name)
    if record is None:
        return NOT_YET
    changed = _first_change(record.parameters, stage.parameters)
    if changed:
        return changed
    added = sorted(input_hashes.keys() - record.inputs.keys())
    if added:  # first, since a file that stands in front of others moves them
        return f"new input {added[0]}"
    for name in sorted(record.inputs):
        if name not in input_hashes:
            return f"input {name} is no longer given"
        if input_hashes[name] != record.inputs[name]:
            return f"input {name} changed"
    if set(stage.outputs) != set(record.outputs):
        return "writes other files than before"
    for name in stage.outputs:
        path = directory.file(name)
        if not path.is_file():
            return f"output {name} is missing"
        if sha256(path) != record.outputs[name]:
            return f"output {name} was changed"
    return ""


def _first_change(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """The first parameter that is not what it was; empty when none is."""
    for key in sorted(before.keys() | now.keys()):
        old, new = before.get(key), now.get(key)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            inside = _first_change(old, new)
            if inside:
                return f"{key}.{inside}"
        elif isinstance(old, Mapping) or isinstance(new, Mapping):  # all of a group is new or gone
            return f"the options of {key} count {'now' if old is None else 'no longer'}"
        elif _plain(old) != _plain(new):
            return f"{key} changed from {old!r} to {new!r}"
    return ""


def _plain(value: Any) -> Any:
    """Tuples come back from TOML as lists."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
