import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dragoman.errors import InputError, UsageError
from dragoman.report.sweep import Sweep, grids, load, options_at, pick, save
from dragoman.report.sweep_comparison import (
    comparison,
    correlations,
    fixed,
    hulls,
    ratios,
    same_settings,
)
from dragoman.report.sweep_comparison import table as comparison_table
from dragoman.report.sweep_points import Measurement, Point, hull
from dragoman.search.options import SearchOptions


def point(search, bleu, ms, vector=(1.5, 1.0, 20, 10)):
    return Point(search, *vector, bleu, ms, 10 * ms, -1.0)


def table(points):
    return comparison_table(points, comparison(points))


def sweep(measure, base, searches=("pharaoh", "estimate", "early"), **how):
    return Sweep(measure, base).run(searches, **how)


POINTS = [
    point("pharaoh", 30.0, 100.0),
    point("pharaoh", 29.0, 10.0),
    point("estimate", 30.0, 30.0),
    point("early", 30.0, 9.0),
    point("early", 29.99, 4.0),
    point("early", 29.0, 1.0),
    point("early", 28.0, 3.0),
]


def test_hull():
    early = [p for p in POINTS if p.search == "early"]
    assert [p.bleu for p in hull(early, lambda p: p.ms_per_word)] == [29.0, 29.99, 30.0]


def test_pick():
    assert pick(POINTS, "best").ms_per_word == 9.0
    assert pick(POINTS, "fast").ms_per_word == 4.0
    assert pick(POINTS, "1.5").bleu == 29.0
    assert pick(POINTS, "best", "pharaoh").ms_per_word == 100.0
    for wish in ("nothing", "-1", "0.5"):
        with pytest.raises(UsageError):
            pick(POINTS, wish)
    with pytest.raises(InputError):
        pick([], "best")


@pytest.mark.parametrize(
    ("wish", "bleu", "ms"),
    [
        ("100", 30.0, 9.0),  # of equally good ones the fastest, not whatever fits
        ("9", 30.0, 9.0),  # the budget itself is within the budget
        ("8.99", 29.99, 4.0),
        ("4", 29.99, 4.0),
        ("3.5", 29.0, 1.0),  # not the nearest to the budget, which is worse
        ("1", 29.0, 1.0),
        ("best", 30.0, 9.0),
        ("fast", 29.99, 4.0),
    ],
)
def test_pick_by_hand(wish, bleu, ms):
    chosen = pick(POINTS, wish)
    assert (chosen.search, chosen.bleu, chosen.ms_per_word) == ("early", bleu, ms)
    assert pick(POINTS[::-1], wish) == chosen


def test_fast_may_lose_two_hundredths_and_no_more():
    points = [point("early", 30.0, 9.0), point("early", 29.98, 5.0), point("early", 29.97, 1.0)]
    assert pick(points, "fast").ms_per_word == 5.0
    assert pick(points, "best").ms_per_word == 9.0


def test_pick_says_what_the_fastest_takes():
    with pytest.raises(UsageError, match=r"takes 0\.5 ms a word or less; the fastest 1$"):
        pick(POINTS, "0.5")
    with pytest.raises(UsageError, match="not '0'"):
        pick(POINTS, "0")


def slow_hull(points):
    """Those that no line between two others, over the logarithm of effort, is at or above, up to
    the best of them."""
    best = max(p.bleu for p in points)
    cheapest_best = min(p.ms_per_word for p in points if p.bleu == best)
    kept = []
    for p in points:
        if p.ms_per_word > cheapest_best:
            continue
        if any(q.ms_per_word <= p.ms_per_word and q.bleu >= p.bleu and q is not p for q in points):
            continue
        x = math.log(p.ms_per_word)
        under = False
        for q, r in itertools.permutations(points, 2):
            left, right = math.log(q.ms_per_word), math.log(r.ms_per_word)
            if left < x < right:
                line = q.bleu + (r.bleu - q.bleu) * (x - left) / (right - left)
                under |= line >= p.bleu - 1e-12
        if not under:
            kept.append(p)
    return sorted(kept, key=lambda p: p.ms_per_word)


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=6,
                unique=True))  # fmt: skip
@settings(deadline=None, max_examples=60)
def test_the_hull_is_the_slow_one(places):
    # Points on one line are kept or not as rounding has it.
    for (a, x), (b, y), (c, z) in itertools.combinations(places, 3):
        assume((y - x) * (c - a) != (z - x) * (b - a))
    points = [point("early", float(bleu), float(2**ms)) for bleu, ms in places]
    assert hull(points, lambda p: p.ms_per_word) == slow_hull(points)


def test_ratios_at_the_highest_common_bleu():
    rows = {(row["bleu"], row["search"]): row["ms_per_word"] for row in ratios(POINTS)}
    assert rows[30.0, "pharaoh"] == 100.0
    assert rows[30.0, "early"] == 9.0
    assert rows[29.98, "early"] == 4.0
    assert "pharaoh : estimate = 3.3 in time" in table(POINTS)
    assert "pharaoh : early = 11.1 in time" in table(POINTS)


def test_ratios_at_the_highest_common_score():
    found = [replace(p, model_score=-p.ms_per_word / 10) for p in POINTS]
    rows = {row["search"]: row for row in ratios(found, "model_score")}
    assert {row["model_score"] for row in rows.values()} == {-3.0}  # estimate's only point
    assert rows["pharaoh"]["ms_per_word"] == 10.0
    assert rows["early"]["hypotheses_per_word"] == 10.0
    assert "score -3.00: pharaoh : early = 10.0 in time, 10.0 in hypotheses" in table(found)
    early = [p for p in found if p.search == "early"]
    assert [p.ms_per_word for p in hull(early, lambda p: p.ms_per_word, "model_score")] == [1.0]


def test_files(tmp_path):
    save(tmp_path, POINTS)
    assert load(tmp_path) == POINTS
    assert json.loads((tmp_path / "sweep.json").read_text())["ratios"]
    (tmp_path / "sweep.json").write_text("{}")
    with pytest.raises(InputError, match="damaged"):
        load(tmp_path)


def test_climbs_to_the_best_of_a_smooth_hill():
    def measure(options):
        # Quality rises with every parameter and flattens; effort is their product.
        effort = options.ttable_threshold * options.beam_threshold
        effort *= options.ttable_limit * options.beam_limit
        quality = min(options.ttable_threshold, 2.0) + min(options.beam_threshold, 1.5)
        quality += min(options.ttable_limit, 15) / 10 + min(options.beam_limit, 20) / 10
        return Measurement(quality, effort, effort, 0.0)

    found = sweep(measure, SearchOptions(), ("early",), max_points=200)
    assert max(p.bleu for p in found) == pytest.approx(2.0 + 1.5 + 1.5 + 2.0)
    assert len({p.vector for p in found}) == len(found) <= 200
    axes = grids("early")
    assert all(value in axis for p in found for value, axis in zip(p.vector, axes, strict=True))
    assert len(sweep(measure, SearchOptions(), ("early",), max_points=7)) == 7


def test_grids_are_those_of_the_paper():
    thresholds, limits = (0.5, 1.0, 1.5, 2.0, 2.5), (5, 10, 15, 20, 25)
    assert grids("early") == grids("estimate") == (thresholds, thresholds, limits, limits)
    wide = (*limits, 30, 35, 40, 45, 50, 60, 75, 100)
    assert grids("pharaoh") == (thresholds, thresholds, limits, wide)


def test_it_begins_at_the_papers_best_and_goes_one_step_at_a_time():
    tried = []

    def measure(options):
        tried.append((options.search, options.ttable_threshold, options.beam_threshold,
                      options.ttable_limit, options.beam_limit))  # fmt: skip
        return Measurement(1.0, 1.0, 1.0, 0.0)

    found = sweep(measure, SearchOptions(), ("early", "pharaoh"), max_points=9)
    assert [p.search for p in found] == ["early"] * 9 + ["pharaoh"] * 9
    early, pharaoh = tried[:9], tried[9:]
    assert early[0] == ("early", 1.5, 1.0, 20, 10)
    assert pharaoh[:2] == [("pharaoh", 1.5, 1.0, 20, 10), ("pharaoh", 1.5, 1.0, 20, 75)]
    for search, own, missing in (("early", early[1:], 0), ("pharaoh", pharaoh[2:], 1)):
        steps = {
            (search, 1.0, 1.0, 20, 10), (search, 2.0, 1.0, 20, 10),
            (search, 1.5, 0.5, 20, 10), (search, 1.5, 1.5, 20, 10),
            (search, 1.5, 1.0, 15, 10), (search, 1.5, 1.0, 25, 10),
            (search, 1.5, 1.0, 20, 5), (search, 1.5, 1.0, 20, 15),
        }  # fmt: skip
        assert set(own) <= steps
        assert len(steps - set(own)) == missing


def test_the_whole_grid_at_one_ttable_limit():
    found = sweep(
        lambda options: Measurement(1, 1, 1, 1),
        SearchOptions(),
        ("early", "pharaoh"),
        grid=True,
        max_points=1,
    )
    assert len({(p.search, p.vector) for p in found}) == len(found) == 125 + 325
    assert {p.ttable_limit for p in found} == {20}


def test_early_prunings_threshold_is_the_ttables():
    """A model whose search.toml unties them must not spoil the sweep, nor what is picked."""
    seen = []
    base = SearchOptions(early_threshold=0.25, distortion_limit=5)

    def measure(options):
        seen.append(options)
        return Measurement(1, 1, 1, 1)

    sweep(measure, base, ("early",), max_points=3)
    assert [options.early_threshold for options in seen] == [None] * 3
    assert {options.distortion_limit for options in seen} == {5}
    assert options_at(base, "early", (0.5, 1.0, 5, 5)) == SearchOptions(
        search="early", ttable_threshold=0.5, beam_threshold=1.0, ttable_limit=5, beam_limit=5,
        distortion_limit=5, estimate_margin=math.inf,
    )  # fmt: skip


SAME = [
    point("pharaoh", 29.0, 8.0, (0.5, 1.0, 20, 10)),
    point("pharaoh", 30.0, 20.0),
    point("pharaoh", 30.5, 90.0, (1.5, 1.0, 20, 75)),
    point("estimate", 29.5, 10.0, (0.5, 1.0, 20, 10)),
    point("estimate", 30.2, 10.0),
    point("early", 29.5, 2.0, (0.5, 1.0, 20, 10)),
    point("early", 30.4, 5.0),
]


def test_same_settings_by_hand():
    one, other = same_settings(SAME)
    assert other["searches"] == ["pharaoh", "estimate"]
    assert other["settings"] == 2
    assert other["bleu_difference"] == pytest.approx([0.2, 0.35, 0.5])
    assert other["time_ratio"] == pytest.approx([0.8, 1.4, 2.0])
    assert one["searches"] == ["estimate", "early"]
    assert one["time_ratio"] == pytest.approx([2.0, 3.5, 5.0])
    assert one["score_difference"] == [0.0, 0.0, 0.0]
    assert "early - estimate BLEU +0.00/+0.10/+0.20" in table(SAME)


def test_the_papers_own_vectors_by_hand():
    draws = {
        ("pharaoh", (1.5, 1.0, 20, 75)): np.linspace(30.0, 31.0, 1001),
        ("early", (1.5, 1.0, 20, 10)): np.linspace(30.0, 31.0, 1001) - 0.1,
    }
    rows = {tuple(row["searches"]): row for row in fixed(SAME, draws)}
    row = rows["pharaoh", "early"]
    assert row["time_ratio"] == 18.0
    assert row["hypotheses_ratio"] == 18.0
    assert row["bleu"] == [30.5, 30.4]
    assert row["bleu_difference_interval"] == pytest.approx([-0.1, -0.1])
    assert "bleu_difference_interval" not in rows["estimate", "early"]
    assert len(rows) == 3
    assert "pharaoh (1.5, 1, 20, 75) : early (1.5, 1, 20, 10) = 18.0 in time" in table(SAME)


def test_correlations_and_hulls_by_hand(tmp_path):
    crooked = [replace(p, hypotheses_per_word=7.0) if p.bleu == 30.5 else p for p in SAME]
    found = correlations(crooked)
    assert found["early"] == pytest.approx(1.0)
    # of (8, 20, 90) and (80, 200, 7)
    assert found["pharaoh"] == pytest.approx(-0.6973, abs=1e-4)
    assert "estimate" not in found  # its times are all the same
    by_time = next(
        one for one in hulls(SAME)
        if (one["search"], one["effort"], one["quality"]) == ("early", "ms_per_word", "bleu")
    )  # fmt: skip
    assert by_time["points"] == [
        {"vector": [0.5, 1.0, 20, 10], "bleu": 29.5, "ms_per_word": 2.0},
        {"vector": [1.5, 1.0, 20, 10], "bleu": 30.4, "ms_per_word": 5.0},
    ]
    text = save(tmp_path, SAME)
    assert (tmp_path / "sweep.txt").read_text() == text
    assert "hull of BLEU over ms_per_word: early\n  0.5 1.0 20 10: BLEU 29.50, 2\n" in text
    written = json.loads((tmp_path / "sweep.json").read_text())
    assert {"points", "ratios", "fixed", "same_settings", "correlations", "hulls"} == set(written)


def test_intervals_come_from_resampling():
    [one] = sweep(
        lambda options: Measurement(30, 1, 1, 1, 2, np.arange(1001.0)), SearchOptions(),
        ("early",), max_points=1,
    )  # fmt: skip
    assert (one.bleu_low, one.bleu_high, one.lm_lookups_per_word) == (25.0, 975.0, 2)
    assert "BLEU 25.00 to 975.00" in table([one])


def test_the_corners_of_the_grid_are_reached():
    """Quality rises towards small values, whose steps end at the first of each axis."""

    def measure(options):
        size = options.ttable_threshold + options.beam_threshold
        size += options.ttable_limit + options.beam_limit
        return Measurement(-size, 1.0, 1.0, -size)

    lowest = [p.vector for p in sweep(measure, SearchOptions(), ("early",), max_points=400)]
    assert (0.5, 0.5, 5, 5) in lowest
    assert len(lowest) == len(set(lowest))


@pytest.mark.parametrize(("quality", "best"), [("bleu", 2.5), ("model_score", 0.5)])
def test_it_climbs_by_what_is_asked_for(quality, best):
    def measure(options):
        return Measurement(options.beam_threshold, 1.0, 1.0, -options.beam_threshold)

    found = sweep(measure, SearchOptions(), ("early",), max_points=25, quality=quality)
    assert max(found, key=lambda p: p.by(quality)).beam_threshold == best


def test_every_search_is_tried_unless_told():
    found = sweep(lambda options: Measurement(1, 1, 1, 1), SearchOptions(), max_points=1)
    assert [p.search for p in found] == ["pharaoh", "estimate", "early"]


def test_the_table_by_hand():
    lines = table([point("early", 29.5, 4.0), point("early", 29.0, 1.0)]).splitlines()
    assert lines[1] == ("early      1.50  1.00    20    10  29.00   1.0000       10.00  -1.0000")
    assert lines[2].split()[5:7] == ["29.50", "4.0000"]
    assert lines[3] == ""
    assert lines[4] == "correlation of time and hypotheses: early 1.000"
    assert lines[5:] == [
        "hull of BLEU over ms_per_word: early",
        "  1.5 1.0 20 10: BLEU 29.00, 1",
        "  1.5 1.0 20 10: BLEU 29.50, 4",
        "hull of BLEU over hypotheses_per_word: early",
        "  1.5 1.0 20 10: BLEU 29.00, 10",
        "  1.5 1.0 20 10: BLEU 29.50, 40",
    ]


@pytest.mark.slow
def test_what_pictures_show(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    from dragoman.report.sweep_plots import draw

    drawn = {}
    monkeypatch.setattr(Figure, "savefig", lambda self, path, **_: drawn.update({path.name: self}))
    draw([p for p in POINTS if p.search != "estimate"], tmp_path)
    for name, label, factor in (
        ("sweep-time.png", "milliseconds per word", 1),
        ("sweep-space.png", "partial hypotheses evaluated per word", 10),
    ):
        (axes,) = drawn[name].axes
        assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale()) == (label, "BLEU", "log")
        assert [text.get_text() for text in axes.get_legend().get_texts()] == ["pharaoh", "early"]
        pharaoh, _, early, upper = axes.lines
        assert pharaoh.get_xdata().tolist() == [100 * factor, 10 * factor]
        assert early.get_ydata().tolist() == [30.0, 29.99, 29.0, 28.0]
        assert upper.get_xdata().tolist() == [factor, 4 * factor, 9 * factor]
        assert early.get_alpha() < 0.5 < (upper.get_alpha() or 1)


@pytest.mark.slow
def test_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    from dragoman.report.sweep_plots import draw

    for path in draw(POINTS, tmp_path):
        assert path.read_bytes().startswith(b"\x89PNG")
