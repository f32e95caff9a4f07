"""Reaching a cluster, or starting one here, and leaving it again."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman.cluster.address import Address
from dragoman.cluster.checks import (
    probe_in,
    require_same_version,
    require_sight,
    require_workers,
)
from dragoman.cluster.crew import DaskCrew
from dragoman.cluster.scheduler import require_scheduler
from dragoman.errors import ClusterError, MissingExtraError, UsageError
from dragoman.progress import Progress

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 15.0
LOCAL = {
    # A worker that has died is started again; on a busy machine that may take longer than the 15 s
    # after which Dask would give it up.
    "distributed.deploy.lost-worker-timeout": "10 minutes",
    # What each process does all the time to watch itself took a fifteenth of a core together.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "10s",
}


@contextmanager
def dask_crew(
    cluster: Any,
    place: Path,
    progress: Progress,
    *,
    threads: int,
    writing: bool,
    free: int,
) -> Iterator[DaskCrew]:
    """The workers of a cluster, which must all see `place`: a directory for `writing`, else a
    file. Those of local:N are started when they get their first work."""
    if importlib.util.find_spec("distributed") is None:
        raise MissingExtraError("working on a cluster", "cluster")
    address = Address.parse(cluster) if isinstance(cluster, str) else None
    with ExitStack() as stack:
        shared = stack.enter_context(probe_in(place)) if writing else place.absolute()

        def connect() -> Client:
            _silence()
            client = stack.enter_context(_connected(cluster if address is None else address))
            require_workers(client)
            require_same_version(client)
            require_sight(client, shared, writing=writing, free=free)
            progress.message(_greeting(client))
            return client

        if address is not None and address.local:
            yield DaskCrew(connect, shared, threads, beside=address.local)
        else:
            client = connect()
            yield DaskCrew(lambda: client, shared, threads)


def _silence() -> None:
    """Dask tells of every worker that comes and goes; what users should know we tell
    ourselves."""
    import distributed  # noqa: F401 - sets up the loggers that are silenced

    for name in [*logging.root.manager.loggerDict]:
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def _connected(cluster: Any) -> Iterator[Client]:
    from distributed import Client

    if isinstance(cluster, Client):  # the user's own, and stays open
        yield cluster
        return
    if not isinstance(cluster, Address):
        raise UsageError(
            f"cluster must be an address or a dask.distributed.Client, not {cluster!r}"
        )
    if cluster.local:
        import dask

        with (
            dask.config.set(LOCAL),
            _local_cluster(cluster.local) as local,
            Client(local, set_as_default=False) as client,
        ):
            yield client
        return
    require_scheduler(cluster, CONNECT_SECONDS)
    try:
        client = Client(cluster.url, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as problem:
        raise ClusterError(f"{cluster}: no connection to the scheduler: {problem}") from problem
    with client:
        yield client


def _local_cluster(workers: int) -> Any:
    """Worker processes on this machine; those that die are started again."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        # Mapped files count as memory of a process, so a limit would stop it for nothing.
        memory_limit=0,
        # Any free port, and nobody but this machine is served.
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )


def _has_dashboard() -> bool:
    return importlib.util.find_spec("bokeh") is not None


def _greeting(client: Client) -> str:
    threads = client.nthreads()
    text = f"cluster: {len(threads)} workers, {sum(threads.values())} threads"
    link = client.dashboard_link if _has_dashboard() else ""
    return f"{text}; {link}" if link else text
