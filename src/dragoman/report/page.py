"""What pages about models share: one file each, nothing from elsewhere, light and dark."""

from __future__ import annotations

import html
from collections.abc import Sequence

from dragoman.evaluation.metric import Score

STYLE = """
:root { color-scheme: light dark; --back: #fbfaf7; --card: #fff; --ink: #1d2427; --faint: #586468;
  --line: #d9d8d2; --accent: #1f6067; --lost: #f6d3d0; --new: #cfe8d2;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
@media (prefers-color-scheme: dark) { :root { --back: #14191b; --card: #1c2326; --ink: #e8ebea;
  --faint: #a3afb2; --line: #364045; --accent: #7cc4c9; --lost: #5c2a26; --new: #234a2a; } }
body { max-width: 72rem; margin: 0 auto; padding: 1rem 1rem 3rem; background: var(--back);
  color: var(--ink); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.faint, dt, th { color: var(--faint); } .faint { font-size: .92rem; }
.scroll { overflow-x: auto; } code { font-size: .92em; }
table { border-collapse: collapse; overflow-wrap: normal; } th { font-weight: 600; }
td, th { padding: .15rem .9rem .15rem 0; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
article { border-top: 1px solid var(--line); padding: .7rem 0; }
article h3 { margin: 0 0 .3rem; font-weight: 600; }
dl { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .15rem .6rem; margin: 0; }
dd { margin: 0; } dl.faint { margin: .8rem 0; }
.charts, .links { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
.charts svg, .links svg { max-width: 100%; height: auto; }
.p { border-radius: .25rem; padding: .05rem .25rem; margin-right: .15rem; }
del, ins { color: var(--ink); text-decoration: none; border-radius: .2rem; padding: 0 .1rem; }
del { background: var(--lost); } ins { background: var(--new); }
"""


def page(title: str, body: str) -> str:
    """A whole page."""
    shown = html.escape(title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{shown}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{STYLE}</style></head>'
        f"<body><main><h1>{shown}</h1>{body}</main></body></html>\n"
    )


def table(headings: list[str], rows: list[list[str]], numbers: frozenset[int]) -> str:
    """A table of cells in HTML; those of the columns `numbers` stand on the right."""

    def row(cells: list[str], kind: str) -> str:
        return "<tr>" + "".join(
            f"<{kind}{' class=n' if place in numbers else ''}"
            f"{' scope=col' if kind == 'th' else ''}>{cell}</{kind}>"
            for place, cell in enumerate(cells)
        )

    head = f"<thead>{row(headings, 'th')}</thead>" if headings else ""
    body = "".join(row(cells, "td") for cells in rows)
    name = html.escape(", ".join(headings) or "numbers")
    # Whoever has no mouse scrolls it all the same.
    scrolled = f'<div class="scroll" tabindex="0" role="group" aria-label="Table: {name}">'
    return f"{scrolled}<table>{head}<tbody>{body}</tbody></table></div>"


# What the numbers say, for those who have not met them.
METRICS = {
    "BLEU": "which part of the words and of the groups of up to four words of the translations "
    "are in the references, 0 to 100, more is better",
    "chrF": "the same by groups of letters, 0 to 100, more is better; kinder to endings",
    "TER": "how many words must be changed, moved, added or removed for each word of the "
    "reference, in percent, less is better",
    "RIBES": "whether common words stand in the same order, 0 to 100, more is better",
}


def explained(scores: Sequence[Score]) -> str:
    """What the metrics say, and their signatures: what somebody needs to get the same numbers."""
    items = "".join(
        f"<dt>{html.escape(one.metric)}</dt><dd>{METRICS.get(one.metric, '')}"
        f"<br><code>{html.escape(one.signature)}</code></dd>"
        for one in scores
    )
    return f'<dl class="faint">{items}</dl>'
