"""The searches against all derivations, one by one."""

import itertools
import math
from dataclasses import replace

import pytest
from tests.reference.exhaustive_search import derivations, features_of, score_of, target_of
from tests.reference.stack_search import PrunedSearch
from tests.search.tiny import make, sentence

from dragoman.lm.query import LanguageModel
from dragoman.search.options import SearchOptions
from dragoman.search.stack import PhraseSearch

WIDE = {
    "ttable_threshold": math.inf,
    "beam_threshold": math.inf,
    "ttable_limit": 0,
    "beam_limit": 0,
}
# Every other model has a language model over classes too, and every third looks at the context.
CLASS_ORDERS = (0, 3)
CONTEXT = (False, False, True)
SEARCHES = ("pharaoh", "estimate", "early", "cube")
SETTINGS = [
    # language model orders, reordering models, distortion limit, gap limit
    ((), (), None, None),
    ((1,), (), None, None),
    ((2,), (), 3, None),
    ((3,), (), 1, None),
    ((4,), (), 0, None),
    ((3,), (), None, 1),
    ((2,), (), None, 2),
    ((2, 3), (), 2, None),
    ((3,), ("word",), 2, None),
    ((3,), ("hierarchical",), None, None),
    ((2,), ("word", "hierarchical"), 3, None),
    ((2,), ("phrase",), None, 2),
]


def made(directory, seed, number, setting, **more):
    """The model of the setting of that number."""
    orders, reorderings, *_ = setting
    return make(
        directory,
        seed,
        orders=orders,
        class_order=CLASS_ORDERS[number % 2],
        context=CONTEXT[number % 3],
        reorderings=reorderings,
        **more,
    )


@pytest.mark.parametrize(("number", "setting"), [*enumerate(SETTINGS)])
def test_finds_the_best_of_all_derivations(tmp_path, number, setting):
    *_, distortion_limit, gap_limit = setting
    tiny = made(tmp_path, number, number, setting)
    for length in range(1, 6):
        line = sentence(100 * number + length, length)
        words = tuple(line.split())
        best = max(
            (
                score_of(features_of(tiny.slow, words, steps), tiny.weights)
                for steps in derivations(tiny.slow, words, distortion_limit, gap_limit)
            ),
        )
        for search in SEARCHES:
            options = SearchOptions(
                search=search,
                distortion_limit=distortion_limit,
                gap_limit=gap_limit,
                **WIDE,
            )
            [result] = PhraseSearch(tiny.bundle, options).decode([line])
            assert result.best.score == pytest.approx(best, abs=1e-4), (search, line)


@pytest.mark.parametrize(("number", "setting"), [*enumerate(SETTINGS)])
def test_all_derivations_are_in_the_graph(tmp_path, number, setting):
    *_, distortion_limit, gap_limit = setting
    tiny = made(tmp_path, 50 + number, number, setting)
    line = sentence(500 + number, 4)
    words = tuple(line.split())
    expected = sorted(
        (
            (
                round(score_of(features_of(tiny.slow, words, steps), tiny.weights), 3),
                target_of(steps),
            )
            for steps in derivations(tiny.slow, words, distortion_limit, gap_limit)
        ),
        reverse=True,
    )
    for search in SEARCHES:
        options = SearchOptions(
            search=search, distortion_limit=distortion_limit, gap_limit=gap_limit, **WIDE
        )
        [result] = PhraseSearch(tiny.bundle, options).decode([line], graph=True, graph_values=True)
        found = result.graph.kbest(len(expected) + 10)
        assert len(found) == len(expected)
        assert [entry.score for entry in found] == pytest.approx(
            [score for score, _ in expected], abs=2e-3
        )
        assert sorted(entry.target for entry in found) == sorted(t for _, t in expected)
        total = math.log(math.fsum(math.exp(entry.score) for entry in found))
        assert result.graph.posteriors().log_total == pytest.approx(total, abs=1e-6)
        # Edge scores are weights . values.
        for edge in range(1, result.graph.edges):
            values = result.graph.values(edge)
            score = result.graph.edge(edge).score
            assert float(values @ tiny.bundle.weights) == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(("number", "setting"), [*enumerate(SETTINGS)])
def test_scores_equal_weights_times_features(tmp_path, number, setting, search):
    *_, distortion_limit, gap_limit = setting
    tiny = made(tmp_path, 100 + number, number, setting, options=6)
    options = SearchOptions(
        search=search,
        ttable_threshold=0.5,
        beam_threshold=0.5,
        ttable_limit=3,
        beam_limit=5,
        distortion_limit=distortion_limit,
        gap_limit=gap_limit,
    )
    lines = [sentence(seed, length) for seed in range(3) for length in (1, 4, 12, 70)]
    for line, result in zip(
        lines, PhraseSearch(tiny.bundle, options).decode(lines, nbest=5), strict=True
    ):
        words = tuple(line.split())
        for translation in (result.best, *result.nbest):
            dot = float(translation.features @ tiny.bundle.weights)
            assert translation.score == pytest.approx(dot, abs=1e-3)
            spans = [step.source for step in translation.steps]
            assert sorted(itertools.chain(*(range(*span) for span in spans))) == [
                *range(len(words))
            ]
        assert result.nbest[0].score == pytest.approx(result.best.score, abs=1e-6)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(("number", "setting"), [*enumerate(SETTINGS)])
def test_features_of_a_list_are_those_of_its_derivations(tmp_path, number, setting, search):
    *_, distortion_limit, gap_limit = setting
    tiny = made(tmp_path, 70 + number, number, setting)
    line = f"{sentence(700 + number, 3)} s4"  # the last word is unknown
    words = tuple(line.split())
    known = {
        tuple((step.begin, step.end, " ".join(step.option.target)) for step in steps): features_of(
            tiny.slow, words, steps
        )
        for steps in derivations(tiny.slow, words, distortion_limit, gap_limit)
    }
    options = SearchOptions(
        search=search, distortion_limit=distortion_limit, gap_limit=gap_limit, **WIDE
    )
    [result] = PhraseSearch(tiny.bundle, options).decode([line], nbest=len(known))
    assert len(result.nbest) == len(known)
    for entry in result.nbest:
        expected = known.pop(tuple((*step.source, step.target) for step in entry.steps))
        found = dict(zip(tiny.bundle.features, entry.features.tolist(), strict=True))
        assert found == pytest.approx(expected, abs=1e-4)
    assert not known


def test_forced_decoding_finds_all_and_only_derivations_of_the_reference(tmp_path):
    tiny = make(tmp_path, 7, orders=(3,), reorderings=("word",))
    line = sentence(77, 4)
    words = tuple(line.split())
    by_target: dict[str, list[float]] = {}
    for steps in derivations(tiny.slow, words, 2):
        score = score_of(features_of(tiny.slow, words, steps), tiny.weights)
        by_target.setdefault(target_of(steps), []).append(score)
    references = sorted(by_target)[::7]
    search = PhraseSearch(tiny.bundle, SearchOptions(distortion_limit=2, **WIDE))
    results = search.decode([line] * len(references), references=references, graph=True)
    for reference, result in zip(references, results, strict=True):
        scores = sorted(by_target[reference], reverse=True)
        assert result.best.target == reference
        assert result.best.score == pytest.approx(scores[0], abs=1e-4)
        assert [entry.score for entry in result.graph.kbest(1000)] == pytest.approx(
            scores, abs=1e-3
        )
    [missing] = search.decode([line], references=["t0 t0 t0 t0 t0 t0 t0 t0 t0 t0 nowhere"])
    assert not missing.found
    assert missing.error == ""


@pytest.mark.parametrize("search", ["pharaoh", "estimate", "early"])
@pytest.mark.parametrize("order", [2, 3])
def test_pruned_searches_do_what_the_paper_says(tmp_path, search, order):
    """Output, score, hypotheses counted and words looked up, against paper 000 in plain Python."""
    tiny = make(tmp_path, 20 + order, orders=(order,), options=6, phrases=25)
    lm = LanguageModel.open(tmp_path / "lm1.bin")
    pruned = unseen = 0
    asked = [0, 0]
    for number, vector in enumerate(
        [(0.5, 0.5, 5, 5), (0.3, 1.0, 3, 2), (1.5, 1.0, 20, 10), (0.1, 0.2, 1, 50), (1, 9, 0, 0)]
    ):
        options = SearchOptions(
            search=search,
            ttable_threshold=vector[0],
            beam_threshold=vector[1],
            ttable_limit=vector[2],
            beam_limit=vector[3],
            distortion_limit=3,
            give_up=False,
        )
        for length in (1, 4, 7):
            line = sentence(1000 * number + 10 * length + order, length)
            slow = PrunedSearch(tiny.slow, lm, tiny.weights, options)
            best = slow.best(tuple(line.split()))
            [result] = PhraseSearch(tiny.bundle, options).decode([line])
            assert result.best.target == " ".join(best.target), (vector, line)
            assert result.best.score == pytest.approx(best.score, abs=1e-5)
            assert result.stats.evaluated == slow.evaluated, (vector, line)
            assert result.stats.lm_lookups == slow.lookups, (vector, line)
            # Giving up half-way asks less, and finds and counts the same.
            giving_up = replace(options, give_up=True, estimate_margin=math.inf)
            [given_up] = PhraseSearch(tiny.bundle, giving_up).decode([line])
            assert given_up.best.target == result.best.target
            assert given_up.best.score == result.best.score
            assert given_up.stats.evaluated == slow.evaluated
            assert given_up.stats.lm_lookups <= slow.lookups
            # On its estimate it is given up earlier still; a translation is found all the same.
            doubting = replace(giving_up, estimate_margin=0)
            [doubted] = PhraseSearch(tiny.bundle, doubting).decode([line])
            assert doubted.found
            assert doubted.stats.evaluated <= given_up.stats.evaluated
            unseen += given_up.stats.evaluated - doubted.stats.evaluated
            asked[0] += given_up.stats.lm_lookups
            asked[1] += doubted.stats.lm_lookups
            pruned += slow.lookups - given_up.stats.lm_lookups
    assert pruned > 0
    assert asked[1] < asked[0] if search == "early" else asked[1] == asked[0]
    assert (unseen > 0) == (search == "early")
