"""What a search hands to its decoder, batch by batch, by hand."""

from __future__ import annotations

import pickle
from array import array
from types import SimpleNamespace
from typing import Any

import pytest

from dragoman.errors import UsageError
from dragoman.search import engine
from dragoman.search.engine import BATCH, Search
from dragoman.search.options import MOST_TRANSLATIONS, SearchOptions
from dragoman.search.result import Totals


class Decoder:
    """Notes what it is asked; translates to capitals, and "lost" not at all."""

    def __init__(self) -> None:
        self.asked: list[SimpleNamespace] = []

    def decode(self, lines: list[str], wants: Any, **given: Any) -> list[Any]:
        self.asked.append(SimpleNamespace(lines=lines, wants=wants, **given))
        return [
            SimpleNamespace(
                best=SimpleNamespace(target=line.upper(), steps=[]), found=line != "lost"
            )
            for line in lines
        ]


class Counted(Totals):
    def add(self, result: Any) -> None:
        self.counted = getattr(self, "counted", 0) + 1


def sources() -> Any:
    return SimpleNamespace(of_lines=lambda model, lines: [f"{model} {line}" for line in lines])


def search_of(monkeypatch: Any, options: SearchOptions | None = None, **more: Any) -> Any:
    decoder = Decoder()

    def made(native: Any, weights: Any, options: Any) -> Decoder:
        decoder.made = (native, list(weights))  # type: ignore[attr-defined]
        return decoder

    monkeypatch.setattr(engine, "PhraseDecoder", made)
    bundle = SimpleNamespace(native="model", values=[0.5, 0.25], sources=sources())
    return Search(bundle, options or SearchOptions(), threads=3, **more), decoder  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lines", "batches"),
    [(0, []), (1, [1]), (BATCH, [BATCH]), (BATCH + 1, [BATCH, 1]), (2 * BATCH, [BATCH, BATCH])],
)
def test_batches_and_what_goes_with_them(monkeypatch, lines, batches):
    search, decoder = search_of(monkeypatch)
    text = [f"l{number}" for number in range(lines)]
    totals = Counted()
    # More than are needed are not taken from who gives them.
    demands, references = iter([*text, "more"]), iter([*text, "more"])
    found = list(search.decode(text, demands=demands, references=references, totals=totals))
    assert [one.best.target for one in found] == [line.upper() for line in text]
    assert [len(asked.lines) for asked in decoder.asked] == batches
    for asked in decoder.asked:
        assert asked.demands == asked.references == asked.lines
        assert asked.offers == [f"model {line}" for line in asked.lines]
        assert asked.threads == 3
    assert getattr(totals, "counted", 0) == lines
    assert (totals.seconds > 0) == (lines > 0)
    assert next(demands) == next(references) == "more"


def test_wants_are_handed_on(monkeypatch):
    search, decoder = search_of(monkeypatch)
    list(search.decode(["a"]))
    list(
        search.decode(
            ["a"],
            nbest=7,
            distinct=True,
            graph=True,
            graph_values=True,
            features=False,
            picture=True,
        )
    )
    plain, full = (asked.wants for asked in decoder.asked)
    names = ("nbest", "distinct", "graph", "graph_values", "features", "picture")
    assert [getattr(plain, name) for name in names] == [0, False, False, False, True, False]
    assert [getattr(full, name) for name in names] == [7, True, True, True, False, True]
    assert decoder.asked[0].demands is None and decoder.asked[0].references is None


@pytest.mark.parametrize("what", ["demands", "references"])
def test_too_few_are_refused(monkeypatch, what):
    search, _ = search_of(monkeypatch)
    with pytest.raises(UsageError, match=f"fewer {what} than lines"):
        list(search.decode(["a", "b"], **{what: ["x"]}))
    with pytest.raises(UsageError, match=f"fewer {what} than lines"):
        list(search.decode(["a"], **{what: []}))


def test_lists_are_bounded(monkeypatch):
    search, _ = search_of(monkeypatch)
    list(search.decode(["a"], nbest=MOST_TRANSLATIONS))
    for nbest in (-1, MOST_TRANSLATIONS + 1):
        with pytest.raises(UsageError, match="nbest must lie between 0 and"):
            list(search.decode(["a"], nbest=nbest))
        with pytest.raises(UsageError, match="nbest must lie between 0 and"):
            list(search.decode_nbest(["a"], nbest))
    for threads in (0, -1):
        with pytest.raises(UsageError, match=f"threads must be at least 1, not {threads}"):
            Search(None, SearchOptions(), threads=threads)  # type: ignore[arg-type]


def test_lists_in_arrays(monkeypatch):
    search, decoder = search_of(monkeypatch)
    asked: list[Any] = []
    monkeypatch.setattr(engine, "decode_nbest", lambda *one, **more: asked.append((one, more)))
    lines = [f"l{number}" for number in range(BATCH + 1)]
    list(search.decode_nbest(lines, 5, distinct=True))
    list(search.decode_nbest(["a"], 0))
    (first, more), second, third = asked
    assert first == (decoder, lines[:BATCH])
    offers = [f"model {line}" for line in lines[:BATCH]]
    assert more == {"nbest": 5, "distinct": True, "offers": offers, "threads": 3}
    assert second[0] == (decoder, lines[BATCH:])
    assert (third[1]["nbest"], third[1]["distinct"]) == (0, False)


def test_what_is_not_found_is_empty(monkeypatch):
    search, decoder = search_of(monkeypatch)
    assert search.translate(["a", "lost", "b"]) == ["A", "", "B"]
    assert decoder.asked[0].wants.features is False


def test_weights_are_those_of_the_model_unless_others_are_given(monkeypatch):
    assert search_of(monkeypatch)[1].made == ("model", [0.5, 0.25])
    assert search_of(monkeypatch, weights=[1.0, 2.0])[1].made == ("model", [1.0, 2.0])


def test_sources_can_be_turned_off(monkeypatch):
    search, decoder = search_of(monkeypatch, SearchOptions(unknown_sources=False))
    list(search.decode(["a"]))
    assert decoder.asked[0].offers is None


def test_how_it_travels(monkeypatch):
    search, _ = search_of(monkeypatch, SearchOptions(beam_limit=7), weights=[1.0, 2.0])
    make, (bundle, options) = search.__reduce__()
    again = make(bundle, options)
    assert (again.bundle, again.options) == (bundle, SearchOptions(beam_limit=7))
    assert again.weights == array("d", [1.0, 2.0]) and again.threads == 1
    assert pickle.loads(pickle.dumps(options)) == options
