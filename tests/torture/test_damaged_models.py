"""Every file of a model of every kind, damaged again and again."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.doors.kinds import KINDS, lines_of
from tests.torture.damage import DamagedModels, Tally, damaged

from dragoman.errors import DragomanError
from dragoman.model.pack import pack
from dragoman.translation.translator import Translator

ROUNDS = 400  # of each kind: 3,200 models
SENTENCES = lines_of("test.en", 40)[:4]
TREES = lines_of("test.en.trees", 40)[:4]


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_model_is_refused_or_harmless(
    kind: str, model_of: Callable[[str], Path], tmp_path: Path
) -> None:
    trees = tmp_path / "trees"
    trees.write_text("".join(f"{line}\n" for line in TREES), "utf-8")
    models = DamagedModels(
        model_of(kind), tmp_path, SENTENCES, trees=trees if kind == "trees" else None
    )
    chance, tally = random.Random(kind), Tally()
    for _ in range(ROUNDS):
        models.try_one(chance.choice(models.files), chance, tally)
    print(tally)
    assert tally.refused.total() > ROUNDS / 4
    for name in models.files:
        models.try_one(name, chance, tally, gone=True)


def test_a_damaged_pack_is_refused_or_harmless(
    model_of: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = tmp_path / "model.dragoman", tmp_path / "cache"
    monkeypatch.setenv("DRAGOMAN_CACHE", str(cache))
    pack(model_of("phrase"), path)
    good = path.read_bytes()
    expected = Translator.open(path).translate_lines(SENTENCES)
    chance, refused = random.Random(1), 0
    for _ in range(ROUNDS):
        shutil.rmtree(cache)
        cache.mkdir()
        path.write_bytes(damaged(good, chance))
        try:
            translated = Translator.open(path).translate_lines(SENTENCES)
        except DragomanError as problem:
            assert str(path) in str(problem)
            assert not list(cache.iterdir())
            refused += 1
        else:
            assert translated == expected
    assert refused > ROUNDS / 2
