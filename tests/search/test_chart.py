"""The chart search against all derivations, one by one."""

import hashlib
import itertools
import math

import numpy as np
import pytest
from tests.reference.hiero import text_of
from tests.search.tiny_hiero import make, sentence

from dragoman._core import Demands, GivenTranslation, OracleOptions
from dragoman.errors import ConfigError, InputError, UsageError
from dragoman.search.chart import ChartSearch
from dragoman.search.choice import make_search
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.search.result import target_text
from dragoman.search.stack import PhraseSearch
from dragoman.translation.trace import alignment_of

WIDE = {"ttable_limit": 0, "pop_limit": 0}
ORDERS = [(), (1,), (2,), (3,), (4,), (5,), (2, 3)]


def all_derivations(tiny, line, span_limit=10):
    found = []
    for derivation in tiny.slow.derivations(tuple(line.split()), span_limit):
        values = tiny.slow.features(derivation)
        score = sum(tiny.weights[name] * value for name, value in values.items())
        found.append((score, text_of(derivation)))
    return sorted(found, reverse=True)


@pytest.mark.parametrize(("number", "orders"), [*enumerate(ORDERS)])
def test_finds_the_best_of_all_derivations(tmp_path, number, orders):
    tiny = make(tmp_path, number, orders=orders, class_order=3 * (number % 2), pairs=4)
    for length in range(1, 6):
        line = sentence(10 * number + length, length)
        for limit in (1, 2, 10):
            expected = all_derivations(tiny, line, limit)
            [result] = ChartSearch(tiny.bundle, ChartOptions(span_limit=limit, **WIDE)).decode(
                [line]
            )
            assert result.best.score == pytest.approx(expected[0][0], abs=1e-4), line


@pytest.mark.parametrize(("number", "orders"), [*enumerate(ORDERS)])
def test_all_derivations_are_in_the_graph(tmp_path, number, orders):
    tiny = make(tmp_path, 20 + number, orders=orders, class_order=2 * (number % 2))
    for length in (1, 3, 4):
        line = sentence(300 + 10 * number + length, length)
        expected = all_derivations(tiny, line)
        [result] = ChartSearch(tiny.bundle, ChartOptions(**WIDE)).decode(
            [line], graph=True, graph_values=True
        )
        found = result.graph.kbest(len(expected) + 10)
        assert len(found) == len(expected)
        assert [entry.score for entry in found] == pytest.approx(
            [score for score, _ in expected], abs=1e-4
        )
        assert sorted(entry.target for entry in found) == sorted(t for _, t in expected)
        total = math.log(math.fsum(math.exp(entry.score) for entry in found))
        assert result.graph.posteriors().log_total == pytest.approx(total, abs=1e-6)
        for edge in range(result.graph.edges):
            values = result.graph.values(edge)
            score = result.graph.edge(edge).score
            assert float(values @ tiny.bundle.weights) == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize(("number", "orders"), [*enumerate(ORDERS)])
def test_scores_equal_weights_times_features(tmp_path, number, orders):
    tiny = make(tmp_path, 40 + number, orders=orders, pairs=30, options=10)
    lines = [sentence(seed, length) for seed in range(3) for length in (0, 1, 6, 40, 150)]
    for options in (
        ChartOptions(),
        ChartOptions(ttable_limit=3, pop_limit=5, span_limit=4),
        ChartOptions(ttable_threshold=0.5, beam_threshold=0.2),
    ):
        results = ChartSearch(tiny.bundle, options).decode(lines, nbest=5)
        for line, result in zip(lines, results, strict=True):
            length = len(line.split())
            for translation in (result.best, *result.nbest):
                dot = float(translation.features @ tiny.bundle.weights)
                assert translation.score == pytest.approx(dot, abs=1e-3)
                check_steps(translation, length, options.span_limit)
            assert result.nbest[0].score == pytest.approx(result.best.score, abs=1e-6)
            assert [t.score for t in result.nbest] == sorted(
                (t.score for t in result.nbest), reverse=True
            )


def check_steps(translation, length, span_limit):
    """Steps are trees side by side that cover the sentence."""
    words = translation.target.split()
    spans = [step.source for step in translation.steps]
    tops = [s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)]
    assert sorted(i for span in tops for i in range(*span)) == [*range(length)]
    for step in translation.steps:
        assert step.source[1] - step.source[0] <= span_limit
        begin, end = step.target_span
        symbols = step.target.split()
        inner = [word for word in symbols if word not in ("[1]", "[2]")]
        if len(inner) == len(symbols):
            assert words[begin:end] == symbols
        if symbols and symbols[0] not in ("[1]", "[2]"):
            assert words[begin] == symbols[0]
    for i, j in alignment_of(translation):
        assert 0 <= i < length
        assert 0 <= j < len(words)


def test_the_oracle_finds_what_the_graph_holds(tmp_path):
    tiny = make(tmp_path, 23)
    line = sentence(311, 4)
    [result] = ChartSearch(tiny.bundle, ChartOptions(**WIDE)).decode([line], graph=True)
    targets = sorted({target for _, target in all_derivations(tiny, line)})
    for reference in targets[::5]:
        found = result.graph.oracle(reference, OracleOptions(beam=500)).derivation
        assert found.target == reference
        assert found.edges


def test_same_result_for_any_number_of_threads(tmp_path):
    tiny = make(tmp_path, 3, pairs=20, options=10)
    lines = [sentence(seed, 8) for seed in range(20)]
    results = [
        [
            (result.best.score, [entry.target for entry in result.nbest])
            for result in ChartSearch(tiny.bundle, threads=threads).decode(lines, nbest=10)
        ]
        for threads in (1, 3)
    ]
    assert results[0] == results[1]


def test_more_pops_never_find_less(tmp_path):
    tiny = make(tmp_path, 8, orders=(3,), pairs=40, options=20)
    lines = [sentence(seed, 10) for seed in range(10)]
    means = [
        np.mean([r.best.score for r in ChartSearch(tiny.bundle, options).decode(lines)])
        for options in (ChartOptions(pop_limit=1), ChartOptions(), ChartOptions(pop_limit=5000))
    ]
    assert means == sorted(means)


# What came out when everything was kept until the end of the sentence: seed of the model, orders
# of its language models and of that of classes, options; then words of the sentence, candidates
# evaluated and recombined, scores and texts (their checksum) of the three best.
KEPT = [
    (70, (3,), 0, {}, 9, 3870, 2610, (-6.594661477, -6.673940665, -6.862247822),
     "cf9cf96be5a82cee"),
    (70, (3,), 0, {}, 60, 46662, 31305, (-48.429119643, -48.429119643, -48.457910894),
     "217f445dbd3ad70b"),
    (71, (2, 3), 0, {"pop_limit": 7, "span_limit": 0}, 9, 372, 84,
     (-9.457584905, -9.51435551, -9.51435551), "ebaaaeb86b81f56f"),
    (71, (2, 3), 0, {"pop_limit": 7, "span_limit": 0}, 60, 11775, 2173,
     (-53.983551665, -53.991741002, -54.003052993), "aeaac2e48f88c5e4"),
    (72, (4,), 3, {"pop_limit": 20, "span_limit": 4, "ttable_limit": 3}, 60, 3508, 973,
     (-54.789920926, -54.791562117, -54.791562117), "a9f7f696e431f24f"),
    (73, (3,), 2, {"beam_threshold": 0.5, "span_limit": 0, "ttable_limit": 0}, 60, 15205, 5936,
     (-54.902695441, -54.916817445, -54.954197067), "9c13394779c5b793"),
]  # fmt: skip


@pytest.mark.parametrize(
    (
        "seed",
        "orders",
        "classes",
        "options",
        "length",
        "evaluated",
        "recombined",
        "scores",
        "texts",
    ),
    KEPT,
)
def test_nothing_is_other_than_when_everything_was_kept(
    tmp_path, seed, orders, classes, options, length, evaluated, recombined, scores, texts
):
    tiny = make(tmp_path, seed, orders=orders, class_order=classes, pairs=30, options=10)
    line = sentence(seed + length, length)
    [result] = ChartSearch(tiny.bundle, ChartOptions(**options)).decode([line], nbest=3)
    assert (result.stats.evaluated, result.stats.recombined) == (evaluated, recombined)
    assert [entry.score for entry in result.nbest] == pytest.approx(scores, abs=1e-8)
    told = "\n".join(entry.target for entry in result.nbest)
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == texts


def test_links_of_a_derivation_are_those_of_its_rules(tmp_path):
    tiny = make(tmp_path, 11, pairs=6)
    [result] = ChartSearch(tiny.bundle).decode(["s0 s4 s1"])
    [unknown] = [step for step in result.best.steps if step.unknown]
    assert unknown.source == (1, 2)
    begin, end = unknown.target_span
    assert result.best.target.split()[begin:end] == ["s4"]
    assert (1, begin) in alignment_of(result.best)
    assert target_text(result.best, ChartOptions(unknown="mark")).split()[begin] == "⟦s4⟧"
    [dropped] = ChartSearch(tiny.bundle, ChartOptions(unknown="drop")).decode(["s0 s4 s1"])
    assert "s4" not in dropped.best.target
    assert dropped.best.features[tiny.bundle.features.index("unknown")] == 1


def decode_with(tiny, line, demands, **options):
    [result] = ChartSearch(tiny.bundle, ChartOptions(**options)).decode(
        [line], demands=[demands], nbest=50
    )
    assert result.error == ""
    for translation in (result.best, *result.nbest):
        dot = float(translation.features @ tiny.bundle.weights)
        assert translation.score == pytest.approx(dot, abs=1e-3)
    return result


@pytest.mark.parametrize("seed", range(4))
def test_given_translations_are_taken(tmp_path, seed):
    tiny = make(tmp_path, seed, pairs=20, options=10)
    line = sentence(seed, 8)
    given = [GivenTranslation(2, 5, "a given one", -0.5, True)]
    for entry in decode_with(tiny, line, Demands(given), span_limit=2).nbest:
        assert entry.target.count("a given one") == 1
        [step] = [step for step in entry.steps if step.source == (2, 5)]
        begin, end = step.target_span
        assert entry.target.split()[begin:end] == ["a", "given", "one"]
        assert all(
            step.source[1] <= 2 or step.source[0] >= 5
            for step in entry.steps
            if not (step.source[0] <= 2 and step.source[1] >= 5)
        )
    plain = decode_with(tiny, line, None)
    offered = [GivenTranslation(2, 5, "t0", 0.0, False)]
    assert decode_with(tiny, line, Demands(offered)).best.score >= plain.best.score - 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_walls_and_zones_are_kept(tmp_path, seed):
    tiny = make(tmp_path, 60 + seed, pairs=20, options=10)
    line = sentence(seed, 9)
    for entry in decode_with(tiny, line, Demands(walls=[4])).nbest:
        assert not any(step.source[0] < 4 < step.source[1] for step in entry.steps)
        before = [step.target_span[1] for step in entry.steps if step.source[1] <= 4]
        after = [step.target_span[0] for step in entry.steps if step.source[0] >= 4]
        assert max(before) <= min(after)
    for entry in decode_with(tiny, line, Demands(zones=[(3, 6)])).nbest:
        inside = [step for step in entry.steps if step.source[0] >= 3 and step.source[1] <= 6]
        tops = [
            step
            for step in inside
            if not any(
                other.source != step.source
                and other.source[0] <= step.source[0]
                and step.source[1] <= other.source[1]
                for other in inside
            )
        ]
        covered = sorted(i for step in tops for i in range(*step.source))
        assert covered == [3, 4, 5]
        spans = sorted(step.target_span for step in tops)
        assert all(one[1] == two[0] for one, two in itertools.pairwise(spans))


def test_the_right_search_is_made(tmp_path):
    tiny = make(tmp_path, 1)
    assert isinstance(make_search(tiny.bundle), ChartSearch)
    with pytest.raises(UsageError, match="takes ChartOptions"):
        make_search(tiny.bundle, SearchOptions())
    with pytest.raises(InputError, match="needs a chart search"):
        PhraseSearch(tiny.bundle)


def test_what_it_cannot_do_is_said(tmp_path):
    tiny = make(tmp_path, 1)
    search = ChartSearch(tiny.bundle)
    [result] = search.decode(["s0"], references=["t0"])
    assert not result.found
    assert "use a phrase model" in result.error
    [result] = search.decode(["s0 s1"], demands=[Demands([GivenTranslation(1, 3, "t")])])
    assert "does not lie in a sentence of 2 words" in result.error
    [result] = ChartSearch(tiny.bundle, ChartOptions(span_limit=0)).decode(["s0 " * 20_000])
    assert "give a lower span-limit" in result.error
    with pytest.raises(ConfigError, match="pop_limit"):
        ChartOptions(pop_limit=-1)
    with pytest.raises(ConfigError, match="beam_threshold"):
        ChartOptions(beam_threshold=math.nan)
