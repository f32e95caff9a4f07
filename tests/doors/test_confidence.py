"""How sure translations are, through every door."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.doors.kinds import lines_of
from tests.doors.test_equal_output import answer, with_server

from dragoman.documents.document import translate_document
from dragoman.layout import CONFIDENCE
from dragoman.translation.config import MemoryOptions
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


def test_xliff_carries_it(model_of: Callable[[str], Path], tmp_path: Path) -> None:
    translator = Translator.open(model_of("phrase"))
    memory = MemoryOptions(memory_matches="off")
    demands = translator.document_demands(memory=memory)
    two = f"{SENTENCES[0]} {SENTENCES[1]}"
    wanted = [translator.translate_sentence(one) for one in SENTENCES]
    sure = [one.confidences for one in wanted]
    units = [sure[2], [*sure[0], *sure[1]]]
    percent = [str(round(100 * sum(words) / len(words))) for words in units]

    first = tmp_path / "one.xlf"
    first.write_text(
        '<xliff version="1.2"><file source-language="en"><body><trans-unit id="a"><source>'
        f'<g id="1">{SENTENCES[2]}</g></source></trans-unit>'
        f'<trans-unit id="b"><source>{two}</source></trans-unit></body></file></xliff>',
        "utf-8",
    )
    found = ElementTree.fromstring(translate_document(first, translator, demands=demands).content)
    offers = list(found.iter("alt-trans"))
    assert [offer.attrib for offer in offers] == [
        {"match-quality": f"{one}%", "origin": "machine translation"} for one in percent
    ]
    # Without the inline elements, which stay in the unit.
    assert [offer.findtext("source") for offer in offers] == [SENTENCES[2], two]
    assert offers[0].findtext("target") == wanted[2].text
    assert [target.tag for target in found.findall(".//trans-unit/target/*")] == ["g"]

    second = tmp_path / "two.xlf"
    second.write_text(
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en">'
        f'<file id="f"><unit id="u"><segment id="x"><source>{SENTENCES[2]}</source></segment>'
        f"<segment><source>{two}</source></segment></unit></file></xliff>",
        "utf-8",
    )
    filled = translate_document(second, translator, demands=demands).content
    matches = list(
        ElementTree.fromstring(filled).iter("{urn:oasis:names:tc:xliff:matches:2.0}match")
    )
    assert [(one.get("type"), one.get("matchQuality")) for one in matches] == [
        ("mt", quality) for quality in percent
    ]
    assert matches[0].attrib == {
        "ref": "#x",
        "type": "mt",
        "matchQuality": percent[0],
        "origin": "machine translation",
    }


def test_a_model_that_does_not_know(model_of: Callable[[str], Path], tmp_path: Path) -> None:
    model = model_of("moses")
    assert not (model / CONFIDENCE).exists()
    translator = Translator.open(model)
    assert translator.translate_sentence("a").confidence is None
    document = tmp_path / "a.xlf"
    document.write_text(
        '<xliff version="1.2"><file source-language="en"><body><trans-unit id="a"><source>a b'
        "</source></trans-unit></body></file></xliff>"
    )
    assert b"alt-trans" not in translate_document(document, translator).content
