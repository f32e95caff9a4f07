"""Work on a Dask cluster, or here when there is none.

Dask is loaded when a cluster is asked for, and not before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from dragoman.crew import Crew, Here
from dragoman.progress import SILENT, Progress

if TYPE_CHECKING:
    from distributed import Client

# As a user says it: local:N, the address of a scheduler, its file, or a client; None: no cluster.
ClusterLike: TypeAlias = "str | Client | None"

# Free disk that is asked for before large work begins, when nothing better is known.
LEAST_FREE = 1 << 28


@contextmanager
def crew_for(
    cluster: ClusterLike,
    place: Path,
    *,
    threads: int = 1,
    writing: bool = True,
    free: int = LEAST_FREE,
    progress: Progress = SILENT,
) -> Iterator[Crew]:
    """Who does the work: this process when `cluster` is None, or the workers of a cluster.

    All workers must see `place`: for `writing` a directory, with so many bytes of disk `free`,
    else a file. Workers of local:N are started when there is work that is worth it.
    """
    if cluster is None:
        yield Here(threads)
        return
    from dragoman.cluster.connection import dask_crew

    with dask_crew(cluster, place, progress, threads=threads, writing=writing, free=free) as crew:
        yield crew
