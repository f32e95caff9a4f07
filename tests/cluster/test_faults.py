"""Workers, schedulers, disks and networks that fail."""

import contextlib
import subprocess
import sys
import time

import pytest
from tests.cluster import works
from tests.cluster.trainings import ROOT
from tests.cluster.works import parts

from dragoman.cluster import crew_for
from dragoman.errors import ClusterError, InputError

pytest.importorskip("distributed")


def test_a_mistake_of_the_user_is_told_once_and_as_it_is(crew, tmp_path):
    count = tmp_path / "count"
    with pytest.raises(InputError, match=r"^text:3: no number$"):
        list(crew.run(works.refused, count, parts(range(1))))
    assert count.read_text().splitlines() == ["0"]


def test_a_part_that_fails_three_times_is_named(crew, tmp_path):
    count = tmp_path / "count"
    with pytest.raises(
        ClusterError, match=r"^number 5: failed 3 times, at last on tcp://.*No space left"
    ):
        list(crew.run(works.broken, count, parts(iter([5]))))
    assert count.read_text().splitlines() == ["5", "5", "5"]


def test_a_killed_worker_is_replaced_and_nothing_is_lost(crew, tmp_path):
    assert list(crew.run(works.killed_once, tmp_path / "once", parts(range(12)))) == [*range(12)]
    assert (tmp_path / "once").exists()


@pytest.mark.parametrize("fault", [works.full_once, works.paused_once])
def test_one_worker_without_disk_or_without_network(crew, tmp_path, fault):
    assert list(crew.run(fault, tmp_path / "once", parts(range(12)))) == [*range(12)]
    assert (tmp_path / "once").exists()


def test_a_straggler_is_named(crew, monkeypatch):
    monkeypatch.setattr("dragoman.cluster.crew.STRAGGLING_SECONDS", 0.0)
    monkeypatch.setattr("dragoman.cluster.crew._LOOK_SECONDS", 0.05)
    notes = []

    class Watched:
        def advance(self, amount: int = 1) -> None: ...
        def note(self, text: str) -> None:
            notes.append(text)

    assert len(list(crew.run(works.slow_first, 2, parts(range(3)), Watched()))) == 3
    assert any(note.endswith(" s for number 0") for note in notes)


@pytest.mark.slow
def test_a_part_that_kills_every_worker_is_named(crew, tmp_path):
    with pytest.raises(ClusterError, match=r"^number 1: every worker that took it has died"):
        list(crew.run(works.killing, tmp_path, parts(iter([1]))))
    assert list(crew.run(works.doubled, 2, parts(range(3)))) == [0, 2, 4]


@pytest.mark.slow
def test_a_scheduler_that_is_lost(tmp_path):
    """A scheduler and a worker as programs of their own, found through a file."""
    file = tmp_path / "scheduler.json"
    here = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", file]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": ROOT}
    dask = [sys.executable, "-m", "dask"]
    with contextlib.ExitStack() as stack:
        scheduler = stack.enter_context(
            subprocess.Popen([*dask, "scheduler", "--port", "0", *here], **quiet)
        )
        stack.callback(scheduler.kill)
        while not file.exists() or not file.read_text():
            assert scheduler.poll() is None
            time.sleep(0.1)
        worker = stack.enter_context(
            subprocess.Popen([*dask, "worker", "--nthreads", "1", "--no-nanny", *here], **quiet)
        )
        stack.callback(worker.kill)
        with crew_for(str(file), tmp_path) as crew:
            assert list(crew.run(works.doubled, 2, parts(range(3)))) == [0, 2, 4]
            results = crew.run(works.doubled, 2, parts(range(1_000_000)))
            assert next(results) == 0
            scheduler.kill()
            with pytest.raises(ClusterError, match="connection to the scheduler was lost"):
                list(results)
