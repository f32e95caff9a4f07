"""A page of translations beside their references, worst and best first, differences marked."""

from __future__ import annotations

import difflib
import html
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.evaluation.metric import Score

_STYLE = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; line-height: 1.4; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem; text-align: left; }
article { border-top: 1px solid #8886; padding: .6rem 0; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: .1rem .6rem; margin: 0; }
dt { opacity: .7; } dd { margin: 0; }
del, ins { text-decoration: none; } del { background: #e5393540; } ins { background: #43a04740; }
"""


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
    title: str, scores: Sequence[Score], sections: Sequence[tuple[str, Sequence[SentenceRow]]]
) -> str:
    """The whole page: corpus scores, then the sentences of each section in the order given."""
    summary = "".join(
        f"<tr><td>{html.escape(score.metric)}</td><td>{score.value:.2f}</td>"
        f"<td><code>{html.escape(score.signature)}</code></td></tr>"
        for score in scores
    )
    articles = "".join(
        f"<h2>{html.escape(heading)}</h2>{''.join(map(_article, rows))}"
        for heading, rows in sections
        if rows
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"<h1>{html.escape(title)}</h1>"
        f"<table><tr><th>metric</th><th>score</th><th>signature</th></tr>{summary}</table>"
        "<p>Words only in the translation are <del>marked so</del>, words only in the reference "
        f"<ins>so</ins>.</p>{articles}</html>\n"
    )


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
