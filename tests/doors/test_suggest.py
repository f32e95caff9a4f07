"""Suggestions while somebody types, through every door and for every kind of model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.doors.kinds import lines_of
from tests.doors.test_equal_output import answer, with_server

from dragoman.errors import ModelError, UsageError
from dragoman.translation.config import SuggestOptions
from dragoman.translation.translator import Translator

pytestmark = pytest.mark.slow

SENTENCES = [lines_of("test.en", 1)[place] for place in (7, 43, 101, 160)]


@pytest.fixture(scope="module")
def translator(model_of: Callable[[str], Path]) -> Translator:
    return Translator.open(model_of("phrase"))


@pytest.mark.parametrize("kind", ["phrase", "hiero", "btg", "joint"])
def test_nothing_typed_gives_the_translation(model_of: Callable[[str], Path], kind: str) -> None:
    translator = Translator.open(model_of(kind))
    for sentence in SENTENCES:
        (found,) = translator.suggest(sentence)
        assert found.text == translator.translate(sentence)
        assert "".join(found.pieces) == found.text


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_translation_itself_is_gone_on_with_letter_by_letter(
    translator: Translator, sentence: str
) -> None:
    whole = translator.translate(sentence)
    for length in range(len(whole) + 1):
        (found,) = translator.suggest(sentence, whole[:length])
        said = whole[:length] + found.text
        # Behind a finished word that goes on elsewhere in the graph, anything may be said.
        assert said.startswith(whole[:length])
        if not whole[:length] or whole[length - 1].isspace():
            assert said == whole


def test_what_the_model_would_not_say_is_tolerated(translator: Translator) -> None:
    sentence = SENTENCES[0]
    words = translator.translate(sentence).split(" ")
    for place in range(1, len(words) - 1):
        other = [*words[: place - 1], "Zebra", *words[place:]]
        typed = " ".join(other[: place + 1]) + " "
        (found,) = translator.suggest(sentence, typed)
        assert found.text.split() == words[place + 1 :], typed


def test_other_ways_to_go_on(translator: Translator) -> None:
    found = translator.suggest(SENTENCES[1], "", most=5)
    texts = [one.text for one in found]
    assert len(set(texts)) == len(texts)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_items_of_the_sentence(translator: Translator) -> None:
    sentence = "I paid 1,234.50 for the house , see https://example.org/a?b=1 ."
    whole = translator.translate(sentence)
    (found,) = translator.suggest(sentence)
    assert found.text == whole and "https://example.org/a?b=1" in whole
    begun = whole[: whole.index("1,234.50") + len("1,234.50")] + " "
    (rest,) = translator.suggest(sentence, begun)
    assert (begun + rest.text).count("1,234.50") == 1


def test_terms(translator: Translator) -> None:
    (found,) = translator.suggest("the house is old .", terms={"house": "baraque"})
    assert "baraque" in found.text


@settings(max_examples=60)
@given(prefix=st.text(max_size=40))
def test_whatever_is_typed(translator: Translator, prefix: str) -> None:
    for one in translator.suggest(SENTENCES[2], prefix, most=3):
        assert isinstance(one.text, str)


def test_every_door_says_the_same(
    translator: Translator, run: Callable[..., Any], model_of: Callable[[str], Path]
) -> None:
    sentence, prefix = SENTENCES[0], translator.translate(SENTENCES[0])[:4]
    wanted = [one.text for one in translator.suggest(sentence, prefix, most=3)]
    done = run("suggest", translator.directory, sentence, prefix, "--most", 3)
    assert done.stdout.splitlines() == wanted
    told = json.loads(run("suggest", translator.directory, sentence, prefix, "--json").stdout)
    assert told[0]["text"] == wanted[0] == "".join(told[0]["pieces"])

    def ask(client: Any) -> Any:
        body = {"q": sentence, "prefix": prefix, "most": 3}
        first = answer(client, "/suggest", body)["suggestions"]
        again = answer(client, "/suggest", body)["suggestions"]
        assert first == again
        taught = {"kind": "sentence", "source": sentence, "target": "Dicté"}
        answer(client, "/corrections", taught)
        dictated = answer(client, "/suggest", {"q": sentence})["suggestions"]
        client.delete("/corrections/1")
        assert dictated[0]["text"] == "Dicté"
        return [one["text"] for one in first]

    assert with_server(model_of("phrase"), ask) == wanted


def test_refusals(translator: Translator) -> None:
    with pytest.raises(UsageError, match="most must be at least 1"):
        translator.suggest("a", most=0)
    with pytest.raises(UsageError, match="prefix"):
        translator.suggest("a", 3)  # type: ignore[arg-type]
    with pytest.raises(Exception, match="suggest_edit_cost must"):
        SuggestOptions(suggest_edit_cost=0)
    assert translator.suggest("") == [] or translator.suggest("")[0].text == ""
    with pytest.raises(ModelError):
        Translator.open("no-such-model")
