"""Before anything starts: are the workers fit for the work?"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman.cluster.worker import Fitness, look, own_version
from dragoman.errors import ClusterError, FileError
from dragoman.files import sha256

if TYPE_CHECKING:
    from distributed import Client

# A cluster that is being allocated needs a while to get its first worker.
WAIT_SECONDS = 120.0


def require_workers(client: Client, seconds: float = WAIT_SECONDS) -> None:
    """Wait for the first worker."""
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError as problem:
        raise ClusterError(
            f"the scheduler at {client.scheduler.address} has had no worker for {seconds:.0f} s; "
            "start some with 'dask worker', or ask your batch system why it has not"
        ) from problem


def require_same_version(client: Client) -> None:
    """Every worker must have the package, and the same one as the caller."""
    wanted = own_version()
    # A function of the standard library: a worker without the package can run it too.
    found: dict[str, Any] = client.run(importlib.metadata.version, "dragoman", on_error="return")
    for worker, version in sorted(found.items()):
        if isinstance(version, importlib.metadata.PackageNotFoundError):
            raise ClusterError(
                f"worker {worker} does not have Dragoman: install {wanted} there (the same "
                "environment on every machine is the safest way)"
            )
        if version != wanted:
            raise ClusterError(
                f"worker {worker} has Dragoman {version}, this machine {wanted}: install the same "
                "version on both"
            )


def require_sight(client: Client, shared: Path, *, writing: bool, free: int) -> None:
    """Every worker must see `shared` as the caller does and, for `writing`, be able to write
    beside it, with so many bytes of disk free."""
    found: Mapping[str, Fitness] = client.run(look, str(shared), sha256(shared), writing)
    for worker, fitness in sorted(found.items()):
        if fitness.problem:
            raise ClusterError(
                f"worker {worker} cannot use {shared.parent} ({fitness.problem}): the model "
                "directory must lie on a file system that all workers share, under the same path"
            )
        if writing and fitness.free < free:
            raise ClusterError(
                f"worker {worker} has {fitness.free / 2**30:.1f} GiB of disk free for "
                f"{shared.parent}; the work may need {free / 2**30:.1f} GiB: make room, or put "
                "the model elsewhere"
            )


@contextmanager
def probe_in(directory: Path) -> Iterator[Path]:
    """A small file in `directory`, or where that will be made, for workers to look at."""
    place = directory.absolute()
    while not place.is_dir():
        place = place.parent
    probe = place / f".dragoman-probe-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    try:
        probe.write_text(uuid.uuid4().hex, "utf-8")
    except OSError as problem:
        raise FileError.of(problem, probe) from problem
    try:
        yield probe
    finally:
        with contextlib.suppress(OSError):
            probe.unlink(missing_ok=True)
