"""Forms of one word: the endings that are learnt from a table, and what they say of a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unknown.test_sources import table_of

from dragoman.errors import ModelError
from dragoman.rules.table import PhraseTable
from dragoman.unknown.endings import learn_forms
from dragoman.unknown.forms import Forms
from dragoman.unknown.known import KnownWords

# Plurals, of which the other language has forms too; makers, who are called something else; and
# what looks like a plural.
PLURALS = {"boat": "bateau", "lamp": "lampe", "letter": "lettre", "paper": "papier"}
MAKERS = {"boat": "batelier", "lamp": "lumiste", "letter": "facteur", "paper": "imprimeur"}


def entries() -> list[tuple[str, str]]:
    found = [*PLURALS.items(), ("garden", "jardin"), ("gardens", "jardins")]
    found += [(f"{word}s", f"{target}s") for word, target in PLURALS.items()]
    found += [(f"{word}man", target) for word, target in MAKERS.items()]
    return [*found, ("gardenman", "jardinier"), ("new", "neuf"), ("news", "actualités")]


@pytest.fixture
def known(tmp_path: Path) -> KnownWords:
    return KnownWords(PhraseTable.open(*table_of(tmp_path, entries())), 1000)


def test_endings_of_forms_are_learnt(known, monkeypatch):
    learnt = learn_forms(known)
    # Five pairs with "s" that are alike, one that is not: 5/6; of those with "man" two begin alike
    # but have too little in common.
    assert learnt == {"endings": [("", "s")], "shortest": 3, "apart": []}
    # Every word of the table was seen once.
    monkeypatch.setattr("dragoman.unknown.endings.OFTEN", 1)
    assert learn_forms(known)["apart"] == [("new", "news")]
    monkeypatch.setattr("dragoman.unknown.endings.LEAST_LIKENESS", 0.9)
    assert learn_forms(known)["endings"] == []
    monkeypatch.setattr("dragoman.unknown.endings.FEWEST_PAIRS", 7)
    monkeypatch.setattr("dragoman.unknown.endings.LEAST_LIKENESS", 0.0)
    assert learn_forms(known)["endings"] == []


def test_forms_of_a_word(tmp_path):
    path = tmp_path / "sources.json"
    path.write_text('{"forms": {"endings": [["", "s"], ["ies", "y"]], "shortest": 3, '
                    '"apart": [["new", "news"]]}}')  # fmt: skip
    forms = Forms.load(path)
    assert sorted(forms.of("cars")) == ["car", "carss"]
    assert sorted(forms.of("flies")) == ["flie", "fliess"]  # a stem of two letters is none
    assert sorted(forms.of("parties")) == ["partie", "partiess", "party"]
    assert list(forms.of("new")) == []
    assert list(forms.of("as")) == list(forms.of("x-rays")) == list(forms.of("")) == []
    path.write_text("{}")
    assert Forms.load(path) == Forms()
    assert list(Forms().of("cars")) == []
    for damaged in ("[", '{"forms": 1}', '{"forms": {"endings": 1}}', "[]"):
        path.write_text(damaged)
        with pytest.raises(ModelError, match="again"):
            Forms.load(path)
