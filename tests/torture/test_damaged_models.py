"""Every file of a model of every kind, damaged again and again."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.doors.kinds import KINDS, lines_of
from tests.torture.damage import DamagedModels, Tally

ROUNDS = 400  # of each kind: 2,800 models
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
