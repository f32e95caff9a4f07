"""The page about what a cluster has done: who did what when, and what took longest.

It holds times, so it is no part of the model, whose files are the same wherever it was made.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Protocol

from dragoman.report.page import page, table

WIDTH, ROW, NAMES = 960, 22, 190
COLOURS = ("#1e88e5", "#e53935", "#43a047", "#8e24aa", "#fb8c00", "#00897b", "#6d4c41", "#546e7a")
# Pieces of the same work closer than this part of the whole time are drawn as one.
CLOSE = 0.002


class Deed(Protocol):
    """A part that was done: by whom, when, and what travelled."""

    @property
    def work(self) -> str: ...
    @property
    def part(self) -> str: ...
    @property
    def worker(self) -> str: ...
    @property
    def begin(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def processor(self) -> float: ...
    @property
    def sent(self) -> int: ...
    @property
    def received(self) -> int: ...
    @property
    def peak_memory(self) -> int: ...


@dataclass(frozen=True)
class _Bar:
    worker: str
    work: str
    begin: float
    end: float
    parts: int


def timeline_page(deeds: Sequence[Deed]) -> str:
    """A page of its own, with nothing from elsewhere."""
    works = list(dict.fromkeys(deed.work for deed in deeds))
    workers = sorted({deed.worker for deed in deeds})
    begin, end = min(one.begin for one in deeds), max(one.end for one in deeds)
    parts = f"{len(deeds):,} parts by {len(workers)} workers in {end - begin:,.1f} s"
    body = (
        f'<p class="faint">{parts}. A worker that was started again has another address.</p>'
        f'<div class="scroll">{_picture(deeds, works, workers)}</div>'
        "<h2>Work</h2>"
        + table(
            [
                "work",
                "parts",
                "processor s",
                "median s",
                "longest s",
                "longest part",
                "kB out",
                "kB back",
            ],
            [_row(work, [deed for deed in deeds if deed.work == work], works) for work in works],
            frozenset({1, 2, 3, 4, 6, 7}),
        )
        + "<h2>Workers</h2>"
        + table(
            ["worker", "parts", "busy s", "busy", "most memory, MB"],
            [_worker_row(worker, deeds, end - begin) for worker in workers],
            frozenset({1, 2, 3, 4}),
        )
    )
    return page("What the cluster did", body)


def _row(work: str, deeds: Sequence[Deed], works: Sequence[str]) -> list[str]:
    longest = max(deeds, key=lambda deed: deed.end - deed.begin)
    return [
        f'<span style="color:{_colour(work, works)}">&#9632;</span> {_name(work)}',
        f"{len(deeds):,}",
        f"{sum(deed.processor for deed in deeds):,.1f}",
        f"{median(deed.end - deed.begin for deed in deeds):,.2f}",
        f"{longest.end - longest.begin:,.2f}",
        html.escape(longest.part),
        f"{sum(deed.sent for deed in deeds) / 1000:,.0f}",
        f"{sum(deed.received for deed in deeds) / 1000:,.0f}",
    ]


def _worker_row(worker: str, deeds: Sequence[Deed], seconds: float) -> list[str]:
    own = [deed for deed in deeds if deed.worker == worker]
    busy = sum(deed.end - deed.begin for deed in own)
    return [
        html.escape(worker),
        f"{len(own):,}",
        f"{busy:,.1f}",
        f"{busy / seconds:.0%}" if seconds > 0 else "",
        f"{max(deed.peak_memory for deed in own) / 1e6:,.0f}",
    ]


def _name(work: str) -> str:
    return html.escape(work.replace("_", " "))


def _colour(work: str, works: Sequence[str]) -> str:
    return COLOURS[works.index(work) % len(COLOURS)]


def _bars(deeds: Sequence[Deed], close: float) -> list[_Bar]:
    """Neighbours of the same kind drawn as one, so that a page stays small."""
    bars: list[_Bar] = []
    last: dict[tuple[str, str], int] = {}  # where the bar of a worker and a work stands
    for deed in sorted(deeds, key=lambda deed: deed.begin):
        key = deed.worker, deed.work
        place = last.get(key)
        if place is not None and deed.begin - bars[place].end <= close:
            bar = bars[place]
            bars[place] = replace(bar, end=max(bar.end, deed.end), parts=bar.parts + 1)
        else:
            last[key] = len(bars)
            bars.append(_Bar(deed.worker, deed.work, deed.begin, deed.end, 1))
    return bars


def _picture(deeds: Sequence[Deed], works: Sequence[str], workers: Sequence[str]) -> str:
    begin, end = min(one.begin for one in deeds), max(one.end for one in deeds)
    seconds = max(end - begin, 1e-9)
    scale = (WIDTH - NAMES) / seconds
    height = ROW * len(workers) + 20
    shapes = []
    for number, worker in enumerate(workers):
        y = ROW * number
        shapes.append(f'<text x="0" y="{y + 15}">{html.escape(worker)}</text>')
    for bar in _bars(deeds, CLOSE * seconds):
        x, y = NAMES + (bar.begin - begin) * scale, ROW * workers.index(bar.worker) + 3
        width = max(0.5, (bar.end - bar.begin) * scale)
        shapes.append(
            f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 6}" '
            f'fill="{_colour(bar.work, works)}"><title>{_name(bar.work)}: {bar.parts:,} parts, '
            f"{bar.begin - begin:,.1f} to {bar.end - begin:,.1f} s</title></rect>"
        )
    y = height - 5
    shapes.append(f'<text x="{NAMES}" y="{y}">0 s</text>')
    shapes.append(f'<text x="{WIDTH}" y="{y}" text-anchor="end">{seconds:,.1f} s</text>')
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        'aria-label="What each worker did when" font-size="12" fill="currentColor">'
        + "".join(shapes)
        + "</svg>"
    )
