"""Workers, schedulers, disks and networks that fail."""

import resource
import shutil
import subprocess

import pytest
from tests.cluster import works
from tests.cluster.programs import programs
from tests.cluster.trainings import phrasebook, small, small_parts, tree
from tests.cluster.works import parts

from dragoman.cluster import crew_for
from dragoman.cluster.address import Address
from dragoman.cluster.crew import DaskCrew
from dragoman.errors import ClusterError, InputError
from dragoman.training.train import run_training

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
def test_a_scheduler_that_is_lost_and_another_one(tmp_path, monkeypatch):
    """The training stops with one clear message; the same command goes on to the same bytes."""
    small_parts(monkeypatch)
    material = phrasebook(tmp_path / "text", 400)
    run_training(material, tmp_path / "here", small(), threads=1)
    with programs(tmp_path) as cluster:
        scheduler, worker = cluster.scheduler(), cluster.worker("--no-nanny")
        usual, prepared = DaskCrew.run, []

        def watched(self, work, *rest):
            if work.__name__ == "align_part":
                scheduler.kill()
                worker.kill()  # as its nanny or the batch system does
            prepared.append(work.__name__)
            return usual(self, work, *rest)

        monkeypatch.setattr(DaskCrew, "run", watched)

        def train():
            run_training(material, tmp_path / "there", small(), cluster=str(cluster.file))

        with pytest.raises(ClusterError, match="connection to the scheduler was lost"):
            train()
        assert "cut_block" in prepared
        monkeypatch.setattr(DaskCrew, "run", usual)
        cluster.scheduler()
        cluster.worker("--no-nanny")
        train()
    assert tree(tmp_path / "here") == tree(tmp_path / "there")


@pytest.mark.slow
def test_a_worker_that_needs_more_memory_than_it_has(tmp_path):
    """Its nanny kills it, and starts it again."""
    with programs(tmp_path) as cluster:
        cluster.scheduler()
        cluster.worker("--memory-limit", "700MB")
        with crew_for(str(cluster.file), tmp_path) as crew:
            found = crew.run(works.greedy_once, tmp_path / "once", parts(range(6)))
            assert list(found) == [*range(6)]
    assert (tmp_path / "once").exists()


@pytest.mark.slow
def test_a_disk_that_is_full_for_one_worker(tmp_path, monkeypatch):
    """What it cannot write, another one does."""
    small_parts(monkeypatch)
    material = phrasebook(tmp_path / "text", 400)
    run_training(material, tmp_path / "here", small(), threads=1)

    def no_large_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    with programs(tmp_path) as cluster:
        cluster.scheduler()
        poor = cluster.worker("--no-nanny", preexec_fn=no_large_files)
        with crew_for(str(cluster.file), tmp_path) as crew:
            told = r"^number 0: failed 3 times, at last on tcp://.*: .*File too large"
            with pytest.raises(ClusterError, match=told):
                list(crew.run(works.written, tmp_path, parts(range(3))))
        cluster.worker("--no-nanny")
        with crew_for(str(cluster.file), tmp_path) as crew:
            crew.client.wait_for_workers(2, timeout=60)
            assert len(list(crew.run(works.written, tmp_path, parts(range(40))))) == 40
            run_training(material, tmp_path / "there", small(), cluster=crew.client)
        assert poor.poll() is None
    assert tree(tmp_path / "here") == tree(tmp_path / "there")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl to make certificates")
def test_secure_connections(tmp_path):
    import dask

    for name in ("own", "other"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
            + ["-subj", "/CN=localhost", "-keyout", f"{name}.key", "-out", f"{name}.pem"],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )

    def certificates(authority: str) -> dict[str, str]:
        own = {"cert": str(tmp_path / "own.pem"), "key": str(tmp_path / "own.key")}
        found = {f"distributed.comm.tls.client.{name}": value for name, value in own.items()}
        return found | {"distributed.comm.tls.ca-file": str(tmp_path / f"{authority}.pem")}

    files = {"ca-file": "own.pem", "cert": "own.pem", "key": "own.key"}
    options = [x for name, file in files.items() for x in (f"--tls-{name}", str(tmp_path / file))]
    with programs(tmp_path, "--protocol", "tls", *options) as cluster:
        cluster.scheduler()
        cluster.worker("--no-nanny")
        address = Address.parse(str(cluster.file)).url
        assert address.startswith("tls://")
        for wrong, told in (
            (address.replace("tls", "tcp"), "what answers there is no Dask scheduler.* tls://"),
            (address, "no secure connection .no certificates are configured"),
        ):
            with pytest.raises(ClusterError, match=told), crew_for(wrong, tmp_path):
                pass
        with (
            dask.config.set(certificates("other")),
            pytest.raises(ClusterError, match=r"no secure connection .CERTIFICATE_VERIFY_FAILED"),
            crew_for(address, tmp_path),
        ):
            pass
        with dask.config.set(certificates("own")), crew_for(address, tmp_path) as crew:
            assert list(crew.run(works.doubled, 2, parts(range(3)))) == [0, 2, 4]
