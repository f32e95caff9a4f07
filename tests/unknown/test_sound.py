"""Words spelt by their sound: what the model of letters is asked, and what comes of it."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dragoman._core import Tokens
from dragoman.unknown import word_model as module
from dragoman.unknown.sound import Sound

# By kinds: numbers, codes, signs, capitals, Latin letters, others.
SHARES = [0.5, 0.5, 0.5, 0.019, 0.02, 0.5]


@pytest.fixture
def letters(monkeypatch) -> Any:
    """A model that says what it is told, and notes what it was asked."""
    told = SimpleNamespace(nbest=[], strangers=[], asked=[])

    def model(**files: Any) -> Any:
        told.files = files
        names = ["tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd", "phrases", "words", "lm", "unknown"]
        return SimpleNamespace(features=names, strangers=lambda lines: [told.strangers])

    def decoder(model: Any, weights: Any, options: Any) -> Any:
        told.weights, told.options = list(weights), options

        def decode(lines: list[str], wants: Any) -> Any:
            told.asked.append((lines, wants.nbest, wants.distinct, wants.features))
            entries = [SimpleNamespace(target=t, score=s) for t, s in told.nbest]
            return [SimpleNamespace(nbest=entries)]

        return SimpleNamespace(decode=decode)

    monkeypatch.setattr(module, "TranslationModel", model)
    monkeypatch.setattr(module, "PhraseDecoder", decoder)
    told.sound = Sound([Path(name) for name in "tsvl"], SHARES)
    return told


def test_what_the_model_of_letters_is(letters):
    assert letters.files == {
        "phrase_table": "t",
        "source_vocabulary": "s",
        "target_vocabulary": "v",
        "sequences": [("lm", "l", Tokens.WORDS)],
    }
    assert letters.weights == [0.3, 0.1, 0.1, 0.1, 0, 0.3, 0.3, 0]
    options = letters.options
    assert (options.distortion_limit, options.beam_limit, options.ttable_limit) == (0, 15, 15)


def test_scores_become_probabilities_that_add_up_to_the_share(letters):
    letters.nbest = [("m o s c o w", -1.0), ("m o s k o w", -1.5), ("", -2.0)]
    weights = [math.exp(3 * score) for target, score in letters.nbest if target]
    assert letters.sound.spelt("moskwa") == [
        ("moscow", pytest.approx(0.02 * weights[0] / sum(weights))),
        ("moskow", pytest.approx(0.02 * weights[1] / sum(weights))),
    ]
    assert letters.asked == [(["m o s k w a"], 4, True, False)]
    letters.nbest = []
    assert letters.sound.spelt("moskwa") == []


@pytest.mark.parametrize(
    ("word", "asked"),
    [
        ("ab", True),
        ("a", False),
        ("a" * 24, True),
        ("a" * 25, False),
        ("Ab", False),  # of a kind that is spelt anew too seldom
        ("äb", True),
        ("a-b", False),
        ("a1", False),
    ],
)
def test_which_words_are_tried(letters, word, asked):
    letters.nbest = [("x", -1.0)]
    assert bool(letters.sound.spelt(word)) == asked == bool(letters.asked)


def test_letters_that_nobody_has_spelt(letters):
    letters.strangers = [1]
    assert letters.sound.spelt("ab") == [] and letters.asked == []
