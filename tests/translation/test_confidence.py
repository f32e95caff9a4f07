"""How sure translations are: which words are right, and what is learnt from that."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import ModelError
from dragoman.translation.confidence import (
    UNSURE,
    Confidence,
    calibrated,
    right_words,
    sentence_confidence,
)


@pytest.mark.parametrize(
    ("said", "reference", "right"),
    [
        ("a b c", "a b c", [True, True, True]),
        ("a x c", "a b c", [True, False, True]),
        ("a b c", "a c", [True, False, True]),
        ("b a", "a b", [False, True]),
        ("a", "", [False]),
        ("", "a", []),
    ],
)
def test_right_words_by_hand(said: str, reference: str, right: list[bool]) -> None:
    found = right_words(said.split(), reference.split())
    assert sum(found) == sum(right)
    assert len(found) == len(right)
    if said != "b a":  # either word may be the one that stays
        assert found == right


class FakePosterior:
    def __init__(self, probability: float) -> None:
        self.word_probability = self.phrase_probability = probability
        self.unknown, self.phrase_words = False, 1


class FakeGraph:
    """Posteriors that are too sure: the odds are those of the truth, squared."""

    def __init__(self, probabilities: list[float]) -> None:
        self._probabilities = probabilities

    def word_posteriors(self, scale: float) -> list[FakePosterior]:
        return [FakePosterior(one) for one in self._probabilities]


def test_calibration_finds_the_true_probabilities() -> None:
    chance = np.random.default_rng(3)
    graphs, rights, truths = [], [], []
    for _ in range(400):
        truth = chance.uniform(0.05, 0.95, 10)
        odds = (truth / (1 - truth)) ** 2
        graphs.append(FakeGraph((odds / (1 + odds)).tolist()))
        rights.append((chance.uniform(size=10) < truth).tolist())
        truths.append(truth)
    found = calibrated(graphs, rights)  # type: ignore[arg-type]
    assert found.words == 4000
    assert found.error < 0.03
    assert found.ranking > 0.7
    assert sum(point.count for point in found.curve) == 4000

    class Result:
        graph = graphs[0]

    said = found.of_words(Result())  # type: ignore[arg-type]
    assert np.max(np.abs(np.array(said) - truths[0])) < 0.06
    # As they came, they were farther off.
    raw = UNSURE.of_words(Result())  # type: ignore[arg-type]
    assert np.mean(np.abs(np.array(raw) - truths[0])) > 0.06
    assert sentence_confidence(said) == pytest.approx(np.mean(said))
    assert sentence_confidence([]) == 1.0


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "confidence.json"
    UNSURE.save(path)
    assert Confidence.load(path) == UNSURE
    for damaged in ("{", "[]", json.dumps({"scale": 1, "weights": [1], "curve": []})):
        path.write_text(damaged)
        with pytest.raises(ModelError, match="damaged"):
            Confidence.load(path)
