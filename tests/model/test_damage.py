"""What is damaged is refused by name, or was not needed; see also native/tests/damage_test.cc."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.doors.conftest import model_of  # noqa: F401
from tests.doors.kinds import lines_of
from tests.torture.damage import DamagedModels, Tally

from dragoman.errors import ModelError
from dragoman.model.directory import ModelDirectory
from dragoman.translation.translator import Translator

pytestmark = pytest.mark.slow

ROUNDS = 120
# What a translation with a phrase model depends on.
NEEDED = {
    "corpus/source.vocab",
    "corpus/target.vocab",
    "corpus/truecase.source.json",
    "lm/target.bin",
    "lm/bilingual.bin",
    "lm/classes.bin",
    "lm/words.classes",
    "model.toml",
    "rules/bilingual.vocab",
    "rules/sorted.table",
    "weights.toml",
}


@pytest.fixture(scope="module")
def models(
    model_of: Callable[[str], Path],  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> DamagedModels:
    return DamagedModels(
        model_of("phrase"), tmp_path_factory.mktemp("damage"), lines_of("test.en", 40)[:3]
    )


def test_damage_is_noticed_in_whatever_is_needed(models: DamagedModels) -> None:
    chance, tally = random.Random(1), Tally()
    assert set(models.files) >= NEEDED
    for round_ in range(ROUNDS):
        models.try_one(sorted(NEEDED)[round_ % len(NEEDED)], chance, tally)
    # An accident may leave a file as it was, or hit padding.
    assert tally.refused.total() > 0.9 * ROUNDS, str(tally)
    assert all(tally.refused[name] for name in NEEDED), str(tally)


def test_what_is_needed_and_gone_is_named(models: DamagedModels) -> None:
    chance, tally = random.Random(2), Tally()
    for name in models.files:
        models.try_one(name, chance, tally, gone=True)
    assert set(tally.refused) >= NEEDED | {"confidence.json", "unknown/sources.json"}


def test_weights_of_nothing_are_refused(models: DamagedModels) -> None:
    weights = models.copy / "weights.toml"
    good = weights.read_bytes()
    weights.unlink()
    try:
        weights.write_bytes(b"")
        with pytest.raises(ModelError, match="weights.toml"):
            Translator.open(models.copy)
    finally:
        weights.write_bytes(good)


def test_models_without_seals_open(models: DamagedModels, tmp_path: Path) -> None:
    """Models of 0.1 have a plain model.toml."""
    manifest = models.copy / "model.toml"
    sealed = manifest.read_bytes()
    first, _, rest = sealed.partition(b"\n")
    assert first.startswith(b"# sha256")
    try:
        manifest.unlink()
        manifest.write_bytes(rest)
        assert ModelDirectory(models.copy).manifest.stages
        manifest.write_bytes(sealed.replace(b"max_words = 100", b"max_words = 101"))
        with pytest.raises(ModelError, match=r"model\.toml: damaged.*first line"):
            _ = ModelDirectory(models.copy).manifest
    finally:
        manifest.write_bytes(sealed)
