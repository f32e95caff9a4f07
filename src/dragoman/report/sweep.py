"""Paper 000, section 6: which pruning settings trade effort for quality best?

For each search, settings of the four pruning parameters are tried by hill-climbing: whatever is
on the upper hull of quality over effort has its neighbours in the grid tried next, until the hull
holds nothing new.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from dragoman.errors import FileError, InputError, UsageError
from dragoman.files import written_whole
from dragoman.progress import SILENT, Progress
from dragoman.search.options import SearchName, SearchOptions

# The paper's grids. Its thresholds are in the unit of its own weights; with ours, normalised as
# dragoman.model.weights says, they span the useful range as well (docs/lab/000.md).
THRESHOLDS = (0.5, 1.0, 1.5, 2.0, 2.5)
LIMITS = (5, 10, 15, 20, 25)
# The baseline needs wider beams.
PHARAOH_BEAMS = (*LIMITS, 30, 35, 40, 45, 50, 60, 75, 100)
SEARCHES: tuple[SearchName, ...] = ("pharaoh", "estimate", "early")
START = (1.5, 1.0, 20, 10)  # the best settings of the paper's modified algorithms
FAST = 0.02  # "fast" may lose so much BLEU, as in the paper

# What settings are compared by: BLEU, as in the paper, or what the search itself maximises.
Quality = Literal["bleu", "model_score"]
QUALITIES: tuple[Quality, ...] = get_args(Quality)

Vector = tuple[float, float, int, int]  # thresholds and limits: t-table, beam, t-table, beam


@dataclass(frozen=True)
class Point:
    """One setting and what it gave."""

    search: SearchName
    ttable_threshold: float
    beam_threshold: float
    ttable_limit: int
    beam_limit: int
    bleu: float
    ms_per_word: float
    hypotheses_per_word: float
    model_score: float

    def by(self, quality: Quality) -> float:
        """How good it is."""
        return self.bleu if quality == "bleu" else self.model_score

    @property
    def vector(self) -> Vector:
        return (self.ttable_threshold, self.beam_threshold, self.ttable_limit, self.beam_limit)


@dataclass(frozen=True)
class Measurement:
    """What one decoding of the dev set gave."""

    bleu: float
    ms_per_word: float
    hypotheses_per_word: float
    model_score: float


Measure = Callable[[SearchOptions], Measurement]


def grids(search: SearchName) -> tuple[Sequence[float], ...]:
    """The values of the four parameters that are tried."""
    return (THRESHOLDS, THRESHOLDS, LIMITS, PHARAOH_BEAMS if search == "pharaoh" else LIMITS)


def hull(
    points: Sequence[Point], effort: Callable[[Point], float], quality: Quality = "bleu"
) -> list[Point]:
    """The upper convex hull of quality over the logarithm of effort, up to the highest quality."""
    ordered = sorted(points, key=lambda point: (effort(point), -point.by(quality)))
    upper: list[Point] = []
    for point in ordered:
        if upper and point.by(quality) <= upper[-1].by(quality):
            continue
        while len(upper) > 1 and _turns_left(upper[-2], upper[-1], point, effort, quality):
            upper.pop()
        upper.append(point)
    return upper


def _turns_left(
    a: Point, b: Point, c: Point, effort: Callable[[Point], float], quality: Quality
) -> bool:
    ax, bx, cx = (math.log(effort(point)) for point in (a, b, c))
    ay, by, cy = (point.by(quality) for point in (a, b, c))
    return (bx - ax) * (cy - ay) >= (cx - ax) * (by - ay)


def sweep(
    measure: Measure,
    base: SearchOptions,
    searches: Sequence[SearchName] = SEARCHES,
    *,
    max_points: int = 60,
    quality: Quality = "bleu",
    progress: Progress = SILENT,
) -> list[Point]:
    """Measure settings for each search, at most `max_points` each, climbing by `quality`."""
    found: list[Point] = []
    for search in searches:
        axes = grids(search)
        points: dict[Vector, Point] = {}
        with progress.task(f"sweeping {search}", total=max_points, unit="settings") as task:
            waiting = [START]
            while waiting and len(points) < max_points:
                vector = waiting.pop(0)
                options = replace(
                    base,
                    search=search,
                    ttable_threshold=vector[0],
                    beam_threshold=vector[1],
                    ttable_limit=vector[2],
                    beam_limit=vector[3],
                )
                points[vector] = Point(search, *vector, **asdict(measure(options)))
                task.advance()
                task.note(f"BLEU {max(point.bleu for point in points.values()):.2f}")
                if not waiting:
                    waiting = _neighbours(list(points.values()), axes, points, quality)
        found += points.values()
    return found


def _neighbours(
    points: list[Point],
    axes: tuple[Sequence[float], ...],
    known: dict[Vector, Point],
    quality: Quality,
) -> list[Vector]:
    """Settings one step from the hulls that were not tried yet."""
    corners = [
        *hull(points, lambda p: p.hypotheses_per_word, quality),
        *hull(points, lambda p: p.ms_per_word, quality),
    ]
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


def pick(points: Sequence[Point], wish: str, search: SearchName | None = None) -> Point:
    """``best``: highest BLEU; ``fast``: the fastest within 0.02 BLEU of it; a number: the highest
    BLEU in at most so many milliseconds a word."""
    candidates = [point for point in points if search is None or point.search == search]
    if not candidates:
        raise InputError("the sweep has no such points; run it first")
    if wish in ("best", "fast"):
        top = max(point.bleu for point in candidates)
        slack = FAST if wish == "fast" else 0.0
        good = [point for point in candidates if point.bleu >= top - slack - 1e-9]
        return min(good, key=lambda point: point.ms_per_word)
    try:
        budget = float(wish)
    except ValueError:
        budget = math.nan
    if not budget > 0:
        raise UsageError(f"pick best, fast, or milliseconds per word, not {wish!r}")
    good = [point for point in candidates if point.ms_per_word <= budget]
    if not good:
        fastest = min(point.ms_per_word for point in candidates)
        raise UsageError(
            f"no setting takes {budget:g} ms a word or less; the fastest {fastest:.3g}"
        )
    return max(good, key=lambda point: (point.bleu, -point.ms_per_word))


def ratios(points: Sequence[Point], quality: Quality = "bleu") -> list[dict[str, Any]]:
    """At the highest quality that every search reaches (and 0.02 BLEU below): what each needs at
    least."""
    by_search: dict[str, list[Point]] = {}
    for point in points:
        by_search.setdefault(point.search, []).append(point)
    common = min(max(point.by(quality) for point in group) for group in by_search.values())
    rows = []
    for target in (common, common - FAST) if quality == "bleu" else (common,):
        for search, group in by_search.items():
            good = [point for point in group if point.by(quality) >= target - 1e-9]
            rows.append(
                {
                    quality: target,
                    "search": search,
                    "ms_per_word": min(point.ms_per_word for point in good),
                    "hypotheses_per_word": min(point.hypotheses_per_word for point in good),
                }
            )
    return rows


def table(points: Sequence[Point]) -> str:
    """All points, then the ratios, as text."""
    lines = ["search    t-thr b-thr t-lim b-lim   BLEU  ms/word   hyps/word  score"]
    for point in sorted(points, key=lambda point: (point.search, point.ms_per_word)):
        t, b, tl, bl = point.vector
        lines.append(
            f"{point.search:9} {t:5.2f} {b:5.2f} {tl:5d} {bl:5d} {point.bleu:6.2f} "
            f"{point.ms_per_word:8.4f} {point.hypotheses_per_word:11.2f} {point.model_score:8.4f}"
        )
    lines.append("")
    for quality, name in zip(QUALITIES, ("BLEU", "score"), strict=True):
        lines += _ratio_lines(ratios(points, quality), quality, name)
    return "\n".join(lines) + "\n"


def _ratio_lines(rows: list[dict[str, Any]], quality: Quality, name: str) -> list[str]:
    lines = []
    for better, worse in (("early", "estimate"), ("estimate", "pharaoh"), ("early", "pharaoh")):
        for one in (row for row in rows if row["search"] == better):
            for other in rows:
                if other["search"] != worse or other[quality] != one[quality]:
                    continue
                time, space = (
                    other[effort] / one[effort]
                    for effort in ("ms_per_word", "hypotheses_per_word")
                )
                lines.append(
                    f"{name} {one[quality]:.2f}: {worse} : {better} = {time:.1f} in time, "
                    f"{space:.1f} in hypotheses"
                )
    return lines


def save(directory: Path, points: Sequence[Point]) -> None:
    """Write ``sweep.json`` and ``sweep.txt``."""
    directory.mkdir(parents=True, exist_ok=True)
    content = {
        "points": [asdict(point) for point in points],
        "ratios": [*ratios(points), *ratios(points, "model_score")],
    }
    with written_whole(directory / "sweep.json") as temporary:
        temporary.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    with written_whole(directory / "sweep.txt") as temporary:
        temporary.write_text(table(points), "utf-8")


def load(directory: Path) -> list[Point]:
    """Read what :func:`save` wrote."""
    path = directory / "sweep.json"
    try:
        return [Point(**entry) for entry in json.loads(path.read_text("utf-8"))["points"]]
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise InputError(f"{path}: damaged: {problem}") from problem
