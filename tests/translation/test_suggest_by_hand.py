"""What words cost that stand for typed ones, and how completions are written, by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from dragoman.errors import InputError
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm
from dragoman.translation import suggest
from dragoman.translation.config import SuggestOptions
from dragoman.translation.suggest import KeptSuggesters, Suggester


@dataclass
class Said:
    """A completion."""

    words: list[str]
    score: float = -1.0
    last: str = ""


@dataclass
class FakeSearch:
    """A graph of known words, which completes as it is told."""

    words: list[str]
    says: list[Said] = field(default_factory=list)
    asked: list[tuple] = field(default_factory=list)

    def complete(self, costs, *, edit_cost, most):
        rows = np.array(costs).reshape(-1, len(self.words)) if self.words else np.array(costs)
        self.asked.append((rows.round(4).tolist(), edit_cost, most))
        return self.says


def suggester(monkeypatch, words: list[str], *says: Said) -> tuple[Suggester, FakeSearch]:
    search = FakeSearch(words, list(says))
    monkeypatch.setattr(suggest, "PrefixSearch", lambda graph: search)
    # Words are written with a space before each that is not the first.
    monkeypatch.setattr(
        suggest, "written_pieces", lambda form, prepared, words: [f" {word}" for word in words]
    )
    form = TextForm(TextConfig(source_language="en", target_language="fr", tokeniser="whitespace"))
    held = SimpleNamespace()
    prepared = SimpleNamespace(
        source=SimpleNamespace(held=held), line=SimpleNamespace(source=SimpleNamespace(items={}))
    )
    result = SimpleNamespace(error="", graph=object(), found=True)
    return Suggester(form, prepared, result), search


OPTIONS = SuggestOptions(suggest_edit_cost=2.5)


@pytest.mark.parametrize(
    ("typed", "word", "cost"),
    [
        ("house ", "house", 0.0),
        ("house ", "House", 0.02),
        ("HOUSE ", "house", 0.02),
        ("house ", "mouse", 1.0),
        ("house ", "houses", 0.5),
        ("houses ", "house", 0.5),
        ("House ", "houses", 0.5),
        ("hous ", "house", 0.5),  # four letters are shared
        ("hou ", "house", 1.0),  # three are not enough
        ("houseabc ", "house", 0.5),  # 5 of 8
        ("houseabcd ", "house", 1.0),  # 5 of 9: less than 0.6
        ("housab ", "housxy", 0.5),  # 4 of 6
        ("housabc ", "housxyz", 1.0),  # 4 of 7
        ("aaaabb ", "aaaaxxbbbb", 1.0),  # what follows the first difference does not count
        # Without a space the last word may not be finished.
        ("h", "house", 0.0),
        ("H", "house", 0.02),
        ("h", "House", 0.02),
        ("houses", "house", 0.5),
        ("x", "house", 1.0),
        ("house", "houses", 0.0),
        # Behind a symbol a new word begins.
        ("h-", "house", 1.0),
        ("3", "3rd", 0.0),
    ],
)
def test_what_it_costs_that_a_word_stands_for_another(monkeypatch, typed, word, cost):
    own, search = suggester(monkeypatch, [word])
    own.suggest(typed, OPTIONS)
    rows, edit_cost, most = search.asked[0]
    assert rows == [[pytest.approx(cost)]]
    assert (edit_cost, most) == (2.5, 1)


def test_rows_are_typed_words_and_columns_those_of_the_graph(monkeypatch):
    own, search = suggester(monkeypatch, ["the", "The", "house", "houses"])
    own.suggest("The house", OPTIONS, most=4)
    rows, _, most = search.asked[0]
    assert rows == [
        pytest.approx([0.02, 0.0, 1, 1], abs=1e-4),
        pytest.approx([1, 1, 0.0, 0.0]),  # each begins as what was typed
    ]
    assert most == 4
    own.suggest("", OPTIONS)
    assert search.asked[1][0] == []


def test_nobody_has_typed_so_much(monkeypatch):
    own, search = suggester(monkeypatch, ["the"])
    own.suggest("the " * 2000, OPTIONS)
    assert len(search.asked[0][0]) == 2000
    with pytest.raises(InputError, match="2,001 words have been typed; behind more than 2,000"):
        own.suggest("the " * 2001, OPTIONS)
    assert len(search.asked) == 1


def test_how_completions_are_written(monkeypatch):
    own, search = suggester(monkeypatch, ["the", "house", "is"])

    def texts(prefix: str, *says: Said) -> list[tuple[str, ...]]:
        search.says = list(says)
        return [one.pieces for one in own.suggest(prefix, OPTIONS)]

    # At the beginning, and behind a space, there is no space.
    assert texts("", Said(["the", "house"])) == [("the", " house")]
    assert texts("the ", Said(["house", "is"], last="the")) == [("house", " is")]
    # Behind a finished word there is one; and an unfinished one is finished.
    assert texts("the", Said(["house"], last="the")) == [(" house",)]
    assert texts("the hou", Said(["is"], last="house")) == [("se", " is")]
    assert texts("the HOU", Said(["is"], last="house")) == [("se", " is")]
    # What stands for the word typed, but does not go on with it, is not written.
    assert texts("the hut", Said(["is"], last="house")) == [(" is",)]
    assert texts("the hou ", Said(["is"], last="house")) == [("is",)]
    assert texts("the house", Said([], last="house")) == [()]
    # The same text once; its better score.
    search.says = [Said(["is"], -1.0), Said(["is"], -2.0), Said(["the"], -3.0)]
    found = own.suggest("house ", OPTIONS)
    assert [(one.text, one.score) for one in found] == [("is", -1.0), ("the", -3.0)]


@pytest.mark.parametrize(
    ("error", "graph", "found", "message"),
    [
        ("too long", object(), True, "too long"),
        ("", None, True, "no translation found"),
        ("", object(), False, "no translation found"),
    ],
)
def test_nothing_to_suggest_from(error, graph, found, message):
    result = SimpleNamespace(error=error, graph=graph, found=found)
    with pytest.raises(InputError, match=message):
        Suggester(None, None, result)  # type: ignore[arg-type]


def test_those_asked_about_least_lately_go():
    kept = KeptSuggesters(most=2)
    one, two, three = object(), object(), object()
    assert kept.find("a") is None
    assert kept.keep("a", one) is one  # type: ignore[arg-type]
    kept.keep("b", two)  # type: ignore[arg-type]
    assert kept.find("a") is one
    kept.keep("c", three)  # type: ignore[arg-type]
    assert kept.find("b") is None
    assert kept.find("a") is one and kept.find("c") is three
    many = KeptSuggesters()
    for number in range(9):
        many.keep(number, one)  # type: ignore[arg-type]
    assert many.find(0) is None and many.find(1) is one
