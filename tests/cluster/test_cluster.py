"""Work on real Dask schedulers and workers, as processes on the loopback interface."""

import contextlib
import importlib.metadata
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.cluster import works
from tests.cluster.works import parts

from dragoman.cluster import crew_for
from dragoman.cluster.address import Address
from dragoman.crew import Effort, Here
from dragoman.errors import ClusterError, UsageError

pytest.importorskip("distributed")

ROOT = Path(__file__).resolve().parents[2]


# Where a cluster is.


@pytest.mark.parametrize("text", ["local:3", "tcp://10.0.0.1:8786", "tls://host:1"])
def test_addresses_are_told_as_they_were_given(text):
    assert str(Address.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["local:0", "local:", "local:two", "local:-1", "local:9999", "host", "missing.json"]
)
def test_addresses_that_are_none(text):
    with pytest.raises(UsageError, match=text):
        Address.parse(text)


def test_a_scheduler_file_is_an_address(write):
    path = write("scheduler.json", '{"address": "tcp://10.0.0.1:8786"}')
    assert Address.parse(str(path)) == Address(url="tcp://10.0.0.1:8786", file=path)


@pytest.mark.parametrize("content", ['{"id": 1}', "[]", "x", b"\xff"])
def test_a_file_that_no_scheduler_wrote(write, content):
    path = write("scheduler.json", content)
    with pytest.raises(UsageError, match="not a file that a Dask scheduler wrote"):
        Address.parse(str(path))


def test_nobody_answers(tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.cluster.connection.CONNECT_SECONDS", 0.3)
    with (
        pytest.raises(ClusterError, match=r"tcp://127.0.0.1:9: no Dask scheduler answers"),
        crew_for("tcp://127.0.0.1:9", tmp_path),
    ):
        pass


@pytest.mark.parametrize("said", [b"", b"SSH-2.0-OpenSSH_9.2\r\n", b"short"])
def test_somebody_else_answers(tmp_path, monkeypatch, said):
    """As the dashboard, which waits to be asked; Dask's client would wait without end."""
    monkeypatch.setattr("dragoman.cluster.connection.CONNECT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"

        def answer() -> None:
            with contextlib.suppress(OSError):
                connection, _ = server.accept()
                with connection:
                    connection.sendall(said)
                    connection.recv(1)

        thread = threading.Thread(target=answer)
        thread.start()
        with (
            pytest.raises(ClusterError, match=f"^{address}: what answers there is no Dask"),
            crew_for(address, tmp_path),
        ):
            pass
        thread.join()


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://127.0.0.1:8787", "unknown address scheme 'http'"),
        ("tcp://127.0.0.1", "missing port number"),
        ("tcp://127.0.0.1:dask", "no Dask scheduler answers there"),
        ("tcp://nobody.invalid:8786", "no Dask scheduler answers there"),
    ],
)
def test_addresses_that_lead_nowhere(tmp_path, address, told):
    with pytest.raises(ClusterError, match=f"^{address}: .*{told}"), crew_for(address, tmp_path):
        pass


def test_a_secure_address_without_certificates(tmp_path, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tls://127.0.0.1:{server.getsockname()[1]}"
        told = f"^{address}: no secure connection .no certificates .*distributed.comm.tls"
        with pytest.raises(ClusterError, match=told), crew_for(address, tmp_path):
            pass


def test_what_is_no_cluster(tmp_path):
    with pytest.raises(UsageError, match="must be an address"), crew_for(3, tmp_path):  # type: ignore[arg-type]
        pass


# Parts and their order.


def test_results_come_in_the_order_of_the_parts(crew):
    found = list(crew.run(works.slow_first, 2, parts(range(40))))
    assert found == list(Here().run(works.slow_first, 2, parts(range(40)))) == [*range(0, 80, 2)]


def test_nothing_to_do(crew):
    assert list(crew.run(works.doubled, 2, parts(range(0)))) == []


def test_both_workers_work(crew):
    found = crew.run(works.named, ["x"] * 64, parts(range(64)))
    assert len({line.split()[1] for line in found}) == 2
    assert str(os.getpid()) not in {deed.worker for deed in crew.deeds}


def test_what_travels_is_counted(crew):
    crew.deeds.clear()
    assert list(crew.run(works.doubled, 2, parts(range(3)))) == [0, 2, 4]
    assert [deed.part for deed in crew.deeds] == ["number 0", "number 1", "number 2"]
    assert all(deed.work == "doubled" and deed.sent > 0 < deed.received for deed in crew.deeds)
    assert all(deed.begin <= deed.end and deed.peak_memory > 0 for deed in crew.deeds)


# Who is fit.


def test_workers_with_another_version_are_refused(place, crew, monkeypatch):
    monkeypatch.setattr("dragoman.cluster.checks.own_version", lambda: "0.0.7")
    here = importlib.metadata.version("dragoman")
    with (
        pytest.raises(ClusterError, match=f"has Dragoman {here}, this machine 0.0.7"),
        crew_for(crew.client, place),
    ):
        pass


def test_a_worker_that_came_later_is_looked_at_too(crew, monkeypatch):
    monkeypatch.setattr(crew, "_version", "0.0.7")
    with pytest.raises(ClusterError, match=r"number 0: .*it has Dragoman .*, not 0\.0\.7"):
        list(crew.run(works.doubled, 2, parts(range(1))))


def test_a_place_that_workers_do_not_see(crew, place, monkeypatch):
    monkeypatch.setattr(crew, "_shared", "/nowhere/probe")
    with pytest.raises(ClusterError, match="does not see /nowhere"):
        list(crew.run(works.doubled, 2, parts(range(1))))


def test_too_little_disk(crew, place):
    with (
        pytest.raises(ClusterError, match="of disk free .* make room"),
        crew_for(crew.client, place, free=1 << 60),
    ):
        pass


def test_nothing_is_left_behind(crew, place):
    with crew_for(crew.client, place / "not yet" / "there"):
        probes = [path.name for path in place.iterdir()]
        assert len(probes) == 2  # that of the module's crew, and ours
    assert len([*place.iterdir()]) == 1


# Who is suited.

PYTHON, THREADED = Effort(1.0, threaded=False), Effort(1.0, threaded=True)


def test_little_work_stays_and_starts_nobody(place, monkeypatch):
    monkeypatch.undo()
    with crew_for("local:2", place, threads=3) as found:
        assert not found.suited(10 * PYTHON).elsewhere
        assert found.suited(10 * PYTHON).threads == 3
        assert found.suited(100 * PYTHON) is found
        assert "client" not in vars(found)


@pytest.mark.parametrize(("workers", "sent"), [(1, False), (3, False), (4, True)])
def test_processes_beside_threads_get_what_threads_cannot_do(place, monkeypatch, workers, sent):
    monkeypatch.undo()
    with crew_for(f"local:{workers}", place, threads=3) as found:
        assert found.suited(1000 * THREADED).elsewhere == sent
        assert found.suited(1000 * PYTHON) is found
        monkeypatch.setattr("dragoman.cluster.crew.SEND_ALL", True)
        assert found.suited(0.1 * THREADED) is found
        assert "client" not in vars(found)


def test_those_who_run_take_less_and_whatever_it_is(place, crew, monkeypatch):
    monkeypatch.undo()
    with crew_for(crew.client, place, threads=64) as found:
        assert found.suited(10 * PYTHON) is found
        assert found.suited(10 * THREADED) is found
        assert not found.suited(0.1 * PYTHON).elsewhere


def test_dask_is_loaded_when_it_is_needed():
    code = (
        "import sys, dragoman, dragoman.cli.main, dragoman.cluster, dragoman.training.train;"
        "sys.exit(any(name.split('.')[0] in ('dask', 'distributed') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
