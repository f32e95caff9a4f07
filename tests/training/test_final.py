"""A final training: weights of a model that was tuned, pairs of one that learns from all."""

from __future__ import annotations

from pathlib import Path

import pytest

import dragoman
from dragoman.corpus.config import PrepareConfig
from dragoman.errors import UsageError
from dragoman.layout import WEIGHTS
from dragoman.model.directory import ModelDirectory
from dragoman.training.config import Config
from dragoman.training.final import tuned_model
from dragoman.tuning.config import TuneConfig

pytestmark = pytest.mark.slow

NOUNS = {"house": "maison", "table": "table", "car": "voiture", "flower": "fleur"}
ADJECTIVES = {"small": "petite", "big": "grande", "old": "vieille", "new": "nouvelle"}
VERBS = {"see": "vois", "want": "veux", "sell": "vends", "paint": "peins"}
PAIRS = [
    (f"I {verb} the {adjective} {noun}", f"je {VERBS[verb]} la {ADJECTIVES[adjective]} {other}")
    for verb in VERBS
    for adjective in ADJECTIVES
    for noun, other in NOUNS.items()
]
DEV = [("I see the big zebra", "je vois la grande zèbre"), *PAIRS[::7]]
CONFIG = Config(
    prepare=PrepareConfig(tokeniser="whitespace", test_size=0),
    tune=TuneConfig(max_iterations=2, nbest=10),
)


def train(place: Path, **options: object) -> dragoman.Translator:
    languages = {"source_language": "en", "target_language": "fr"}
    return dragoman.train(PAIRS, place, dev=DEV, config=CONFIG, threads=1, **languages, **options)


def test_a_final_model_has_learnt_what_its_weights_were_tuned_on(tmp_path: Path) -> None:
    final = train(tmp_path / "model", final=True)
    directory = ModelDirectory(tmp_path / "model")
    tuned = tuned_model(directory)
    assert final.translate("I see the zebra") == "je vois la zèbre"
    assert "zèbre" not in dragoman.Translator.open(tuned.path).translate("I see the zebra")
    assert directory.file(WEIGHTS).read_bytes() == tuned.file(WEIGHTS).read_bytes()


def test_a_second_final_training_finds_everything_done(tmp_path: Path) -> None:
    train(tmp_path / "model", final=True)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.bin")}
    train(tmp_path / "model", final=True)
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.bin")}


def test_what_cannot_be_final_says_why(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="consensus"):
        train(tmp_path / "model", final=True, best=True)
