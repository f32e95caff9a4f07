"""The pipeline: what runs, why, what is skipped, and what a killed run leaves behind."""

import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from dragoman.errors import DragomanError, InputError, ModelError, UsageError
from dragoman.files import written_whole
from dragoman.model.directory import MANIFEST, STAGING, Workspace
from dragoman.training import pipeline
from dragoman.training.pipeline import Stage
from dragoman.training.train import train


@dataclass(frozen=True)
class Copies:
    times: int = 1


def copy(context):
    text = context.input("text").read_text()
    context.output(context.stage.outputs[0]).write_text(text * context.stage.config.times)


def two_stages(workspace, source, times=1):
    return [
        Stage("first", Copies(times), {"text": source}, ("a/first.txt",), copy),
        Stage("second", Copies(1), {"text": workspace.file("a/first.txt")}, ("second.txt",), copy),
    ]


@pytest.fixture
def workspace(tmp_path):
    return Workspace(tmp_path / "model")


def ran(outcomes):
    return {outcome.stage: outcome.reason for outcome in outcomes if outcome.ran}


def tree(workspace):
    return {
        str(path.relative_to(workspace.path)): path.read_bytes()
        for path in sorted(workspace.path.rglob("*"))
        if path.is_file()
    }


def test_runs_once_then_skips(workspace, write):
    stages = two_stages(workspace, write("in.txt", "x"))
    assert ran(pipeline.run(workspace, stages)) == {
        "first": "has not run yet",
        "second": "has not run yet",
    }
    before = tree(workspace)
    assert ran(pipeline.run(workspace, stages)) == {}
    assert tree(workspace) == before
    assert not (workspace.path / STAGING).exists()


def test_a_changed_parameter_is_named(workspace, write):
    source = write("in.txt", "x")
    pipeline.run(workspace, two_stages(workspace, source))
    assert ran(pipeline.run(workspace, two_stages(workspace, source, times=2))) == {
        "first": "times changed from 1 to 2",
        "second": "input text changed",
    }
    assert workspace.file("second.txt").read_text() == "xx"


def test_an_equal_result_stops_the_chain(workspace, write):
    source = write("in.txt", "")
    pipeline.run(workspace, two_stages(workspace, source))
    assert list(ran(pipeline.run(workspace, two_stages(workspace, source, times=2)))) == ["first"]


def test_changed_input_and_missing_or_damaged_output(workspace, write):
    stages = two_stages(workspace, write("in.txt", "x"))
    pipeline.run(workspace, stages)
    workspace.file("second.txt").write_text("tampered")
    assert ran(pipeline.run(workspace, stages)) == {"second": "output second.txt was changed"}
    workspace.file("second.txt").unlink()
    assert ran(pipeline.run(workspace, stages)) == {"second": "output second.txt is missing"}
    write("in.txt", "y")
    assert ran(pipeline.run(workspace, stages)) == {
        "first": "input text changed",
        "second": "input text changed",
    }


def test_inputs_that_come_and_go(workspace, write):
    source = write("in.txt", "x")
    first = two_stages(workspace, source)[0]
    pipeline.run(workspace, [first])
    more = replace(first, inputs={**first.inputs, "extra": source})
    assert ran(pipeline.run(workspace, [more])) == {"first": "new input extra"}
    assert ran(pipeline.run(workspace, [first])) == {"first": "input extra is no longer given"}


def test_from_a_stage(workspace, write):
    stages = two_stages(workspace, write("in.txt", "x"))
    pipeline.run(workspace, stages)
    assert ran(pipeline.run(workspace, stages, start_from="second")) == {"second": "asked for"}
    with pytest.raises(UsageError, match="no stage 'third'; the stages are first, second"):
        pipeline.run(workspace, stages, start_from="third")


def test_dry_run_writes_nothing_and_tells_why(workspace, write):
    source = write("in.txt", "x")
    assert ran(pipeline.run(workspace, two_stages(workspace, source), dry_run=True)) == {
        "first": "has not run yet",
        "second": "uses what first would write",
    }
    assert not workspace.path.exists()


def test_a_failing_stage_leaves_the_old_model_whole(workspace, write):
    source = write("in.txt", "x")
    pipeline.run(workspace, two_stages(workspace, source))
    before = tree(workspace)

    def fail(context):
        context.output("a/first.txt").write_text("half")
        raise InputError("no good")

    first = Stage("first", Copies(5), {"text": source}, ("a/first.txt",), fail)
    with pytest.raises(InputError, match="no good"):
        pipeline.run(workspace, [first])
    assert tree(workspace) == before
    assert not (workspace.path / STAGING).exists()


def test_a_long_stage_finds_its_notes_again(workspace, write):
    source = write("in.txt", "x")
    found = []

    def slow(context):
        notes = context.resume() / "notes"
        found.append(notes.exists())
        notes.write_text("half way")
        if len(found) in (1, 2):
            raise KeyboardInterrupt
        context.output("a.txt").write_text("done")

    def stage(times):
        return Stage("slow", Copies(times), {"text": source}, ("a.txt",), slow)

    for times in (1, 1):
        with pytest.raises(KeyboardInterrupt):
            pipeline.run(workspace, [stage(times)])
    pipeline.run(workspace, [stage(2)])  # other parameters: the notes do not hold
    assert found == [False, True, False]
    assert not (workspace.path / STAGING).exists()


def test_an_undeclared_output_is_refused(workspace, write):
    def stray(context):
        context.output("stray.txt")

    stage = Stage("first", Copies(), {"text": write("in.txt", "x")}, ("a.txt",), stray)
    with pytest.raises(KeyError, match="does not declare"):
        pipeline.run(workspace, [stage])


def test_a_directory_of_somebody_else_is_not_touched(workspace, write):
    workspace.path.mkdir()
    (workspace.path / "thesis.tex").write_text("years of work")
    with pytest.raises(ModelError, match=r"thesis\.tex"):
        pipeline.run(workspace, two_stages(workspace, write("in.txt", "x")))


def test_two_processes_do_not_write_at_once(workspace, write):
    workspace.create()
    with workspace.locked(), pytest.raises(DragomanError, match="another dragoman process"):
        pipeline.run(workspace, two_stages(workspace, write("in.txt", "x")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = 999\n[stages]\n", "model format version 999"),
        ("[stages]\n", "model format version None"),
        ("format = 1\nstages = 3\n", "damaged"),
        ("format = 1\n[stages.first]\nparameters = 1\n", "damaged"),
        ("format = 1\n[[[", "damaged"),
    ],
)
def test_a_foreign_or_damaged_manifest_says_so(workspace, text, message):
    workspace.path.mkdir()
    (workspace.path / MANIFEST).write_text(text)
    with pytest.raises(ModelError, match=message):
        workspace.read_manifest()


def test_written_whole_leaves_the_old_file_on_failure(tmp_path):
    path = tmp_path / "f"
    path.write_text("old")
    with pytest.raises(RuntimeError), written_whole(path) as temporary:
        temporary.write_text("new")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


# Trains in a process of its own that kills itself (SIGKILL) at the given moment of a stage: when
# it asks for its first output, when it has half written its last one, or when the first of its
# outputs has been renamed into the model and the others have not.
KILLER = """
import os, signal, sys
from pathlib import Path
from dragoman.training.pipeline import StageContext, Workspace
from dragoman.training.train import train

moment, stage_name, source, target, model = sys.argv[1:]
get_output, rename = StageContext.output, Path.replace

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def output(self, name):
    path = get_output(self, name)
    if self.stage.name == stage_name:
        if moment == "begin":
            die()
        if moment == "middle" and name == self.stage.outputs[-1]:
            path.write_bytes(b"half")
            die()
    return path

def replace(self, other):
    result = rename(self, other)
    if moment == "rename" and Workspace(model).staging(stage_name) in self.parents:
        die()
    return result

StageContext.output, Path.replace = output, replace
train(source, target, model, source_language="en", target_language="fr", threads=2)
"""


@pytest.fixture(scope="module")
def phrasebook(tmp_path_factory):
    """A small corpus, and the stages and bytes of a model trained on it without interruption."""
    directory = tmp_path_factory.mktemp("phrasebook")
    examples = Path(__file__).resolve().parents[1] / "examples" / "phrasebook"
    paths = []
    for language in ("en", "fr"):
        lines = (examples / f"train.{language}").read_text("utf-8").splitlines(keepends=True)
        paths.append(directory / f"train.{language}")
        paths[-1].write_text("".join(lines[:300]), "utf-8")
    outcomes = train(*paths, directory / "whole", source_language="en", target_language="fr")
    return paths, [outcome.stage for outcome in outcomes], tree(Workspace(directory / "whole"))


@pytest.mark.parametrize("moment", ["begin", "middle", "rename"])
def test_killed_at_any_stage_it_resumes_to_the_same_bytes(phrasebook, tmp_path, moment):
    paths, stages, expected = phrasebook
    for stage in stages:
        model = tmp_path / stage
        killed = subprocess.run(
            [sys.executable, "-c", KILLER, moment, stage, *map(str, paths), str(model)],
            check=False,
        )
        assert killed.returncode == -signal.SIGKILL
        outcomes = train(*paths, model, source_language="en", target_language="fr", threads=1)
        assert stage in ran(outcomes)
        assert tree(Workspace(model)) == expected
        # Whatever had been finished before was not done again.
        earlier = stages[: stages.index(stage)]
        assert not set(earlier) & set(ran(outcomes))
