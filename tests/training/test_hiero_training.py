"""Hierarchical models from parallel text to translations, by the commands."""

import json
import subprocess
import sys

import pytest
from tests.training.test_training import digests, some_lines, train

import dragoman
from dragoman.layout import SEARCH
from dragoman.model.bundle import Bundle
from dragoman.search.options import ChartOptions, load_options, save_options

pytestmark = pytest.mark.slow


def run(*arguments, text=""):
    return subprocess.run(
        [sys.executable, "-m", "dragoman", *map(str, arguments)],
        input=text,
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    place = tmp_path_factory.mktemp("hiero")
    outcomes, said = train(place, count=300, kind="hiero")
    names = ["prepare", "align", "lm", "rules", "unknown", "tune", "confidence", "report"]
    assert [outcome.stage for outcome in outcomes] == names
    assert any("rules extracted" in line for line in said)
    return place / "model"


def test_it_translates(model):
    assert Bundle.open(model).hierarchical
    assert "glue" in Bundle.open(model).features
    assert dragoman.Translator.open(model).translate(["Thank you ."])[0]
    history = json.loads((model / "tuning.json").read_text())
    assert history["score"] >= history["iterations"][0]["score"]


def test_the_same_bytes_whatever_the_threads(model, tmp_path):
    train(tmp_path, count=300, kind="hiero", threads=1)
    assert digests(tmp_path / "model") == digests(model)


def test_every_output(model, tmp_path):
    lines = some_lines(tmp_path, "test", 5, "en").read_text("utf-8") + "xyzzy is here .\n"
    names = ("nbest", "trace", "graph", "stats")
    nbest, trace, graph, stats = (tmp_path / name for name in names)
    done = run(
        *("translate", model, "--nbest", 3, "--nbest-file", nbest, "--trace", trace),
        *("--graph", graph, "--stats", stats, "--pop-limit", 50, "--span-limit", 6),
        text=lines,
    )
    assert done.returncode == 0, done.stderr
    outputs = done.stdout.splitlines()
    assert len(outputs) == 6
    assert "xyzzy" in outputs[-1]
    entries = [line.split(" ||| ") for line in nbest.read_text("utf-8").splitlines()]
    assert {entry[0] for entry in entries} == {str(number) for number in range(6)}
    assert "glue= " in entries[0][2]
    for line in trace.read_text("utf-8").splitlines():
        story = json.loads(line)
        total = dict.fromkeys(story["features"], 0.0)
        for rule in story["phrases"]:
            for name, value in rule["features"].items():
                total[name] += value
        # Glue and the end of the sentence belong to no rule.
        for name in ("tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd", "words", "rules"):
            assert total.get(name, 0) == pytest.approx(story["features"].get(name, 0), abs=1e-3)
    assert json.loads(stats.read_text())["pruning"]["pop_limit"] == 50


def test_markup(model):
    done = run("translate", model, "--markup", text='I see <t term="le truc">the thing</t> .\n')
    assert done.returncode == 0, done.stderr
    assert "le truc" in done.stdout


def test_rules_can_be_inspected(model):
    done = run("inspect", "phrases", model, "[1] ?", "--json")
    assert done.returncode == 0, done.stderr
    assert any(entry["target"].startswith("[1]") for entry in json.loads(done.stdout))


def test_tune_again(model, tmp_path):
    dev = [some_lines(tmp_path, "dev", 10, language) for language in ("en", "fr")]
    done = run("tune", model, "--dev", *dev, "--rounds", 1, "--nbest", 5)
    assert done.returncode == 0, done.stderr


def test_a_directory_may_change_its_kind(model, tmp_path):
    train(tmp_path, count=100)
    assert not Bundle.open(tmp_path / "model").hierarchical
    train(tmp_path, count=100, kind="hiero")
    assert Bundle.open(tmp_path / "model").hierarchical
    train(tmp_path, count=100)
    bundle = Bundle.open(tmp_path / "model")
    assert not bundle.hierarchical
    assert "phrases" in bundle.features


def test_what_the_model_cannot_do_is_said(model, tmp_path):
    done = run("translate", model, "--distortion-limit", 3, text="a\n")
    assert done.returncode == 2
    assert "a hierarchical model has no distortion_limit" in done.stderr
    done = run("translate", model, "--reference", some_lines(tmp_path, "dev", 1, "fr"), text="a\n")
    assert done.returncode == 0
    assert done.stdout == "\n"
    assert "use a phrase model" in done.stderr
    done = run("export", "moses", model, "-o", tmp_path / "moses")
    assert done.returncode == 1
    assert "hierarchical" in done.stderr
    done = run("train", "--model", "phrases", "-s", "a", "-t", "b", "-o", tmp_path / "new")
    assert done.returncode == 2


def test_options_of_a_model_are_kept(tmp_path):
    path = tmp_path / SEARCH
    save_options(path, ChartOptions(pop_limit=7))
    assert load_options(path, ChartOptions).pop_limit == 7
