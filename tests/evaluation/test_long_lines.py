"""Scores of lines as long as books."""

from __future__ import annotations

import random
import time

import pytest

from dragoman.evaluation import ribes
from dragoman.evaluation.metrics import make_metric


@pytest.mark.parametrize("seed", range(300))
def test_words_are_identified_by_sorting_as_by_looking(seed: int) -> None:
    chance = random.Random(seed)
    letters = "abcdefgh"[: chance.randint(1, 8)]
    hypothesis = [chance.choice(letters) for _ in range(chance.randint(1, 25))]
    reference = list(hypothesis)
    if seed % 3 == 0:
        chance.shuffle(reference)
    elif seed % 3 == 1:
        reference = [chance.choice(letters) for _ in range(chance.randint(1, 25))]
    else:
        reference.insert(chance.randrange(len(reference) + 1), "z")
    assert ribes._align_long(hypothesis, reference) == ribes.align_words(hypothesis, reference)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ter", "ribes"])
def test_a_line_of_a_hundred_thousand_words(name: str) -> None:
    chance = random.Random(1)
    words = [str(int(chance.paretovariate(0.8))) for _ in range(100_000)]
    changed = list(words)
    for _ in range(20_000):
        changed[chance.randrange(len(changed))] = "changed"
    begun = time.process_time()
    rows = make_metric(name).rows([" ".join(words)], [[" ".join(changed)]])
    assert time.process_time() - begun < 20
    if name == "ter":
        assert rows[0, 0] == sum(a != b for a, b in zip(words, changed, strict=True))
    else:
        assert 0.5 < rows[0, 0] < 1
