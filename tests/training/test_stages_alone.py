"""Stages are functions of what they declare: each runs with nothing else there, and runs again
exactly when something it reads has changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.doors.kinds import TUNE, config_of, material

from dragoman.cli.summary import print_scores
from dragoman.files import sha256
from dragoman.layout import SEARCH, WEIGHTS
from dragoman.model.directory import ModelDirectory
from dragoman.search.options import SearchOptions, save_options
from dragoman.training import pipeline
from dragoman.training.config import Config
from dragoman.training.pipeline import Stage
from dragoman.training.plan import Material, training_stages
from dragoman.training.stages.consensus import consensus_stage
from dragoman.training.stages.neural import neural_stage
from dragoman.training.stages.reestimate import Derived, derive_stage, reestimate_stage
from dragoman.training.stages.tune import DevFiles, tune_stage
from dragoman.training.train import Reestimation, run_reestimation, run_training
from dragoman.translation.translator import Translator
from dragoman.tuning.config import ConsensusConfig

pytestmark = pytest.mark.slow

PLANS = ("phrase", "hiero", "btg", "trees", "joint", "further text", "own dev set")


def plan(kind: str, place: Path) -> tuple[Config, Material]:
    """A training with a test set, its files in `place`."""
    config, given = untested(kind, place)
    return replace(config, prepare=replace(config.prepare, test_size=10)), given


def untested(kind: str, place: Path) -> tuple[Config, Material]:
    if kind == "further text":
        given = material(place)
        (place / "more.fr").write_text("il fait beau .\n" * 3 + "la gare est loin .\n", "utf-8")
        return config_of("phrase"), replace(given, lm_texts=[place / "more.fr"])
    known = "phrase" if kind == "own dev set" else kind
    return config_of(known), material(place, trees=kind == "trees")


def all_stages(kind: str, place: Path) -> tuple[ModelDirectory, list[Stage]]:
    """A finished model and the stages that made it."""
    config, given = plan(kind, place)
    directory = ModelDirectory(place / "model")
    # A model with search options of its own, which tuning and report read.
    if kind in ("phrase", "btg"):
        run_training(given, directory.path, config, threads=1)
        save_options(directory.file(SEARCH), SearchOptions(beam_limit=20))
    run_training(given, directory.path, config, threads=1)
    directory = ModelDirectory(directory.path)
    stages = training_stages(config, directory, given)
    if kind == "own dev set":
        source, target = place / "dev.en", place / "dev.fr"
        for side, path in (("en", source), ("fr", target)):
            lines = (place / f"train.{side}").read_text("utf-8").splitlines()[:15]
            path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        dev = DevFiles(source, (target,))
        stages = [tune_stage(TUNE, directory, directory.shape, dev)]
        pipeline.run(directory, stages, threads=1)
    return directory, stages


def run_alone(stage: Stage, place: Path) -> dict[str, str]:
    """Run a stage whose inputs were moved to `place`; the hashes of its outputs."""
    inputs = {}
    for number, (name, path) in enumerate(stage.inputs.items()):
        # Some files are known by their names.
        (place / str(number)).mkdir(parents=True)
        inputs[name] = Path(shutil.copyfile(path, place / str(number) / path.name))
    directory = ModelDirectory(place / "model")
    pipeline.run(directory, [replace(stage, inputs=inputs)], threads=1)
    return {name: sha256(directory.file(name)) for name in stage.outputs}


@pytest.mark.parametrize("kind", PLANS)
def test_a_stage_needs_nothing_it_did_not_declare(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "trained"
    place.mkdir()
    directory, stages = all_stages(kind, place)
    expected = directory.manifest.stages
    # Copied first, then the place is hidden, so that whoever looks there finds nothing.
    copies = []
    for number, stage in enumerate(stages):
        moved = {}
        for count, (name, path) in enumerate(stage.inputs.items()):
            aside = tmp_path / "inputs" / str(number) / str(count)
            aside.mkdir(parents=True)
            moved[name] = Path(shutil.copyfile(path, aside / path.name))
        copies.append(replace(stage, inputs=moved))
    place.rename(tmp_path / "hidden")
    for stage in copies:
        found = run_alone(stage, tmp_path / "alone" / stage.name)
        assert found == expected[stage.name].outputs, stage.name


def test_re_estimation_needs_nothing_it_did_not_declare(
    model_of: Callable[[str], Path], tmp_path: Path
) -> None:
    original = Path(shutil.copytree(model_of("phrase"), tmp_path / "original"))
    how = Reestimation(tune=TUNE)
    run_reestimation(original, tmp_path / "again", how, threads=1)
    directory = ModelDirectory(tmp_path / "again")
    derived = Derived.of(ModelDirectory(original))
    stages = [
        derive_stage(derived, how.derive),
        reestimate_stage(derived, directory, how.derive, how.models),
    ]
    for stage in stages:
        found = run_alone(stage, tmp_path / "alone" / stage.name)
        assert found == directory.manifest.stages[stage.name].outputs


def would_run(directory: ModelDirectory, stages: Sequence[Stage]) -> set[str]:
    outcomes = pipeline.run(ModelDirectory(directory.path), stages, dry_run=True)
    return {outcome.stage for outcome in outcomes if outcome.ran}


def behind(stages: Sequence[Stage], directory: ModelDirectory, first: set[str]) -> set[str]:
    """These stages and all that read what they write."""
    found = set(first)
    written = {directory.file(n) for stage in stages if stage.name in found for n in stage.outputs}
    for stage in stages:
        if written & set(stage.inputs.values()):
            found.add(stage.name)
            written |= {directory.file(name) for name in stage.outputs}
    return found


@pytest.mark.parametrize("kind", ("phrase", "btg", "joint"))
def test_a_stage_runs_again_when_a_file_it_reads_has_changed(kind: str, tmp_path: Path) -> None:
    directory, stages = all_stages(kind, tmp_path)
    assert would_run(directory, stages) == set()
    outside = {path for stage in stages for path in stage.inputs.values()}
    inside = {path for path in directory.path.rglob("*") if path.is_file()}
    for path in sorted(outside | inside):
        name = path.relative_to(directory.path).as_posix() if path in inside else path.name
        if name in ("model.toml", ".lock"):
            continue
        before = path.read_bytes()
        path.write_bytes(before + b"\n")
        readers = {stage.name for stage in stages if path in stage.inputs.values()}
        makers = {stage.name for stage in stages if name in stage.outputs}
        expected = behind(stages, directory, makers or readers)
        assert would_run(directory, stages) == expected, name
        path.write_bytes(before)
    assert would_run(directory, stages) == set()


# An option of each group, and the stages that read it themselves.
OPTIONS: list[tuple[str, dict[str, Any], str, set[str]]] = [
    ("prepare", {"max_words": 90}, "phrase", {"prepare"}),
    ("prepare", {"tokeniser": "char"}, "phrase", {"prepare"}),
    ("prepare", {"max_words": 90}, "further text", {"prepare"}),
    ("prepare", {"tokeniser": "char"}, "further text", {"prepare", "lm"}),
    ("align", {"hmm_iterations": 3}, "phrase", {"align"}),
    ("align", {"hmm_iterations": 3}, "btg", {"preorder", "align"}),
    ("preorder", {"seed": 2}, "btg", {"preorder"}),
    ("preorder", {"seed": 2}, "phrase", set()),
    ("lm", {"order": 4}, "phrase", {"lm"}),
    ("rules", {"max_length": 6}, "phrase", {"rules"}),
    ("hiero", {"max_span": 9}, "phrase", set()),
    ("hiero", {"max_span": 9}, "hiero", {"rules"}),
    ("rules", {"max_length": 6}, "hiero", set()),
    ("tune", {"seed": 2}, "phrase", {"tune"}),
    ("resort", {"limit": 50}, "phrase", {"resort"}),
    ("test", {"examples": 3}, "phrase", {"test"}),
    ("report", {"samples": 3}, "phrase", {"report"}),
    ("joint", {"seed": 2}, "joint", {"joint"}),
    ("joint", {"seed": 2}, "phrase", set()),
]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Config]]:
    """The place of a finished model of a kind, and its configuration."""
    made: dict[str, tuple[Path, Config]] = {}

    def find(kind: str) -> tuple[Path, Config]:
        if kind not in made:
            place = tmp_path_factory.mktemp(kind.replace(" ", "-"))
            config, given = plan(kind, place)
            run_training(given, place / "model", config, threads=1)
            made[kind] = place, config
        return made[kind]

    return find


@pytest.mark.parametrize(("section", "change", "kind", "readers"), OPTIONS)
def test_a_stage_runs_again_when_an_option_it_reads_has_changed(
    section: str,
    change: dict[str, Any],
    kind: str,
    readers: set[str],
    finished: Callable[[str], tuple[Path, Config]],
) -> None:
    place, config = finished(kind)
    directory = ModelDirectory(place / "model")
    _, given = plan(kind, place)
    assert would_run(directory, training_stages(config, directory, given)) == set()
    changed = replace(config, **{section: replace(getattr(config, section), **change)})
    stages = training_stages(changed, directory, given)
    assert would_run(directory, stages) == behind(stages, directory, readers)


def test_a_training_of_another_kind_leaves_no_stale_records(tmp_path: Path) -> None:
    given = material(tmp_path)
    model = tmp_path / "model"
    run_training(given, model, config_of("btg"), threads=1)
    assert ModelDirectory(model).shape.preordered
    run_training(given, model, config_of("hiero"), threads=1)
    directory = ModelDirectory(model)
    assert "preorder" not in directory.manifest.stages
    assert "resort" not in directory.manifest.stages
    assert directory.shape.hierarchical
    assert not directory.shape.preordered


def test_a_consensus_needs_nothing_it_did_not_declare(
    model_of: Callable[[str], Path], tmp_path: Path
) -> None:
    directory = ModelDirectory(shutil.copytree(model_of("best"), tmp_path / "best"))
    config = directory.recorded("consensus", ConsensusConfig)
    assert config is not None
    assert [member.path.name for member in directory.members] == ["btg", "hiero"]
    stage = consensus_stage(config, directory, network=True)
    found = run_alone(stage, tmp_path / "alone")
    assert found == directory.manifest.stages["consensus"].outputs
    assert would_run(directory, [stage]) == set()
    network = neural_stage(config_of("best").neural, directory, directory.shape)
    assert run_alone(network, tmp_path / "network") == directory.manifest.stages["neural"].outputs
    assert would_run(directory, [network]) == set()
    member = directory.members[0]
    member.file(WEIGHTS).write_text(member.file(WEIGHTS).read_text("utf-8") + "\n", "utf-8")
    assert would_run(directory, [stage]) == {"consensus"}


def test_best_again_does_nothing_and_plain_forgets_the_members(
    model_of: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = Path(shutil.copytree(model_of("best"), tmp_path / "best"))
    given, config = material(tmp_path), config_of("best")
    before = {name: sha256(model / name) for name in ModelDirectory(model).sizes()}
    outcomes = run_training(given, model, config, best=True, threads=1)
    assert not any(outcome.ran for outcome in outcomes)
    assert before == {name: sha256(model / name) for name in ModelDirectory(model).sizes()}
    print_scores(model)
    assert "of the consensus on the dev set" in capsys.readouterr().out
    stages = [outcome.stage for outcome in outcomes]
    assert stages[-2:] == ["neural", "consensus"]
    assert "hiero/hiero" in stages or "hiero/rules" in stages
    # What is the same for a member was taken over, not done again.
    member = ModelDirectory(model / "members" / "hiero").manifest.stages
    assert member["align"] == ModelDirectory(model).manifest.stages["align"]
    run_training(given, model, config, threads=1)
    assert ModelDirectory(model).members == ()
    assert "neural" not in ModelDirectory(model).manifest.stages
    print_scores(model)
    assert "consensus" not in capsys.readouterr().out
    assert Translator.open(model).consensus is None
