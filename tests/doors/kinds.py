"""A small model of every kind, from English to French, each made once for all test processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.learning.joint.config import JointConfig
from dragoman.neural.config import NeuralConfig
from dragoman.preorder.config import PreorderConfig
from dragoman.training.config import Config
from dragoman.training.plan import Material
from dragoman.training.train import Reestimation, run_reestimation, run_training
from dragoman.tuning.config import ConsensusConfig, TuneConfig

PHRASEBOOK = Path(__file__).resolve().parents[2] / "examples" / "phrasebook"
KINDS = ("phrase", "hiero", "btg", "trees", "joint", "reestimated", "moses", "best")
TUNE = TuneConfig(max_iterations=1, nbest=10)


def base_config() -> Config:
    prepare = PrepareConfig(source_language="en", target_language="fr", dev_size=20, test_size=0)
    return Config(prepare=prepare, tune=TUNE)


def lines_of(name: str, step: int = 12) -> list[str]:
    return (PHRASEBOOK / name).read_text("utf-8").splitlines()[::step]


def material(place: Path, *, trees: bool = False) -> Material:
    """Every twelfth pair of the phrasebook, written to `place`."""
    for name in ("train.en", "train.fr", "train.en.trees"):
        (place / name).write_text("".join(f"{line}\n" for line in lines_of(name)), "utf-8")
    files = [ParallelFile.plain(place / "train.en", place / "train.fr")]
    return Material(files, trees=[place / "train.en.trees"] if trees else ())


def config_of(kind: str) -> Config:
    config = base_config()
    if kind == "hiero":
        return replace(config, model="hiero")
    if kind == "btg":
        return replace(config, preorder=PreorderConfig(method="btg", passes=1, word_classes=8))
    if kind == "trees":
        # Trees have the tokens of the phrasebook.
        tokens = replace(config.prepare, tokeniser="whitespace")
        order = PreorderConfig(method="trees", passes=1)
        return replace(config, prepare=tokens, preorder=order)
    if kind == "best":
        order = PreorderConfig(method="off", passes=1, word_classes=8)
        agree = ConsensusConfig(list_size=20)
        network = NeuralConfig(dimensions=8, hidden=16, passes=2, noise=64)
        return replace(config, preorder=order, consensus=agree, neural=network)
    if kind == "joint":
        return replace(config, method="joint", joint=JointConfig(max_iterations=1, folds=2))
    return config


def make(kind: str, place: Path, other: Callable[[str], Path]) -> None:
    """Train a model of that kind in `place`/model; `other` gives models of other kinds."""
    model = place / "model"
    if kind == "reestimated":
        run_reestimation(other("phrase"), model, Reestimation(tune=TUNE), threads=1)
    elif kind == "moses":
        for command in (
            ["export", "moses", other("phrase"), "-o", place / "moses"],
            ["import", "moses", "--ini", place / "moses" / "moses.ini", "-o", model]
            + ["--tokeniser", "whitespace"],
        ):
            arguments = [str(word) for word in (sys.executable, "-m", "dragoman", *command, "-q")]
            subprocess.run(arguments, check=True, capture_output=True)
    else:
        run_training(
            material(place, trees=kind == "trees"),
            model,
            config_of(kind),
            best=kind == "best",
            threads=1,
        )
