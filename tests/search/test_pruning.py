"""What each way of pruning keeps, exactly, seen in the picture of a search."""

import math
from itertools import pairwise

import pytest
from tests.search.tiny import make, sentence

from dragoman.search.options import SearchOptions
from dragoman.search.stack import PhraseSearch

WIDE = {
    "ttable_threshold": math.inf,
    "beam_threshold": math.inf,
    "ttable_limit": 0,
    "beam_limit": 0,
}
LENGTH = 4
LINES = [sentence(seed, LENGTH) for seed in range(3)]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return make(tmp_path_factory.mktemp("pruned"), 5, orders=(3,), options=4, phrases=20)


def picture(bundle, line, weights=None, **options):
    search = PhraseSearch(bundle, SearchOptions(**{**WIDE, **options}), weights=weights)
    [result] = search.decode([line], picture=True)
    return result.picture


def stack(seen, covered):
    return [
        (one.source, one.target, pytest.approx(one.total))
        for one in seen.hypotheses
        if one.covered == covered
    ]


@pytest.mark.parametrize("search", ["pharaoh", "estimate"])
def test_a_stack_keeps_its_limit_and_no_more(tiny, search):
    """Nothing was pruned before the first stack, so that its best are the best of all."""
    for line in LINES:
        everything = stack(picture(tiny.bundle, line, search=search), 1)
        assert len(everything) > 5
        for limit in range(1, len(everything) + 2):
            seen = picture(tiny.bundle, line, search=search, beam_limit=limit)
            assert stack(seen, 1) == everything[:limit]
            dropped = max(0, len(everything) - limit)
            assert seen.stacks[1].pruned_limit == dropped
            for covered in range(1, LENGTH + 1):
                assert len(stack(seen, covered)) <= limit
    assert len(stack(seen, LENGTH)) == 1


@pytest.mark.parametrize("search", ["pharaoh", "estimate"])
def test_a_stack_keeps_what_is_within_the_threshold_of_its_best(tiny, search):
    for line in LINES:
        seen = picture(tiny.bundle, line, search=search)
        totals = [one.total for one in seen.hypotheses if one.covered == 1]
        assert totals == sorted(totals, reverse=True)
        gaps = [totals[0] - total for total in totals]
        for before, behind in pairwise(gaps):
            if behind - before < 1e-6:
                continue
            threshold = (before + behind) / 2
            pruned = picture(tiny.bundle, line, search=search, beam_threshold=threshold)
            assert stack(pruned, 1) == stack(seen, 1)[: gaps.index(before) + 1]
            for covered in range(1, LENGTH + 1):
                kept = [one.total for one in pruned.hypotheses if one.covered == covered]
                assert kept[-1] >= kept[0] - threshold - 1e-9


def test_early_pruning_drops_what_falls_behind_its_stack_by_the_threshold(tiny):
    """Without a language model, whose scores can only be estimated, it is exact."""
    weights = tiny.bundle.weights.copy()
    weights[tiny.bundle.features.index("lm")] = 0
    for line in LINES:
        wide = picture(tiny.bundle, line, weights, search="estimate")
        start = wide.hypotheses[0].total
        first = {(one.source, one.target): one.total for one in wide.hypotheses if one.back == 0}
        gaps = sorted({round(start - total, 9) for total in first.values()})
        assert len(gaps) > 5
        for before, behind in list(pairwise(gaps))[::3]:
            if behind - before < 1e-5:
                continue
            threshold = (before + behind) / 2
            for options in (
                {"early_threshold": threshold},
                {"early_threshold": threshold, "ttable_threshold": 100.0},
            ):
                early = picture(tiny.bundle, line, weights, search="early", **options)
                kept = {(one.source, one.target) for one in early.hypotheses if one.back == 0}
                assert kept == {key for key, total in first.items() if start - total < threshold}
                tops = [
                    max(one.total for one in early.hypotheses if one.covered == covered)
                    for covered in range(LENGTH + 1)
                    if any(one.covered == covered for one in early.hypotheses)
                ]
                assert len(tops) >= 2
                for one in early.hypotheses[1:]:
                    best = max(
                        other.total
                        for other in early.hypotheses
                        if other.covered == early.hypotheses[one.back].covered
                    )
                    assert one.total >= best - threshold - 1e-6


def test_the_threshold_of_the_table_is_that_of_early_pruning_unless_told(tiny):
    def sizes(line, **options):
        seen = picture(tiny.bundle, line, search="early", ttable_threshold=0.1, **options)
        return [len(stack(seen, covered)) for covered in range(LENGTH + 1)]

    own = [sizes(line) for line in LINES]
    assert own == [sizes(line, early_threshold=0.1) for line in LINES]
    assert own != [sizes(line, early_threshold=2.0) for line in LINES]


def test_limits_and_thresholds_of_the_table(tiny):
    """Of the translations of one word, alone in its sentence, the best by their own estimate."""
    weights = tiny.bundle.weights.copy()
    weights[tiny.bundle.features.index("lm")] = 0
    for word in ("s0", "s1", "s2"):
        wide = picture(tiny.bundle, f"{word} s4", weights, search="estimate")
        own = [one for one in wide.hypotheses if one.source == (0, 1) and one.back == 0]
        targets, totals = [one.target for one in own], [one.total for one in own]
        for limit in range(1, len(own) + 1):
            seen = picture(
                tiny.bundle, f"{word} s4", weights, search="estimate", ttable_limit=limit
            )
            found = [
                one.target for one in seen.hypotheses if one.source == (0, 1) and one.back == 0
            ]
            assert found == targets[:limit]
        for at in range(len(own) - 1):
            threshold = totals[0] - (totals[at] + totals[at + 1]) / 2
            seen = picture(
                tiny.bundle, f"{word} s4", weights, search="estimate", ttable_threshold=threshold
            )
            found = [
                one.target for one in seen.hypotheses if one.source == (0, 1) and one.back == 0
            ]
            assert found == targets[: at + 1]


def test_a_stack_keeps_nothing_that_early_pruning_would_never_extend(tiny):
    """Whatever it has room for; without the rule they would fill it up."""
    refused = 0
    for line in LINES:
        for threshold in (0.0, 0.1, 0.4):
            seen = picture(tiny.bundle, line, search="early", early_threshold=threshold)
            for covered in range(1, LENGTH):
                totals = [one.total for one in seen.hypotheses if one.covered == covered]
                assert all(total >= max(totals) - threshold - 1e-6 for total in totals)
                refused += seen.stacks[covered].pruned_threshold
    assert refused > 0
