"""Models that are there already, tuned to agree: the others become members of the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dragoman.arguments import models
from dragoman.errors import ModelError, UsageError
from dragoman.files import sha256
from dragoman.layout import EXTRA_LANGUAGE_MODELS, SEARCH, held_out_files, member_directory
from dragoman.model.directory import ModelDirectory
from dragoman.model.manifest import Manifest
from dragoman.progress import SILENT, Progress
from dragoman.training import pipeline
from dragoman.training.pipeline import Outcome
from dragoman.training.stages.consensus import consensus_stage
from dragoman.training.take_over import take_over
from dragoman.translation.consensus import check_alike, names_of
from dragoman.tuning.config import ConsensusConfig

_TARGET = held_out_files("dev")[1]


def run_agreement(
    model: str | Path,
    others: Sequence[str | Path],
    config: ConsensusConfig | None = None,
    *,
    threads: int = 1,
    progress: Progress = SILENT,
) -> list[Outcome]:
    """Copy other models into `model` and tune on its dev set what all agree on."""
    directory = ModelDirectory.open(model)
    given = [ModelDirectory.open(other) for other in models(others, "others")]
    if not given:
        raise UsageError("a consensus needs at least one other model")
    for other in given:
        _check(directory, other)
    names = names_of(given)
    for name, other in zip(names, given, strict=True):
        member = ModelDirectory(directory.file(member_directory(name)))
        with member.created(), member.locked():
            if not member.exists():  # lest files without a manifest look like a stranger's
                member.write_manifest(Manifest())
            extras = other.path.glob(EXTRA_LANGUAGE_MODELS)
            files = [path.relative_to(other.path).as_posix() for path in extras]
            take_over(other, member, other.manifest.stages, [*files, SEARCH])
    base = config if config is not None else ConsensusConfig()
    stage = consensus_stage(replace(base, members=tuple(names)), directory)
    return pipeline.run(directory, [stage], threads=threads, progress=progress)


def _check(first: ModelDirectory, other: ModelDirectory) -> None:
    """Raise an error unless the other can be tuned together with the first."""
    if other.path.resolve() == first.path.resolve():
        raise UsageError(f"{other}: is the model itself")
    if other.members:
        raise ModelError(f"{other}: is a consensus of models itself; give its models one by one")
    check_alike(first, other, tokenised=False)
    for one in (first, other):
        if not one.has(_TARGET, one.shape.dev_source):
            raise ModelError(f"{one}: has no dev set to tune a consensus on; train it with --dev")
    if sha256(first.file(_TARGET)) != sha256(other.file(_TARGET)):
        raise ModelError(
            f"{other}: was trained with another dev set than {first}; train both with the same "
            "--dev"
        )
