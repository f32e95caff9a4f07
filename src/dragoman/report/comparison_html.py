"""A page of translations beside their references, worst and best first, differences marked."""

from __future__ import annotations

import difflib
import html
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.evaluation.scores import MetricResult
from dragoman.evaluation.significance import Comparison
from dragoman.evaluation.unknown_words import UnknownWords
from dragoman.report.page import explained, page, table
from dragoman.report.unknown_html import unknown_section


@dataclass(frozen=True)
class SentenceRow:
    """What the page shows of one sentence."""

    number: int  # counted from 1
    score: float
    hypothesis: str
    reference: str
    source: str | None = None
    baseline: str | None = None


def comparison_page(
    title: str,
    results: Sequence[MetricResult],
    sections: Sequence[tuple[str, Sequence[SentenceRow]]],
    *,
    baseline: str = "",
    unknown: UnknownWords | None = None,
) -> str:
    """The whole page: corpus scores, with those of the baseline of that name if there is one,
    then the sentences of each section in the order given."""
    articles = "".join(
        f"<h2>{html.escape(heading)}</h2>{''.join(map(_article, rows))}"
        for heading, rows in sections
        if rows
    )
    missed = f"<h2>Unknown words</h2>{unknown_section(unknown)}" if unknown is not None else ""
    return page(
        title,
        _summary(results, baseline)
        + missed
        + "<h2>Sentences</h2>"
        + '<p class="faint">Each has its number and its chrF. Words only in the translation are '
        + f"<del>marked so</del>, words only in the reference <ins>so</ins>.</p>{articles}",
    )


def _summary(results: Sequence[MetricResult], baseline: str) -> str:
    compared = any(one.comparison for one in results)
    headings = ["metric", "score"]
    headings += ["baseline", "difference (95 %)", "p AR", "p boot", "verdict"] * compared
    rows = []
    for one in results:
        row = [html.escape(one.score.metric), f"{one.score.value:.2f}"]
        if one.comparison is not None:
            row += _compared(one.comparison, better=one.metric.higher_is_better)
        rows.append(row)
    said = table(headings, rows, frozenset(range(1, 6 if compared else 2)))
    said += explained([one.score for one in results])
    if compared:
        said += (
            f'<p class="faint">The baseline is {html.escape(baseline)}. In 95 of 100 test sets '
            "drawn anew from these sentences the difference lies between the numbers in brackets. "
            "<b>p AR</b> (approximate randomisation) is how often a difference as large comes "
            "about when the two translations of each sentence are exchanged at random; "
            "<b>p boot</b> (bootstrap) how often the system does not win on a test set drawn "
            "anew. Below 0.05 luck is an unlikely explanation.</p>"
        )
    return said


LUCK = 0.05  # the usual level of significance


def _compared(one: Comparison, *, better: bool) -> list[str]:
    """The baseline's score and what can be said of the difference."""
    low, high = one.interval
    difference = one.system - one.baseline
    verdict = "may be luck"
    if one.p_randomisation < LUCK and difference:
        verdict = "better" if (difference > 0) == better else "worse"
    return [
        f"{one.baseline:.2f}",
        f"{difference:+.2f} ({low:+.2f} to {high:+.2f})",
        f"{one.p_randomisation:.3f}",
        f"{one.p_bootstrap:.3f}",
        verdict,
    ]


def _article(row: SentenceRow) -> str:
    hypothesis, reference = mark_differences(row.hypothesis, row.reference)
    entries = [("translation", hypothesis), ("reference", reference)]
    if row.baseline is not None:
        entries.insert(0, ("baseline", mark_differences(row.baseline, row.reference)[0]))
    if row.source is not None:
        entries.insert(0, ("source", html.escape(row.source)))
    listed = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in entries)
    return f"<article><h3>{row.number} · {row.score:.1f}</h3><dl>{listed}</dl></article>"


def mark_differences(hypothesis: str, reference: str) -> tuple[str, str]:
    """Both lines as HTML, with the words that the other lacks marked."""
    left, right = hypothesis.split(), reference.split()
    marked_left, marked_right = [], []
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        here, there = html.escape(" ".join(left[i:j])), html.escape(" ".join(right[k:m]))
        marked_left.append(here if kind == "equal" else f"<del>{here}</del>" if here else "")
        marked_right.append(there if kind == "equal" else f"<ins>{there}</ins>" if there else "")
    return " ".join(filter(None, marked_left)), " ".join(filter(None, marked_right))
