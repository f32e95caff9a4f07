"""Properties of the searches: equalities, guarantees, limits, bad input."""

import math
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.search.tiny import make, sentence
from tests.search.tiny_hiero import make as make_hiero

from dragoman._core import BleuCounts, Demands, GivenTranslation, OracleOptions
from dragoman.errors import ConfigError, InputError, UsageError
from dragoman.layout import SEARCH
from dragoman.model.directory import ModelDirectory
from dragoman.search.chart import ChartSearch
from dragoman.search.choice import changed_options, model_options
from dragoman.search.options import ChartOptions, SearchOptions, load_options, save_options
from dragoman.search.result import Totals
from dragoman.search.stack import PhraseSearch

WIDE = {
    "ttable_threshold": math.inf,
    "beam_threshold": math.inf,
    "ttable_limit": 0,
    "beam_limit": 0,
}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return make(
        tmp_path_factory.mktemp("tiny"),
        1,
        orders=(3,),
        reorderings=("word",),
        options=5,
        phrases=20,
    )


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return make(tmp_path_factory.mktemp("plain"), 2, orders=(3,), options=5, phrases=20)


def scores(bundle, lines, **options):
    results = PhraseSearch(bundle, SearchOptions(**options)).decode(lines)
    return [result.best.score for result in results]


@pytest.mark.parametrize("limit", [0, 2, 6])
def test_wide_searches_agree(tiny, limit):
    lines = [sentence(seed, 8) for seed in range(5)]
    expected = scores(tiny.bundle, lines, search="pharaoh", distortion_limit=limit, **WIDE)
    for search in ("estimate", "early", "cube"):
        found = scores(tiny.bundle, lines, search=search, distortion_limit=limit, **WIDE)
        assert found == pytest.approx(expected, abs=1e-6)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    seed=st.integers(0, 10_000),
    length=st.integers(1, 40),
    threshold=st.floats(0, 0.3),
    beam=st.integers(1, 20),
    limit=st.one_of(st.none(), st.integers(0, 8)),
)
def test_early_pruning_always_finds_a_translation(
    plain, tiny, seed, length, threshold, beam, limit
):
    """Paper 000, footnote 6, without ever having to try again."""
    options = SearchOptions(
        ttable_threshold=threshold,
        beam_threshold=threshold,
        ttable_limit=3,
        beam_limit=beam,
        distortion_limit=limit,
    )
    for model in (plain, tiny):
        [result] = PhraseSearch(model.bundle, options).decode([sentence(seed, length)])
        assert result.found
        assert result.stats.retried == 0
        dot = float(result.best.features @ model.bundle.weights)
        assert result.best.score == pytest.approx(dot, abs=1e-3)


def test_negative_distortion_weight_is_survived(plain):
    weights = plain.bundle.weights.copy()
    weights[plain.bundle.features.index("distortion")] *= -1
    search = PhraseSearch(
        plain.bundle, SearchOptions(ttable_threshold=0.05, beam_limit=3), weights=weights
    )
    for result in search.decode([sentence(seed, 12) for seed in range(10)]):
        assert result.found


def test_output_does_not_depend_on_threads_or_order(tiny):
    lines = [sentence(seed, 3 + seed % 30) for seed in range(60)] + ["", "s0"]
    for search in ("early", "cube"):
        options = SearchOptions(search=search, beam_limit=10)
        first = [
            (r.best.target, r.best.score) for r in PhraseSearch(tiny.bundle, options).decode(lines)
        ]
        many = PhraseSearch(tiny.bundle, options, threads=4)
        assert [(r.best.target, r.best.score) for r in many.decode(lines)] == first
        order = list(range(len(lines)))
        random.Random(1).shuffle(order)
        shuffled = list(many.decode([lines[i] for i in order]))
        assert [(r.best.target, r.best.score) for r in shuffled] == [first[i] for i in order]


@pytest.mark.parametrize("kind", ["phrases", "rules"])
def test_calls_from_several_threads_do_not_disturb_each_other(tiny, tmp_path, kind):
    lines = [sentence(seed, 8) for seed in range(30)]
    search = (
        PhraseSearch(tiny.bundle)
        if kind == "phrases"
        else ChartSearch(make_hiero(tmp_path, 3, pairs=20, options=10).bundle)
    )

    def found(batch):
        return [(result.best.score, result.best.target) for result in search.decode(batch)]

    expected = found(lines)
    batches = [lines[at:] for at in range(12)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(found, batches)) == [expected[at:] for at in range(12)]


def test_pruning_can_only_lower_scores(tiny):
    lines = [sentence(seed, 10) for seed in range(10)]
    best = scores(tiny.bundle, lines, search="estimate", **WIDE)
    for search in ("pharaoh", "estimate", "early", "cube"):
        pruned = scores(
            tiny.bundle, lines, search=search, ttable_threshold=0.2, beam_limit=5, ttable_limit=3
        )
        assert all(p <= b + 1e-6 for p, b in zip(pruned, best, strict=True))


def test_monotone_is_monotone(tiny):
    [result] = PhraseSearch(tiny.bundle, SearchOptions(distortion_limit=0)).decode(
        [sentence(3, 20)]
    )
    begins = [step.source[0] for step in result.best.steps]
    assert begins == sorted(begins)
    assert result.best.features[tiny.bundle.features.index("distortion")] == 0


@pytest.mark.parametrize("length", [63, 64, 65, 200])
@pytest.mark.parametrize("limits", [(None, None), (None, 2), (70, None), (6, None)])
def test_long_sentences(tiny, length, limits):
    options = SearchOptions(distortion_limit=limits[0], gap_limit=limits[1], beam_limit=5)
    [result] = PhraseSearch(tiny.bundle, options).decode([sentence(9, length)])
    assert result.found
    dot = float(result.best.features @ tiny.bundle.weights)
    assert result.best.score == pytest.approx(dot, abs=1e-2)


def test_ten_thousand_words(tiny):
    [result] = PhraseSearch(tiny.bundle, SearchOptions(beam_limit=5)).decode(
        [sentence(5, 10_000)], nbest=3
    )
    assert result.found
    assert len(result.nbest) == 3


def test_a_line_that_is_too_long_does_not_stop_the_others(tiny):
    results = list(PhraseSearch(tiny.bundle, SearchOptions()).decode(["s0", "s0 " * 70_000, "s1"]))
    assert "at most 65535" in results[1].error
    assert results[0].found
    assert results[2].found


def test_empty_and_blank_lines(tiny):
    results = list(PhraseSearch(tiny.bundle, SearchOptions()).decode(["", "  \t ", "s0"], nbest=2))
    for result in results[:2]:
        assert result.found
        assert result.best.target == ""
        assert result.best.score == pytest.approx(
            float(result.best.features @ tiny.bundle.weights), abs=1e-6
        )
        assert [entry.target for entry in result.nbest] == [""]
    assert results[2].best.target


def test_unknown_words(tiny):
    line = "s0 größer s1"
    copied = PhraseSearch(tiny.bundle, SearchOptions()).translate([line])
    assert "größer" in copied[0].split()
    marked = PhraseSearch(tiny.bundle, SearchOptions(unknown="mark")).translate([line])
    assert "⟦größer⟧" in marked[0].split()
    dropped = PhraseSearch(tiny.bundle, SearchOptions(unknown="drop")).translate([line])
    assert "größer" not in dropped[0]
    [result] = PhraseSearch(tiny.bundle, SearchOptions(unknown="drop")).decode([line])
    dot = float(result.best.features @ tiny.bundle.weights)
    assert result.best.score == pytest.approx(dot, abs=1e-4)


def test_given_translations_zones_and_walls(tiny):
    line = sentence(4, 12)
    free = None
    forced = Demands([GivenTranslation(2, 5, "new words here")])
    walled = Demands(walls=[6])
    zoned = Demands(zones=[(3, 7)])
    search = PhraseSearch(tiny.bundle, SearchOptions(distortion_limit=None))
    results = list(search.decode([line] * 4, demands=[free, forced, walled, zoned]))
    assert all(result.found for result in results)
    assert "new words here" in results[1].best.target
    assert [step.source for step in results[1].best.steps if step.source[0] == 2] == [(2, 5)]
    order = [position for step in results[2].best.steps for position in range(*step.source)]
    assert max(order.index(p) for p in range(6)) < min(order.index(p) for p in range(6, 12))
    order = [position for step in results[3].best.steps for position in range(*step.source)]
    places = sorted(order.index(p) for p in range(3, 7))
    assert places == list(range(places[0], places[0] + 4))
    for result in results:
        dot = float(result.best.features @ tiny.bundle.weights)
        assert result.best.score == pytest.approx(dot, abs=1e-4)


def ways(result):
    """Each derivation of a list: its spans in their order, its targets and its score."""
    return {
        tuple((*step.source, step.target) for step in entry.steps): round(entry.score, 4)
        for entry in result.nbest
    }


@pytest.mark.parametrize("kind", ["pharaoh", "estimate", "early", "cube"])
@pytest.mark.parametrize("wall", [1, 2, 3])
def test_behind_a_wall_is_what_the_free_search_says_without_crossing(tmp_path, kind, wall):
    tiny = make(tmp_path, 5, orders=(2,), options=1, phrases=6)
    options = SearchOptions(search=kind, distortion_limit=None, **WIDE)
    search = PhraseSearch(tiny.bundle, options)
    begin, end = wall - 1, wall + 1  # a zone around the wall, for the other half of the test
    demands = [None, Demands(walls=[wall]), Demands(zones=[(begin, end)])]
    free, walled, zoned = search.decode(["s0 s1 s2 s3"] * 3, demands=demands, nbest=2000)
    every = ways(free)
    assert len(free.nbest) < 2000

    def keeps_wall(way):
        order = [place for first, last, _ in way for place in range(first, last)]
        crossed = any(first < wall < last for first, last, _ in way)
        return not crossed and set(order[:wall]) == set(range(wall))

    def keeps_zone(way):
        order = [place for first, last, _ in way for place in range(first, last)]
        cut = any(
            first < end
            and begin < last
            and not (begin <= first and last <= end)
            and not (first <= begin and end <= last)
            for first, last, _ in way
        )
        places = sorted(order.index(place) for place in range(begin, end))
        return not cut and places == list(range(places[0], places[0] + end - begin))

    assert ways(walled) == {way: score for way, score in every.items() if keeps_wall(way)}
    assert ways(zoned) == {way: score for way, score in every.items() if keeps_zone(way)}
    assert 0 < len(walled.nbest) < len(free.nbest) > len(zoned.nbest) > 0


def test_suggestions_compete(tiny):
    line = "s0 s1"
    for prob, wins in ((1.0, True), (1e-9, False)):
        demand = Demands([GivenTranslation(0, 1, "suggested", math.log(prob), False)])
        [result] = PhraseSearch(tiny.bundle, SearchOptions()).decode([line], demands=[demand])
        dot = float(result.best.features @ tiny.bundle.weights)
        assert result.best.score == pytest.approx(dot, abs=1e-4)
        if not wins:
            assert "suggested" not in result.best.target


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 1000), length=st.integers(4, 20), limit=st.integers(1, 6))
def test_zones_never_lead_into_dead_ends(tiny, seed, length, limit):
    chance = random.Random(seed)
    begin = chance.randrange(length - 1)
    zone = (begin, chance.randint(begin + 1, length))
    wall = chance.choice([[], [begin]])
    for search in ("pharaoh", "estimate", "early", "cube"):
        options = SearchOptions(search=search, distortion_limit=limit, beam_limit=3)
        [result] = PhraseSearch(tiny.bundle, options).decode(
            [sentence(seed, length)], demands=[Demands([], [zone], wall)]
        )
        assert result.found


@pytest.mark.parametrize(
    ("given", "zones", "walls", "message"),
    [
        ([(0, 3), (2, 4)], [], [], "overlap"),
        ([(0, 9)], [], [], "does not lie in a sentence"),
        ([(0, 2)], [(1, 3)], [], "crosses the zone"),
        ([(0, 2)], [], [1], "crosses the wall"),
        ([], [(0, 2), (1, 3)], [], "zones cross"),
        ([], [(2, 2)], [], "does not lie"),
        ([], [], [7], "outside"),
    ],
)
def test_contradictions_are_errors_of_their_line(tiny, given, zones, walls, message):
    demands = Demands([GivenTranslation(*span, "x") for span in given], zones, walls)
    results = list(
        PhraseSearch(tiny.bundle, SearchOptions()).decode(
            ["s0 s1 s2 s3", "s0"], demands=[demands, None]
        )
    )
    assert message in results[0].error
    assert results[1].found


def test_bad_weights_and_options(tiny):
    weights = tiny.bundle.weights.copy()
    weights[0] = math.nan
    with pytest.raises(InputError, match="tm.fwd"):
        PhraseSearch(tiny.bundle, weights=weights)
    with pytest.raises(InputError, match="weights were given"):
        PhraseSearch(tiny.bundle, weights=np.ones(2))
    with pytest.raises(UsageError, match="threads"):
        PhraseSearch(tiny.bundle, threads=0)
    for wrong in (
        {"beam_threshold": -1.0},
        {"ttable_threshold": math.nan},
        {"beam_limit": -1},
        {"gap_limit": 0},
        {"distortion_limit": 70_000},
        {"search": "astar"},
        {"unknown": "burn"},
    ):
        with pytest.raises(ConfigError):
            SearchOptions(**wrong)


def test_options_are_kept_in_the_model(tmp_path):
    path = tmp_path / SEARCH
    assert model_options(ModelDirectory(tmp_path)) == SearchOptions()
    options = SearchOptions(search="cube", distortion_limit=None, gap_limit=2, beam_limit=7)
    save_options(path, options)
    assert load_options(path, SearchOptions) == model_options(ModelDirectory(tmp_path)) == options
    path.write_text("beam_limits = 3\n")
    with pytest.raises(ConfigError, match="did you mean 'beam_limit'"):
        load_options(path, SearchOptions)
    path.write_text("beam_limit = 'none'\n")
    with pytest.raises(ConfigError, match="beam_limit must be of type int, not 'none'"):
        load_options(path, SearchOptions)


def test_changed_options():
    changed = changed_options(SearchOptions(beam_limit=7), {"gap_limit": 2})
    assert changed == SearchOptions(beam_limit=7, gap_limit=2)
    with pytest.raises(ConfigError, match="gap_limit must lie between 1 and"):
        changed_options(SearchOptions(), {"gap_limit": 0})
    with pytest.raises(UsageError, match="a phrase model has no span_limit"):
        changed_options(SearchOptions(), {"span_limit": 3})
    with pytest.raises(UsageError, match="a hierarchical model has no beam_limit, gap_limit"):
        changed_options(ChartOptions(), {"gap_limit": 3, "beam_limit": 1})


def test_early_pruning_has_a_threshold_unless_told_otherwise():
    assert math.isfinite(SearchOptions().ttable_threshold)


def test_totals(tiny):
    totals = Totals()
    options = SearchOptions(ttable_threshold=0.2, beam_limit=5)
    lines = [sentence(seed, 10) for seed in range(5)]
    list(PhraseSearch(tiny.bundle, options).decode(lines, totals=totals))
    report = totals.report(options)
    assert report["sentences"] == 5
    assert report["words"] == 50
    assert report["hypotheses_per_word"] == report["hypotheses_evaluated"] / 50
    assert report["ms_per_word"] == pytest.approx(report["seconds"] * 20)
    assert report["pruning"]["search"] == "early"
    assert report["pruning"]["beam_threshold"] is None
    assert set(report["pruned"]) == {
        "beam_threshold",
        "beam_limit",
        "early_begins",
        "early_ends",
        "early_options",
    }


def test_oracle_comes_nearer_to_the_reference(tiny):
    line = sentence(11, 6)
    search = PhraseSearch(tiny.bundle, SearchOptions(**WIDE, distortion_limit=2))
    [result] = search.decode([line], graph=True)
    reference = "t1 t2 t0 t3 t1"
    oracle = result.graph.oracle(reference)
    assert oracle.derivation.score <= result.best.score + 1e-6
    assert oracle.counts.reference_length == 5
    assert oracle.counts.length == len(oracle.derivation.target.split())
    assert oracle.derivation.edges[0] == 0
    own = result.graph.oracle(result.best.target)
    assert own.bleu == pytest.approx(1.0)
    assert own.derivation.target == result.best.target
    options = OracleOptions(bleu_weight=0.0, model_weight=1.0)
    by_model = result.graph.oracle(reference, options)
    assert by_model.derivation.score == pytest.approx(result.best.score, abs=1e-4)
    assert oracle.bleu >= by_model.bleu


def test_the_oracle_takes_other_sentences_into_account(tiny):
    [result] = PhraseSearch(tiny.bundle).decode([sentence(11, 6)], graph=True)
    background = BleuCounts()
    background.matches, background.totals = [8, 6, 4, 2], [9, 8, 7, 6]
    background.length, background.reference_length = 9, 10
    alone = result.graph.oracle("t1 t2 t0")
    among = result.graph.oracle("t1 t2 t0", OracleOptions(background=background, scale=2.0))
    matches = [a + b for a, b in zip(among.counts.matches, background.matches, strict=True)]
    totals = [a + b for a, b in zip(among.counts.totals, background.totals, strict=True)]
    log_precision = sum(math.log(m / t) / 4 for m, t in zip(matches, totals, strict=True))
    length = among.counts.length + 9
    brevity = min(0.0, 1 - (among.counts.reference_length + 10) / length)
    assert among.bleu == pytest.approx(2.0 * math.exp(log_precision + brevity))
    assert alone.bleu != among.bleu


def test_stopping_as_soon_as_a_score_is_too_low_changes_nothing(tmp_path):
    """A negative weight, even one too small to matter, takes away what the short cuts rely on."""
    model = make(tmp_path, 4, orders=(3, 2), reorderings=("word",), options=8, phrases=30)
    lines = [sentence(seed, 5 + seed) for seed in range(20)]
    place = model.bundle.features.index("lm.2")
    found = []
    for weight in (0.0, -1e-300):
        weights = model.bundle.weights.copy()
        weights[place] = weight
        for search in ("pharaoh", "estimate", "early", "cube"):
            options = SearchOptions(
                search=search,
                ttable_threshold=1.0,
                ttable_limit=5,
                beam_limit=4,
                estimate_margin=math.inf,
            )
            results = PhraseSearch(model.bundle, options, weights=weights).decode(lines)
            found.append([(r.best.target, r.stats.evaluated) for r in results])
    assert found[:4] == found[4:]
