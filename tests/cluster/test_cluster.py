"""Work on real Dask schedulers and workers, as processes on the loopback interface."""

import contextlib
import hashlib
import importlib.metadata
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cluster import works

import dragoman
from dragoman.alignment.config import AlignConfig
from dragoman.cluster import crew_for
from dragoman.cluster.address import Address
from dragoman.cluster.crew import DaskCrew
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.crew import Crew, Here, Part
from dragoman.errors import ClusterError, InputError, UsageError
from dragoman.lm.estimate import estimate
from dragoman.model.directory import ModelDirectory
from dragoman.report.sweep import Sweep
from dragoman.report.sweep_measure import DevMeasure
from dragoman.search.options import SearchOptions
from dragoman.training.config import Config
from dragoman.training.plan import Material
from dragoman.training.train import run_training, run_tuning
from dragoman.tuning.config import TuneConfig

pytest.importorskip("distributed")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def crew(place: Path) -> Iterator[DaskCrew]:
    with crew_for("local:2", place) as found:
        assert isinstance(found, DaskCrew)
        yield found


@pytest.fixture(autouse=True)
def everything_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work goes to the workers, too."""
    monkeypatch.setattr("dragoman.cluster.crew.START_SECONDS", 0.0)
    monkeypatch.setattr("dragoman.cluster.crew.RUNNING_SECONDS", 0.0)


def parts(numbers: Iterator[int] | range) -> Iterator[Part[int]]:
    return (Part(f"number {number}", number) for number in numbers)


def tree(directory: Path) -> dict[str, str]:
    """Every file that a model has, by its hash."""
    return {
        path.relative_to(directory).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name not in (".lock", "cluster.html")
    }


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


# Faults.


def test_a_mistake_of_the_user_is_told_once_and_as_it_is(crew, tmp_path):
    count = tmp_path / "count"
    with pytest.raises(InputError, match=r"^text:3: no number$"):
        list(crew.run(works.refused, count, parts(range(1))))
    assert count.read_text().splitlines() == ["0"]


def test_a_part_that_fails_three_times_is_named(crew, tmp_path):
    count = tmp_path / "count"
    with pytest.raises(ClusterError, match=r"^number 5: failed 3 times.*No space left"):
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
    with pytest.raises(ClusterError, match=r"number 0: .*not 0\.0\.7"):
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


# One model, wherever it is made and used.


def translated(model: Path, lines: list[str], crew: Crew, place: Path) -> dict[str, bytes]:
    from dragoman.translation.job import Job, run
    from dragoman.translation.translator import Translator

    place.mkdir()
    (place / "in").write_bytes("".join(f"{line}\n" for line in lines).encode() + b"\xff\n")
    translator = Translator.open(model)
    job = Job(
        place / "in",
        place / "out",
        translator.demands(terms={"station": "halte"}, corrections=True),
        nbest=3,
        nbest_file=place / "nbest",
        trace=place / "trace",
        graph=place / "graph",
    )
    totals = run(translator, job, crew)
    assert totals.sentences == len(lines) + 1
    return {name: (place / name).read_bytes() for name in ("out", "nbest", "trace", "graph")}


def test_translation_is_the_same_and_in_order(trained, crew, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("dragoman.translation.job.BATCH", 8)
    text = (ROOT / "examples" / "phrasebook" / "test.en").read_text("utf-8").splitlines()[:60]
    here = translated(trained, text, Here(), tmp_path / "here")
    warned = capsys.readouterr().err
    assert here == translated(trained, text, crew, tmp_path / "there")
    assert "61: not UTF-8" in warned
    assert capsys.readouterr().err.replace("there", "here") == warned


def test_a_program_of_its_own(trained, run, tmp_path):
    text = "Where is the station?\nGood morning.\n"
    here = run("translate", trained, input=text)
    there = run("translate", trained, "--cluster", "local:1", input=text)
    assert (there.returncode, there.stdout) == (0, here.stdout)
    assert "cluster: 1 workers" in there.stderr


def test_tuning_is_the_same(trained, crew, tmp_path):
    import shutil

    models = [tmp_path / "here", tmp_path / "there"]
    for model in models:
        shutil.copytree(trained, model)
    run_tuning(models[0], threads=1)
    run_tuning(models[1], threads=1, cluster=crew.client)
    assert tree(models[0]) == tree(models[1])


def phrasebook(place: Path, pairs: int) -> Material:
    place.mkdir()
    for language in ("en", "fr"):
        text = (ROOT / "examples" / "phrasebook" / f"train.{language}").read_text("utf-8")
        (place / language).write_text("".join(text.splitlines(keepends=True)[:pairs]), "utf-8")
    return Material([ParallelFile.plain(place / "en", place / "fr")])


def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that little text has many."""
    monkeypatch.setattr("dragoman.alignment.parts.PART", 128)
    monkeypatch.setattr("dragoman.training.stages.cutting.BLOCK", 100)
    monkeypatch.setattr("dragoman.rules.parts.PAIRS", 150)
    monkeypatch.setattr("dragoman.rules.parts.PARTITIONS", 1)
    monkeypatch.setattr("dragoman.lm.texts.SENTENCES", 250)
    monkeypatch.setattr("dragoman.rules.bilingual.SENTENCES", 250)


def small(tune: bool = False) -> Config:
    rounds = 2 if tune else 1
    return Config(
        prepare=PrepareConfig(
            source_language="en", target_language="fr", dev_size=20, test_size=20
        ),
        align=AlignConfig(model1_iterations=2, hmm_iterations=2),
        tune=TuneConfig(max_iterations=rounds),
    )


def test_training_is_the_same(crew, tmp_path, monkeypatch):
    material = phrasebook(tmp_path / "text", 700)
    run_training(material, tmp_path / "here", small(), threads=1)
    small_parts(monkeypatch)
    spread = set()
    usual = DaskCrew.run

    def watched(self, work, *rest):
        spread.add(work.__name__)
        return usual(self, work, *rest)

    monkeypatch.setattr(DaskCrew, "run", watched)
    run_training(material, tmp_path / "there", small(), threads=1, cluster=crew.client)
    run_training(material, tmp_path / "spilt", small(), threads=2, memory=1 << 16)
    here = tree(tmp_path / "here")
    assert here == tree(tmp_path / "there") == tree(tmp_path / "spilt")
    told = (tmp_path / "there" / "cluster.html").read_text("utf-8")
    assert not (tmp_path / "here" / "cluster.html").exists()
    assert all(name.strip("_").replace("_", " ") in told for name in spread)
    assert spread == {
        *("cut_block", "case_block"),
        *("find_word_pairs", "number_word_pairs", "sweep_part", "align_part"),
        *("collect_words", "count_ngrams"),
        *("extract_part", "count_part", "total_part", "score_part"),
        *("_write_model1_table", "write_tokens"),
        "_nbest_lists",
    }


def test_hierarchical_rules_are_the_same(crew, tmp_path, monkeypatch):
    material = phrasebook(tmp_path / "text", 500)
    config = replace(small(), model="hiero")
    run_training(material, tmp_path / "here", config, threads=1)
    small_parts(monkeypatch)
    run_training(material, tmp_path / "there", config, threads=1, cluster=crew.client)
    assert tree(tmp_path / "here") == tree(tmp_path / "there")


def test_a_language_model_from_files(crew, tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.lm.texts.SPOOLED", 10_000)
    text = ROOT / "examples" / "phrasebook" / "train.en"
    estimate([text, text], tmp_path / "here")
    estimate([text, text], tmp_path / "there", cluster=crew.client)
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "there"]


def test_alignment_from_python(crew, tmp_path, monkeypatch):
    small_parts(monkeypatch)
    monkeypatch.chdir(tmp_path)
    sides = [
        (ROOT / "examples" / "phrasebook" / f"train.{side}").read_text("utf-8").lower().split("\n")
        for side in ("en", "fr")
    ]
    source, target = (side[:300] for side in sides)
    here = dragoman.align(source, target)
    there = dragoman.align(source, target, cluster=crew.client)
    assert (here.array == there.array).all() and (here.offsets == there.offsets).all()
    assert not [*tmp_path.iterdir()]
    with pytest.raises(InputError, match="300 source sentences but 299 target sentences"):
        dragoman.align(source, target[1:], cluster=crew.client)


def test_the_command_for_language_models(run, tmp_path):
    """So little text stays with the caller, and nobody is started."""
    text = ROOT / "examples" / "phrasebook" / "train.en"
    here = run("lm", "estimate", text, "-o", tmp_path / "here")
    there = run("lm", "estimate", text, "-o", tmp_path / "there", "--cluster", "local:2")
    assert (there.returncode, there.stdout) == (0, here.stdout)
    assert "workers" not in there.stderr
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_a_sweep_measures_the_same(trained, crew, tmp_path, monkeypatch):
    dev = tuple(ROOT / "examples" / "phrasebook" / f"test.{side}" for side in ("en", "fr"))
    measure = DevMeasure.of(ModelDirectory.open(trained), dev, sentences=20)
    found = [
        Sweep(measure, SearchOptions(), who).run(("early",), max_points=4) for who in (None, crew)
    ]
    here, there = ([replace(one, ms_per_word=0.0) for one in points] for points in found)
    assert len(here) == 4
    assert here == there


# Little work.


def test_little_work_stays_and_starts_nobody(place, tmp_path, monkeypatch):
    monkeypatch.undo()
    with crew_for("local:2", place, threads=3) as found:
        assert not found.suited(10.0).elsewhere
        assert found.suited(10.0).threads == 3
        assert found.suited(100.0) is found
        assert "client" not in vars(found)


def test_those_who_run_take_less(place, crew, monkeypatch):
    monkeypatch.undo()
    with crew_for(crew.client, place) as found:
        assert found.suited(10.0) is found
        assert not found.suited(0.1).elsewhere


@pytest.mark.slow
@pytest.mark.torture
def test_training_with_a_worker_killed_at_five_moments(tmp_path, monkeypatch):
    import random
    import threading

    from distributed import Client, LocalCluster

    small_parts(monkeypatch)
    material = phrasebook(tmp_path / "text", 1500)
    run_training(material, tmp_path / "here", small(tune=True), threads=1)
    cluster = LocalCluster(
        n_workers=3,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
    )
    ended = threading.Event()
    killed = []
    moments = random.Random(26)

    def kill() -> None:
        while len(killed) < 5 and not ended.wait(moments.uniform(0.5, 2.0)):
            workers = [one.process.pid for one in cluster.workers.values() if one.process]
            if workers:
                killed.append(moments.choice(workers))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(killed[-1], signal.SIGKILL)

    with cluster, Client(cluster) as client:
        killer = threading.Thread(target=kill)
        killer.start()
        try:
            run_training(material, tmp_path / "there", small(tune=True), cluster=client)
            rounds = 0
            while len(killed) < 5 and rounds < 20:  # training may be over sooner
                rounds += 1
                run_training(
                    material,
                    tmp_path / "there",
                    small(tune=True),
                    start_from="prepare",
                    cluster=client,
                )
        finally:
            ended.set()
            killer.join()
    assert len(killed) == 5
    assert tree(tmp_path / "here") == tree(tmp_path / "there")


def test_dask_is_loaded_when_it_is_needed():
    code = (
        "import sys, dragoman, dragoman.cli.main, dragoman.cluster, dragoman.training.train;"
        "sys.exit(any(name.split('.')[0] in ('dask', 'distributed') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
