"""How sure translations are, through every door."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.doors.kinds import lines_of
from tests.doors.test_equal_output import answer, with_server

from dragoman.layout import CONFIDENCE
from dragoman.translation.translator import Translator

pytestmark = pytest.mark.slow

SENTENCES = [lines_of("test.en", 1)[place] for place in (7, 43, 101)]


@pytest.mark.parametrize("kind", ["phrase", "hiero", "btg"])
def test_words_and_sentences(model_of: Callable[[str], Path], kind: str) -> None:
    translator = Translator.open(model_of(kind))
    for sentence in SENTENCES:
        found = translator.translate_sentence(sentence)
        assert found.text == translator.translate(sentence)
        assert len(found.confidences) == len(found.words)
        assert all(0 < one < 1 for one in found.confidences)
        assert found.confidence == pytest.approx(sum(found.confidences) / len(found.words))


def test_nobody_asked(model_of: Callable[[str], Path]) -> None:
    (found, *_) = Translator.open(model_of("phrase")).nbest(SENTENCES[0])
    assert found.confidence is None and found.confidences == []


def test_every_door_says_the_same(
    model_of: Callable[[str], Path], run: Callable[..., Any], tmp_path: Path
) -> None:
    model = model_of("phrase")
    translator = Translator.open(model)
    wanted = [translator.translate_sentence(one).told_confidence() for one in SENTENCES]
    done = run(
        "translate", model, "--confidence", tmp_path / "c", input="\n".join(SENTENCES) + "\n"
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in (tmp_path / "c").read_text("utf-8").splitlines()]
    assert [{k: v for k, v in one.items() if k != "sentence"} for one in told] == wanted

    def ask(client: Any) -> Any:
        found = answer(client, "/translate", {"q": SENTENCES, "confidence": True})
        explained = answer(client, "/inspect", {"q": SENTENCES[0]})["sentences"][0]
        assert {k: explained[k] for k in wanted[0]} == wanted[0]
        return [{k: one["sentences"][0][k] for k in wanted[0]} for one in found["details"]]

    assert with_server(model, ask) == wanted


def test_a_model_that_does_not_know(model_of: Callable[[str], Path]) -> None:
    model = model_of("moses")
    assert not (model / CONFIDENCE).exists()
    assert Translator.open(model).translate_sentence("a").confidence is None
