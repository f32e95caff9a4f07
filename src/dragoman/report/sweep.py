"""Paper 000, section 6: which pruning settings trade effort for quality best?

For each search, settings of the four pruning parameters are tried by hill-climbing: whatever is
on the upper hull of quality over effort has its neighbours in the grid tried next, until the hull
holds nothing new. Or all of them are, at one t-table limit, before the climbing.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.crew import Crew, Here, Part
from dragoman.errors import FileError, InputError, UsageError
from dragoman.files import written_whole
from dragoman.progress import SILENT, Progress
from dragoman.report.sweep_comparison import FAST, FIXED, Draws, comparison, table
from dragoman.report.sweep_points import (
    EFFORTS,
    Measurement,
    Point,
    Quality,
    Resampled,
    Vector,
    hull,
)
from dragoman.search.options import SearchName, SearchOptions

# The paper's grids. Its thresholds are in the unit of its own weights; with ours, normalised as
# dragoman.model.weights says, they span the useful range as well (docs/lab/000.md).
THRESHOLDS = (0.5, 1.0, 1.5, 2.0, 2.5)
LIMITS = (5, 10, 15, 20, 25)
# The baseline needs wider beams.
PHARAOH_BEAMS = (*LIMITS, 30, 35, 40, 45, 50, 60, 75, 100)
SEARCHES: tuple[SearchName, ...] = ("pharaoh", "estimate", "early")
START = (1.5, 1.0, 20, 10)  # the best settings of the paper's modified algorithms
# What a whole grid leaves alone: the t-table limit of these.
GRID_TTABLE_LIMIT = START[2]

Measure = Callable[[SearchOptions], Measurement]


def grids(search: SearchName) -> tuple[Sequence[float], ...]:
    """The values of the four parameters that are tried."""
    return (THRESHOLDS, THRESHOLDS, LIMITS, PHARAOH_BEAMS if search == "pharaoh" else LIMITS)


def options_at(base: SearchOptions, search: SearchName, vector: Vector) -> SearchOptions:
    """Options with these settings; early pruning's threshold is the t-table's, as in the paper,
    and extensions are not given up on their estimates, which it does not count."""
    return replace(
        base,
        search=search,
        ttable_threshold=vector[0],
        beam_threshold=vector[1],
        ttable_limit=vector[2],
        beam_limit=vector[3],
        early_threshold=None,
        estimate_margin=math.inf,
    )


class Sweep:
    """Measures settings of searches and keeps what they gave."""

    def __init__(self, measure: Measure, base: SearchOptions, crew: Crew | None = None) -> None:
        self.measure, self.base = measure, base
        self._crew = crew if crew is not None else Here()
        self.points: list[Point] = []
        self.draws: dict[tuple[SearchName, Vector], Resampled] = {}

    def run(
        self,
        searches: Sequence[SearchName] = SEARCHES,
        *,
        max_points: int = 60,
        grid: bool = False,
        quality: Quality = "bleu",
        progress: Progress = SILENT,
    ) -> list[Point]:
        """Measure settings for each search: with `grid` all of them at one t-table limit; then,
        climbing by `quality`, others until there are `max_points`."""
        for search in searches:
            axes = grids(search)
            points: dict[Vector, Point] = {}
            waiting = [START]
            if grid:
                waiting += [
                    (t, b, GRID_TTABLE_LIMIT, int(limit))
                    for t, b, limit in itertools.product(axes[0], axes[1], axes[3])
                ]
            elif search in FIXED:
                waiting.append(FIXED[search])
            waiting = list(dict.fromkeys(waiting))
            most = max(max_points, len(waiting)) if grid else max_points
            with progress.task(f"sweeping {search}", total=most, unit="settings") as task:
                while waiting and len(points) < most:
                    batch = waiting[: most - len(points)]
                    parts = [
                        Part(f"{search} at {vector}", options_at(self.base, search, vector))
                        for vector in batch
                    ]
                    found = self._crew.run(_measured, self.measure, parts, task)
                    for vector, measured in zip(batch, found, strict=True):
                        points[vector] = self._point(search, vector, measured)
                        task.advance()
                        task.note(f"BLEU {max(point.bleu for point in points.values()):.2f}")
                    waiting = _neighbours(list(points.values()), axes, points, quality)
            self.points += points.values()
        return self.points

    def _point(self, search: SearchName, vector: Vector, measured: Measurement) -> Point:
        values = {name: value for name, value in vars(measured).items() if name != "resampled"}
        if len(measured.resampled):
            self.draws[search, vector] = measured.resampled
            low, high = np.quantile(measured.resampled, (0.025, 0.975)).tolist()
            values |= {"bleu_low": low, "bleu_high": high}
        return Point(search, *vector, **values)


def _measured(measure: Measure, options: SearchOptions, threads: int) -> Measurement:
    """One setting; who measures knows its threads."""
    del threads
    return measure(options)


def _neighbours(
    points: list[Point],
    axes: tuple[Sequence[float], ...],
    known: dict[Vector, Point],
    quality: Quality,
) -> list[Vector]:
    """Settings one step from the hulls that were not tried yet."""
    corners = [point for effort in EFFORTS.values() for point in hull(points, effort, quality)]
    fresh: dict[Vector, None] = {}
    for point in corners:
        for axis, values in enumerate(axes):
            place = list(values).index(point.vector[axis])
            for step in (place - 1, place + 1):
                if 0 <= step < len(values):
                    changed: list[Any] = list(point.vector)
                    changed[axis] = values[step]
                    vector: Vector = tuple(changed)
                    if vector not in known:
                        fresh[vector] = None
    return list(fresh)


def milliseconds(wish: str) -> float:
    """How long a word may take that is to be picked; ``best`` and ``fast`` set no limit."""
    if wish in ("best", "fast"):
        return math.inf
    try:
        budget = float(wish)
    except ValueError:
        budget = math.nan
    if not budget > 0:
        raise UsageError(f"--pick takes best, fast or milliseconds per word, not {wish!r}")
    return budget


def pick(points: Sequence[Point], wish: str, search: SearchName | None = None) -> Point:
    """``best``: highest BLEU; ``fast``: the fastest within 0.02 BLEU of it; a number: the highest
    BLEU in at most so many milliseconds a word."""
    candidates = [point for point in points if search is None or point.search == search]
    if not candidates:
        raise InputError("the sweep has no such settings; measure them first with --dev")
    if wish in ("best", "fast"):
        top = max(point.bleu for point in candidates)
        slack = FAST if wish == "fast" else 0.0
        good = [point for point in candidates if point.bleu >= top - slack - 1e-9]
        return min(good, key=lambda point: point.ms_per_word)
    budget = milliseconds(wish)
    good = [point for point in candidates if point.ms_per_word <= budget]
    if not good:
        fastest = min(point.ms_per_word for point in candidates)
        raise UsageError(
            f"no setting takes {budget:g} ms a word or less; the fastest {fastest:.3g}"
        )
    return max(good, key=lambda point: (point.bleu, -point.ms_per_word))


def save(directory: Path, points: Sequence[Point], draws: Draws | None = None) -> str:
    """Write ``sweep.json`` and ``sweep.txt``, and return the latter."""
    directory.mkdir(parents=True, exist_ok=True)
    compared = comparison(points, draws)
    text = table(points, compared)
    content = {"points": [asdict(point) for point in points], **compared}
    with written_whole(directory / "sweep.json") as temporary:
        temporary.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    with written_whole(directory / "sweep.txt") as temporary:
        temporary.write_text(text, "utf-8")
    return text


def load(directory: Path) -> list[Point]:
    """Read what :func:`save` wrote."""
    path = directory / "sweep.json"
    try:
        return [Point(**entry) for entry in json.loads(path.read_text("utf-8"))["points"]]
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise InputError(f"{path}: damaged: {problem}") from problem
