"""A model that is trained again in another way is what a new one would be: nothing of the earlier
training is left that a translation, a pack or a person could take for a part of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.torture.resumed import content
from tests.torture.trainings import CONFIG, write_corpus

from dragoman.context.config import ContextConfig
from dragoman.corpus.read import ParallelFile
from dragoman.preorder.config import PreorderConfig
from dragoman.training.config import Config
from dragoman.training.plan import Material
from dragoman.training.train import run_training
from dragoman.unknown.config import UnknownConfig

pytestmark = pytest.mark.slow

BARE = replace(
    CONFIG,
    prepare=replace(CONFIG.prepare, memory=0),
    lm=replace(CONFIG.lm, classes=0),
    rules=replace(CONFIG.rules, bilingual_order=0),
    context=ContextConfig(use=False),
    unknown=UnknownConfig(sources=False),
)
HIERO = replace(BARE, model="hiero")
JOINT = replace(CONFIG, method="joint")
ORDERED = replace(CONFIG, preorder=PreorderConfig(method="btg"))


@pytest.fixture
def train(tmp_path: Path) -> Callable[[str, Config], Path]:
    """Trains a model of that name in that way."""
    write_corpus(tmp_path)
    text, dev = (
        ParallelFile.plain(tmp_path / f"{part}.de", tmp_path / f"{part}.en")
        for part in ("train", "dev")
    )

    def make(name: str, config: Config) -> Path:
        run_training(Material([text], dev), tmp_path / name, config, threads=1)
        return tmp_path / name

    return make


@pytest.mark.parametrize(
    ("before", "now"),
    [(CONFIG, BARE), (ORDERED, HIERO), (JOINT, ORDERED)],
    ids=["less of everything", "rules instead of phrases", "not joint"],
)
def test_nothing_is_left(
    train: Callable[[str, Config], Path], before: Config, now: Config
) -> None:
    train("model", before)
    assert content(train("model", now)) == content(train("new", now))
