"""The pipeline: what runs, why, what is skipped, and what a killed run leaves behind."""

import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.errors import DragomanError, FileError, InputError, ModelError, UsageError
from dragoman.layout import STAGING
from dragoman.model.directory import ModelDirectory
from dragoman.training import pipeline
from dragoman.training.config import Config
from dragoman.training.pipeline import Stage
from dragoman.training.plan import Material
from dragoman.training.train import run_training

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Copies:
    times: int = 1


def copy(context):
    text = context.input("text").read_text()
    context.output(context.stage.outputs[0]).write_text(text * context.stage.config.times)


def two_stages(directory, source, times=1):
    return [
        Stage("first", Copies(times), {"text": source}, ("a/first.txt",), copy),
        Stage("second", Copies(1), {"text": directory.file("a/first.txt")}, ("second.txt",), copy),
    ]


@pytest.fixture
def directory(tmp_path):
    return ModelDirectory(tmp_path / "model")


def ran(outcomes):
    return {outcome.stage: outcome.reason for outcome in outcomes if outcome.ran}


def tree(directory):
    return {
        str(path.relative_to(directory.path)): path.read_bytes()
        for path in sorted(directory.path.rglob("*"))
        if path.is_file()
    }


def test_runs_once_then_skips(directory, write):
    stages = two_stages(directory, write("in.txt", "x"))
    assert ran(pipeline.run(directory, stages)) == {
        "first": "has not run yet",
        "second": "has not run yet",
    }
    before = tree(directory)
    assert ran(pipeline.run(directory, stages)) == {}
    assert tree(directory) == before
    assert not (directory.path / STAGING).exists()


def test_a_changed_parameter_is_named(directory, write):
    source = write("in.txt", "x")
    pipeline.run(directory, two_stages(directory, source))
    assert ran(pipeline.run(directory, two_stages(directory, source, times=2))) == {
        "first": "times changed from 1 to 2",
        "second": "input text changed",
    }
    assert directory.file("second.txt").read_text() == "xx"


def test_options_of_another_stage_are_told_by_their_group(directory, write):
    (first, _) = two_stages(directory, write("in.txt", "x"))
    pipeline.run(directory, [first])
    reads_more = replace(first, also={"align": Copies(7)})
    assert ran(pipeline.run(directory, [reads_more])) == {
        "first": "the options of align count now"
    }
    assert ran(pipeline.run(directory, [first])) == {
        "first": "the options of align count no longer"
    }


def test_what_is_no_longer_written_goes(directory, write):
    source = write("in.txt", "x")
    first, second = two_stages(directory, source)
    third = replace(second, name="third", outputs=("b/third.txt",))
    pipeline.run(directory, [first, second, third])
    write("model/own.txt", "somebody else's")
    # A stage with another output, and all there is without a third stage.
    renamed = replace(second, outputs=("b/second.txt",))
    pipeline.run(directory, [first, renamed])
    assert set(tree(directory)) - {".lock", "model.toml"} == {
        *("a/first.txt", "b/second.txt", "b/third.txt", "own.txt")
    }
    pipeline.run(directory, [first, replace(second, name="other")], whole=True)
    assert set(tree(directory)) - {".lock", "model.toml"} == {
        "a/first.txt",
        "own.txt",
        "second.txt",
    }
    assert not directory.file("b").exists()
    # Another stage writes it now.
    pipeline.run(directory, [first, second], whole=True)
    assert directory.file("second.txt").read_text() == "x"


def test_killed_while_old_files_go(directory, write, monkeypatch):
    first, second = two_stages(directory, write("in.txt", "x"))
    pipeline.run(directory, [first, second])
    renamed = replace(second, outputs=("new.txt",))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(ModelDirectory, "write_manifest", killed)
        pipeline.run(directory, [first, renamed])
    assert not directory.file("second.txt").exists()
    again = ModelDirectory(directory.path)
    assert ran(pipeline.run(again, [first, renamed])) == {
        "second": "writes other files than before"
    }
    assert set(tree(again)) - {".lock", "model.toml"} == {"a/first.txt", "new.txt"}


def test_an_equal_result_stops_the_chain(directory, write):
    source = write("in.txt", "")
    pipeline.run(directory, two_stages(directory, source))
    assert list(ran(pipeline.run(directory, two_stages(directory, source, times=2)))) == ["first"]


def test_changed_input_and_missing_or_damaged_output(directory, write):
    stages = two_stages(directory, write("in.txt", "x"))
    pipeline.run(directory, stages)
    directory.file("second.txt").write_text("tampered")
    assert ran(pipeline.run(directory, stages)) == {"second": "output second.txt was changed"}
    directory.file("second.txt").unlink()
    assert ran(pipeline.run(directory, stages)) == {"second": "output second.txt is missing"}
    write("in.txt", "y")
    assert ran(pipeline.run(directory, stages)) == {
        "first": "input text changed",
        "second": "input text changed",
    }


def test_inputs_that_come_and_go(directory, write):
    source = write("in.txt", "x")
    first = two_stages(directory, source)[0]
    pipeline.run(directory, [first])
    more = replace(first, inputs={**first.inputs, "extra": source})
    assert ran(pipeline.run(directory, [more])) == {"first": "new input extra"}
    assert ran(pipeline.run(directory, [first])) == {"first": "input extra is no longer given"}


def test_from_a_stage(directory, write):
    stages = two_stages(directory, write("in.txt", "x"))
    pipeline.run(directory, stages)
    assert ran(pipeline.run(directory, stages, start_from="second")) == {"second": "asked for"}
    with pytest.raises(UsageError, match="no stage 'third'; the stages are first, second"):
        pipeline.run(directory, stages, start_from="third")


def test_dry_run_writes_nothing_and_tells_why(directory, write):
    source = write("in.txt", "x")
    assert ran(pipeline.run(directory, two_stages(directory, source), dry_run=True)) == {
        "first": "has not run yet",
        "second": "uses what first would write",
    }
    assert not directory.path.exists()


def test_a_failing_stage_leaves_the_old_model_whole(directory, write):
    source = write("in.txt", "x")
    pipeline.run(directory, two_stages(directory, source))
    before = tree(directory)

    def fail(context):
        context.output("a/first.txt").write_text("half")
        raise InputError("no good")

    first = Stage("first", Copies(5), {"text": source}, ("a/first.txt",), fail)
    with pytest.raises(InputError, match="no good"):
        pipeline.run(directory, [first])
    assert tree(directory) == before
    assert not (directory.path / STAGING).exists()


def test_a_long_stage_finds_its_notes_again(directory, write):
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
            pipeline.run(directory, [stage(times)])
    pipeline.run(directory, [stage(2)])  # other parameters: the notes do not hold
    assert found == [False, True, False]
    assert not (directory.path / STAGING).exists()


def test_an_undeclared_output_is_refused(directory, write):
    def stray(context):
        context.output("stray.txt")

    stage = Stage("first", Copies(), {"text": write("in.txt", "x")}, ("a.txt",), stray)
    with pytest.raises(KeyError, match="does not declare"):
        pipeline.run(directory, [stage])


def test_a_directory_of_somebody_else_is_not_touched(directory, write):
    directory.path.mkdir()
    (directory.path / "thesis.tex").write_text("years of work")
    with pytest.raises(ModelError, match=r"thesis\.tex"):
        pipeline.run(directory, two_stages(directory, write("in.txt", "x")))


def test_two_processes_do_not_write_at_once(directory, write):
    with (
        directory.created(),
        directory.locked(),
        pytest.raises(DragomanError, match="another dragoman process"),
    ):
        pipeline.run(directory, two_stages(directory, write("in.txt", "x")))


def test_a_training_that_never_began_leaves_nothing_behind(directory, write):
    def fail(context):
        raise FileError("in.txt: No such file or directory")

    never = Stage("first", Copies(), {"text": write("in.txt", "x")}, ("a.txt",), fail)
    with pytest.raises(FileError):
        pipeline.run(directory, [never])
    assert not directory.path.exists()
    directory.path.mkdir()  # the user's own, though empty
    with pytest.raises(FileError):
        pipeline.run(directory, [never])
    assert directory.path.exists()


# Trains in a process of its own that kills itself (SIGKILL) at the given moment of a stage: when
# it asks for its first output, when it has half written its last one, or when the first of its
# outputs has been renamed into the model and the others have not.
KILLER = """
import os, signal, sys
from pathlib import Path
import dragoman
from dragoman import ModelDirectory
from dragoman.training.pipeline import StageContext

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
    if moment == "rename" and ModelDirectory(model).staging(stage_name) in self.parents:
        die()
    return result

StageContext.output, Path.replace = output, replace
dragoman.train((source, target), model, source_language="en", target_language="fr", threads=2)
"""


def train(paths, model, threads=None):
    config = Config(prepare=PrepareConfig(source_language="en", target_language="fr"))
    return run_training(Material([ParallelFile.plain(*paths)]), model, config, threads=threads)


@pytest.fixture(scope="module")
def phrasebook(tmp_path_factory):
    """A small corpus, and the stages and bytes of a model trained on it without interruption."""
    place = tmp_path_factory.mktemp("phrasebook")
    examples = Path(__file__).resolve().parents[2] / "examples" / "phrasebook"
    paths = []
    for language in ("en", "fr"):
        lines = (examples / f"train.{language}").read_text("utf-8").splitlines(keepends=True)
        paths.append(place / f"train.{language}")
        paths[-1].write_text("".join(lines[:300]), "utf-8")
    outcomes = train(paths, place / "whole")
    return paths, [outcome.stage for outcome in outcomes], tree(ModelDirectory(place / "whole"))


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
        outcomes = train(paths, model, threads=1)
        assert stage in ran(outcomes)
        assert tree(ModelDirectory(model)) == expected
        # Whatever had been finished before was not done again.
        earlier = stages[: stages.index(stage)]
        assert not set(earlier) & set(ran(outcomes))
