"""One model, wherever it is made and used: every file of it has the same bytes."""

import contextlib
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cluster import works
from tests.cluster.trainings import ROOT, phrasebook, small, small_parts, tree

import dragoman
from dragoman.cluster.crew import DaskCrew
from dragoman.crew import Crew, Here
from dragoman.errors import InputError
from dragoman.layout import CLASS_MODEL, WORD_CLASSES
from dragoman.learning.joint.config import JointConfig
from dragoman.lm.estimate import estimate
from dragoman.model.directory import ModelDirectory
from dragoman.report.sweep import Sweep
from dragoman.report.sweep_measure import DevMeasure
from dragoman.search.options import SearchOptions
from dragoman.training.train import run_training, run_tuning

pytest.importorskip("distributed")


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


def test_translation_goes_on_when_a_worker_is_killed(trained, crew, tmp_path, monkeypatch):
    """In order, nothing missing and nothing twice."""
    monkeypatch.setattr("dragoman.translation.job.BATCH", 8)
    text = (ROOT / "examples" / "phrasebook" / "test.en").read_text("utf-8").splitlines()[:320]
    usual, killed = DaskCrew.run, []

    def watched(self, *work):
        for number, found in enumerate(usual(self, *work)):
            if number in (3, 20):
                killed.append(min(self.client.run(os.getpid).values()))
                os.kill(killed[-1], signal.SIGKILL)
            yield found

    monkeypatch.setattr(DaskCrew, "run", watched)
    here = translated(trained, text, Here(), tmp_path / "here")
    assert here == translated(trained, text, crew, tmp_path / "there")
    assert len(set(killed)) == 2


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
    assert {CLASS_MODEL, WORD_CLASSES} < here.keys()
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


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_any_number_of_workers_makes_the_same_model(tmp_path, monkeypatch, workers):
    """Of one's own, started for the command."""
    material = phrasebook(tmp_path / "text", 400)
    run_training(material, tmp_path / "here", small(), threads=1)
    small_parts(monkeypatch)
    run_training(material, tmp_path / "there", small(), threads=2, cluster=f"local:{workers}")
    assert tree(tmp_path / "here") == tree(tmp_path / "there")


@pytest.mark.parametrize("changes", [{"folds": 3}, {"folds": 1, "sparse": True, "rules": "unite"}])
def test_joint_training_is_the_same(crew, tmp_path, monkeypatch, changes):
    """Batches are cut, too; what a part of forced decoding found before an interruption is not
    looked for again."""
    monkeypatch.setattr("dragoman.learning.joint.learner.PAIRS_AT_ONCE", 100)
    monkeypatch.setattr("dragoman.learning.joint.learner.LESSON", 24)
    material = phrasebook(tmp_path / "text", 300)
    joint = JointConfig(max_iterations=2, batch=60, max_words=9, **changes)
    config = replace(small(), method="joint", joint=joint)
    run_training(material, tmp_path / "here", config, threads=2)
    small_parts(monkeypatch)
    spread = []
    usual = DaskCrew.run

    def watched(self, work, tool, parts, task=None):
        parts = list(parts)
        spread.extend(work.__name__ for _ in parts)
        for found in usual(self, work, tool, parts, task):
            yield found
            if work.__name__ == "find_rules" and works.interrupted_once(tmp_path):
                raise KeyboardInterrupt

    monkeypatch.setattr(DaskCrew, "run", watched)
    there = tmp_path / "there"
    with pytest.raises(KeyboardInterrupt):
        run_training(material, there, config, threads=1, cluster=crew.client)
    first = spread.count("find_rules")
    run_training(material, there, config, threads=1, cluster=crew.client)
    assert tree(tmp_path / "here") == tree(there)
    assert {"find_rules", "translate_lines"} < set(spread)
    assert ("learn_from" in spread) != joint.sparse
    assert ("write_fold" in spread) == (joint.folds > 1)
    # Each part once in both rounds, and in the first again those that were not done.
    assert 2 * first <= spread.count("find_rules") < 3 * first


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
