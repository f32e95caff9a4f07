"""Scores at the end of training, and of models that are there."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.doors.kinds import TUNE, base_config, lines_of, material

import dragoman
from dragoman.cli.summary import print_scores
from dragoman.corpus.read import ParallelFile
from dragoman.layout import REPORT, TEST_SCORES
from dragoman.model.directory import ModelDirectory
from dragoman.training.train import run_training, run_tuning

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model trained with a test set, and the test set."""
    place = tmp_path_factory.mktemp("tested")
    for side in ("en", "fr"):
        lines = lines_of(f"test.{side}", 20)
        if side == "en":
            lines[0] = "the zwieback and the zwieback ."
        (place / f"test.{side}").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    test = ParallelFile.plain(place / "test.en", place / "test.fr")
    run_training(replace(material(place), test=test), place / "model", base_config(), threads=1)
    return place


def lines(place: Path, name: str) -> list[str]:
    return (place / name).read_text("utf-8").splitlines()


def test_training_scores_the_test_set(place: Path) -> None:
    directory = ModelDirectory(place / "model")
    results = directory.test_results()
    assert results["sentences"] == 25
    # A stranger gets the same numbers from the model.
    scores = dragoman.evaluate_model(
        place / "model", lines(place, "test.en"), lines(place, "test.fr")
    )
    for name in ("bleu", "chrf", "ter"):
        assert results[name]["score"] == pytest.approx(scores.scores[name], abs=1e-4)
        assert "version:" in results[name]["signature"]
    assert "ribes" not in results
    assert results["unknown_words"] == pytest.approx(scores.unknown.share, abs=1e-6)
    assert scores.unknown.examples[0].word == "zwieback"
    assert scores.unknown.examples[0].count == 2
    assert "[stages.test.results.bleu]" in directory.file("model.toml").read_text("utf-8")
    page = directory.file(REPORT).read_text("utf-8")
    assert f"{results['bleu']['score']:.2f}" in page
    assert "<td>zwieback" in page
    assert "From English (en) to French (fr)." in page


def test_tuning_anew_tests_anew(place: Path, tmp_path: Path) -> None:
    model = Path(shutil.copytree(place / "model", tmp_path / "model"))
    before = ModelDirectory(model).file(TEST_SCORES).read_bytes()
    outcomes = run_tuning(model, config=replace(TUNE, seed=7, max_iterations=2), threads=1)
    assert [one.stage for one in outcomes] == ["tune", "resort", "confidence", "test", "report"]
    told = json.loads(ModelDirectory(model).file(TEST_SCORES).read_text("utf-8"))
    assert told["sentences"] == 25
    assert json.loads(before)["words"] == told["words"]


def test_a_model_is_evaluated_from_the_command_line(place: Path, run, tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out.fr"
    done = run(
        *("evaluate", place / "model", "-s", place / "test.en", "-r", place / "test.fr"),
        *("--baseline", place / "model", "--html", page, "-o", out, "--json", "--trials", 20),
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    results = ModelDirectory(place / "model").test_results()
    bleu = told["scores"][0]
    assert bleu["value"] == pytest.approx(results["bleu"]["score"], abs=1e-4)
    assert bleu["comparison"]["baseline"] == bleu["value"]
    assert told["unknown"]["unknown"] >= 2
    assert len(lines(tmp_path, "out.fr")) == 25
    text = page.read_text("utf-8")
    for said in ("may be luck", "The baseline is model", "zwieback", "approximate randomisation"):
        assert said in text
    plain = run("evaluate", place / "model", "-s", place / "test.en", "-r", place / "test.fr")
    assert "words unknown (" in plain.stdout
    for arguments, message in (
        (["-s", place / "test.en"], "give references with --ref"),
        (["-r", place / "test.fr"], "a model translates --source"),
        (["-s", place / "test.en", "-r", place / "train.fr"], "lines but"),
    ):
        refused = run("evaluate", place / "model", *arguments)
        assert refused.returncode == 2
        assert message in refused.stderr


def test_the_summary_tells_the_scores(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_scores(place / "model")
    told = capsys.readouterr().out
    results = ModelDirectory(place / "model").test_results()
    scores = f"BLEU {results['bleu']['score']:.2f}, chrF {results['chrf']['score']:.2f}, TER "
    assert f"on the test set (25 sentences): {scores}" in told
    assert f"  chrF: {results['chrf']['signature']}\n" in told
