"""Small trainings for the tests of the cluster, and what makes many parts of them."""

import hashlib
from pathlib import Path

import pytest

from dragoman.alignment.config import AlignConfig
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.training.config import Config
from dragoman.training.plan import Material
from dragoman.tuning.config import TuneConfig

ROOT = Path(__file__).resolve().parents[2]


def tree(directory: Path) -> dict[str, str]:
    """Every file that a model has, by its hash."""
    return {
        path.relative_to(directory).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name not in (".lock", "cluster.html")
    }


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
