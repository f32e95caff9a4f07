"""Pages and pictures: what is drawn where, and that nothing else changes by accident.

A change on purpose is looked at in a browser and written down by
python -m tests.report.test_pages
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from dragoman.evaluation.metric import Score
from dragoman.evaluation.metrics import make_metric
from dragoman.evaluation.scores import MetricResult
from dragoman.evaluation.significance import Comparison
from dragoman.evaluation.unknown_words import UnknownWord, UnknownWords
from dragoman.report.alignment_svg import alignment_svg
from dragoman.report.charts_svg import curve_svg, histogram_svg
from dragoman.report.comparison_html import SentenceRow, comparison_page, mark_differences
from dragoman.report.training_html import (
    AlignedPair,
    Phrase,
    SampleTranslation,
    ScoredTest,
    TrainingStory,
    training_page,
)

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "report"

STORY = TrainingStory(
    title="a <b> & c",
    corpus={"read": 12345, "kept": 12000},
    source_lengths=[0, 3, 10, 4],
    target_lengths=[0, 1, 12],
    metric="BLEU",
    rounds=[20.5, 23.25, 22.0],
    outcome="no better for 1 rounds",
    weights={"lm": 0.25, "words": -0.125},
    alignments=[AlignedPair(["das", "haus"], ["the", "big", "家"], [(0, 0), (1, 2)])],
    samples=[
        SampleTranslation(
            "das grosse haus &",
            [
                Phrase((3, 4), "&", unknown=True),
                Phrase((0, 1), "the"),
                Phrase((1, 3), "big house"),
            ],
            "the big house",
        ),
        SampleTranslation(" ".join("abcdefghi"), [Phrase((i, i + 1), "") for i in range(9)], "x"),
    ],
)
RESULT = MetricResult(
    make_metric("bleu"), np.zeros((1, 1)), Score("BLEU", 23.456, "nrefs:1|case:mixed")
)
COMPARED = Comparison(20.0, 23.456, 0.001, 0.002, (1.0, 6.0))
UNKNOWN = UnknownWords(200, 3, (UnknownWord("zwie<back", 2, "a zwie<back & b"),))
PAGES = {
    "training.html": lambda: training_page(
        replace(STORY, languages=("de", "en"), test=ScoredTest(1234, [RESULT.score], UNKNOWN))
    ),
    "comparison.html": lambda: comparison_page(
        "old & new",
        [RESULT, replace(RESULT, comparison=COMPARED)],
        [
            ("worst", [SentenceRow(7, 1.25, "a b c", "a x c d"),
                       SentenceRow(9, 2.0, "a", "a", source="s <", baseline="b a")]),
            ("none", []),
        ],
        baseline="the <old> one",
        unknown=UNKNOWN,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_as_they_were(name):
    assert PAGES[name]() == (GOLDEN / name).read_text("utf-8")


def elements(svg, kind):
    root = ElementTree.fromstring(svg)
    return [one for one in root.iter() if one.tag.rpartition("}")[2] == kind]


def test_the_curve_lies_where_its_values_are():
    svg = curve_svg([10.0, 20.0, 15.0], "t", "x", "y")
    places = [(float(one.get("cx")), float(one.get("cy"))) for one in elements(svg, "circle")]
    # From the left to the right edge, the margin at top and bottom 8 of 100 of the range.
    assert places == [(48.0, 174.0), (249.0, 24.0), (450.0, 99.0)]
    line = elements(svg, "polyline")[0].get("points")
    assert line == " ".join(f"{x},{y}" for x, y in places)
    assert [one.text for one in elements(svg, "title")] == [
        "t",
        "1: 10.00",
        "2: 20.00",
        "3: 15.00",
    ]
    assert elements(svg, "text")[-1].text == "y"


def test_curves_of_one_value_of_equal_ones_and_of_none():
    assert curve_svg([], "t", "x", "y") == ""
    (one,) = elements(curve_svg([5.0], "t", "x", "y"), "circle")
    assert (one.get("cx"), one.get("cy")) == ("48.0", "99.0")
    assert {c.get("cy") for c in elements(curve_svg([5.0, 5.0], "t", "x", "y"), "circle")} == {
        "99.0"
    }


@pytest.mark.parametrize(("rounds", "marks"), [(3, "123"), (19, None), (25, None)])
def test_marks_of_a_curve_do_not_crowd(rounds, marks):
    svg = curve_svg([float(i) for i in range(rounds)], "t", "x", "y")
    labels = [one.text for one in elements(svg, "text") if one.get("y") == "201"]
    assert labels[0] == "1"
    assert len(labels) <= 19
    assert marks is None or "".join(labels) == marks
    if rounds == 25:
        assert labels == [str(i) for i in range(1, 26, 2)]


def test_bars_are_as_high_as_their_counts():
    svg = histogram_svg((("a", [0, 20, 10]), ("b", [5])), "t", "x", "y")
    bars = [{k: float(one.get(k)) for k in ("x", "y", "width", "height")}
            for one in elements(svg, "rect")]  # fmt: skip
    # 174 units high for 21 sentences; a third of 402 units for each size, shared by 2.4 bars.
    assert [round(bar["height"], 1) for bar in bars] == [165.7, 82.9, 41.4]
    assert all(bar["y"] + bar["height"] == pytest.approx(186, abs=0.02) for bar in bars)
    width = 402 / 3 / 2.4
    assert [bar["x"] for bar in bars] == pytest.approx([48 + 134, 48 + 268, 48 + width], abs=0.01)
    assert {bar["width"] for bar in bars} == {round(width, 2)}
    assert [one.get("fill") for one in elements(svg, "rect")] == ["#1e88e5"] * 2 + ["#e53935"]
    for nothing in ((), (("a", []),), (("a", [0, 0]),)):
        assert histogram_svg(nothing, "t", "x", "y") == ""


def test_labels_of_the_other_axis():
    small = curve_svg([0.0, 10.0], "t", "x", "y")
    labels = [one.text for one in elements(small, "text") if one.get("text-anchor") == "end"]
    assert labels == ["-0.8", "2.1", "5.0", "7.9", "10.8"]
    large = curve_svg([0.0, 4000.0], "t", "x", "y")
    labels = [one.text for one in elements(large, "text") if one.get("text-anchor") == "end"]
    assert labels == ["-320", "840", "2,000", "3,160", "4,320"]


def test_links_lie_in_their_cells():
    svg = alignment_svg(["ab", "c"], ["xyz", "w"], [(0, 1), (1, 0)])
    left, top = 6 + 7.5 * 2, 6 + 7.5 * 3
    cells = [(float(one.get("x")) - left - 3, float(one.get("y")) - top - 3)
             for one in elements(svg, "rect")]  # fmt: skip
    assert cells == [(18.0, 0.0), (0.0, 18.0)]
    wide = alignment_svg(["漢"], ["a"], [])
    assert float(elements(wide, "text")[0].get("x")) == pytest.approx(6 + 7.5 * 1.8 - 4)


def test_ter_is_better_when_it_falls():
    for metric, expected in (
        ("TER", "50.00 before, 40.00 after"),
        ("BLEU", "50.00 before, 60.00"),
    ):
        page = training_page(replace(STORY, metric=metric, rounds=[50.0, 40.0, 60.0]))
        assert f"{metric} on the dev set: {expected}" in page
    without = training_page(replace(STORY, rounds=[], samples=[]))
    assert "on the dev set:" not in without
    assert "<p>There is no dev set.</p>" in without


def test_a_phrase_and_its_translation_have_one_colour_and_neighbours_different_ones():
    page = training_page(STORY)
    coloured = re.findall(r"hsl\((\d+) [^>]*>([^<]*)</span>", page)[:6]
    hues = {text: hue for hue, text in coloured}
    assert hues["das"] == hues["the"] == "210"
    assert hues["grosse haus"] == hues["big house"] == "30"
    assert [text for _, text in coloured[:3]] == ["das", "grosse haus", "&amp;"]
    assert [text for _, text in coloured[3:]] == ["&amp;", "the", "big house"]
    assert page.count("outline:1px dashed") == 2


def test_a_difference_has_a_verdict():
    for change, verdict in (
        ({}, "better"),
        ({"baseline": 30.0}, "worse"),
        ({"p_randomisation": 0.2}, "may be luck"),
        ({"baseline": 23.456, "p_randomisation": 0.001}, "may be luck"),
    ):
        shown = comparison_page("t", [replace(RESULT, comparison=replace(COMPARED, **change))], [])
        assert f"<td class=n>{verdict}</td>" in shown or f"<td>{verdict}</td>" in shown
    fewer = replace(RESULT, metric=make_metric("ter"), comparison=COMPARED)
    assert "<td>worse</td>" in comparison_page("t", [fewer], [])


def test_what_was_not_said_is_not_shown():
    bare = training_page(STORY)
    assert "Nobody said which languages" in bare
    assert "There is no test set" in bare
    assert "From German (de) to English (en)." in PAGES["training.html"]()
    assert "The baseline is" not in comparison_page("t", [RESULT], [])


@pytest.mark.parametrize("value", [12.0, 4000.0, 87_654_321.0])
def test_numbers_beside_an_axis_have_room(value):
    for one in elements(curve_svg([0.0, value], "t", "x", "y"), "text"):
        if one.get("text-anchor") == "end":
            # Half a line height for what is counted, which stands on the left edge.
            assert float(one.get("x")) - 7 * len(one.text) >= 15


def test_differences_by_hand():
    assert mark_differences("a b c", "a x c d") == (
        "a <del>b</del> c",
        "a <ins>x</ins> c <ins>d</ins>",
    )
    assert mark_differences("", "a <") == ("", "<ins>a &lt;</ins>")
    assert mark_differences("a", "a") == ("a", "a")


if __name__ == "__main__":
    for name, make in PAGES.items():
        (GOLDEN / name).write_text(make(), "utf-8")
