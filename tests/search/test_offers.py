"""Translations that sources offer for unknown words: they compete, count and are told."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from tests.search import tiny, tiny_hiero

from dragoman._core import (
    ChartDecoder,
    ChartOptions,
    DecodeWants,
    Demands,
    GivenTranslation,
    OfferedTranslation,
    PhraseDecoder,
    SearchOptions,
    TranslationModel,
)

SOURCES = ["unknown.first", "unknown.second"]
WANTS = DecodeWants(nbest=20, graph=True, graph_values=True)


def offers(*, second: float = -1.0):
    return [
        OfferedTranslation(1, "t1 t0", second, 1),
        OfferedTranslation(1, "t0", -2.0, 0),
        OfferedTranslation(1, "zzz", -0.5, 0, copied=True),
    ]


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def made(request, tmp_path_factory):
    """A decoder of either kind, with options, for a model that has two sources."""
    directory = tmp_path_factory.mktemp(request.param)
    phrase = request.param == "phrase"
    table = "phrases.table" if phrase else "hiero.table"
    (tiny if phrase else tiny_hiero).make(directory, 1)
    paths = [str(directory / name) for name in (table, "source.vocab", "target.vocab", "lm1.bin")]
    model = TranslationModel(*paths[:3], [("lm", paths[3], False)], sources=SOURCES)
    # Below: unknown words cost, the second source is dear unless a test makes it cheap.
    weights = array("d", [0.1 if name != "unknown" else -9.0 for name in model.features])

    def decoder(second=0.1, **options):
        own = weights[:]
        own[model.features.index(SOURCES[1])] = second
        kind = (PhraseDecoder, SearchOptions) if phrase else (ChartDecoder, ChartOptions)
        return kind[0](model, own, kind[1](**options)), np.array(own)

    return model, decoder


def test_features_of_sources_come_last(made):
    assert made[0].features[-2:] == SOURCES


def test_every_score_is_weights_times_features(made):
    model, decoder = made
    decoding, weights = decoder()
    (result,) = decoding.decode(["s0 zzz s1"], WANTS, offers=[offers()])
    assert {entry.target for entry in result.nbest} > {result.best.target}
    for entry in (result.best, *result.nbest):
        assert entry.score == pytest.approx(float(weights @ entry.features), abs=1e-6)
        counts = entry.features[-2:].tolist()
        assert sorted(counts) == [0, 1]  # one word, by one source
        assert entry.features[model.features.index("unknown")] == 0
    graph = result.graph
    for edge in range(graph.edges):
        worth = float(weights @ graph.values(edge))
        assert graph.edge(edge).score == pytest.approx(worth, abs=1e-5)


def test_weights_decide_between_sources(made):
    (cheap,) = made[1](second=50.0)[0].decode(["s0 zzz"], offers=[offers()])
    (dear,) = made[1](second=-50.0)[0].decode(["s0 zzz"], offers=[offers()])
    told = {step.source_number for step in cheap.best.steps}
    assert told == {None, 1} and {step.source_number for step in dear.best.steps} == {None, 0}
    (step,) = (step for step in cheap.best.steps if step.source_number == 1)
    assert (step.target, step.row, step.unknown) == ("t1 t0", None, False)
    assert step.alignment == [(0, 0), (0, 1)]


def test_copying_what_is_unknown_and_leaving_it_out(made):
    alone = [OfferedTranslation(1, "zzz", 0.0, 0, copied=True)]
    (copied,) = made[1]()[0].decode(["s0 zzz"], offers=[alone])
    assert "zzz" in copied.best.target.split()
    (dropped,) = made[1](unknown="drop")[0].decode(["s0 zzz"], offers=[alone])
    assert "zzz" not in dropped.best.target.split()
    # What another source offers is not dropped.
    (kept,) = made[1](unknown="drop", second=50.0)[0].decode(["s0 zzz"], offers=[offers()])
    assert "t1 t0" in kept.best.target


def test_sources_can_be_turned_off(made):
    decoding, _ = made[1](unknown_sources=False)
    (off,) = decoding.decode(["s0 zzz"], offers=[offers()])
    (without,) = decoding.decode(["s0 zzz"])
    assert off.best.target == without.best.target
    assert off.best.features.tolist() == without.best.features.tolist()
    assert off.best.features[made[0].features.index("unknown")] == 1


def test_what_a_user_gives_comes_first(made):
    decoding, _ = made[1](second=50.0)
    demands = [Demands([GivenTranslation(1, 2, "t2")])]
    (result,) = decoding.decode(["s0 zzz"], demands=demands, offers=[offers()])
    assert all(step.source_number is None for step in result.best.steps)


def test_offers_of_sources_that_are_not_there_are_refused(made):
    with pytest.raises(ValueError, match="a source that the model does not have"):
        made[1]()[0].decode(["s0 zzz"], offers=[[OfferedTranslation(1, "t0", 0.0, 2)]])


def test_strangers(made):
    assert made[0].strangers(["s0 zzz s0 yyy", ""]) == [[1, 3], []]
