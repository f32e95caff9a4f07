"""Pictures of a sweep, like Figures 2 and 3 of paper 000."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from dragoman.errors import MissingExtraError
from dragoman.report.sweep import Point, hull

_COLOURS = {"pharaoh": "tab:red", "estimate": "tab:blue", "early": "tab:green", "cube": "tab:gray"}


def draw(points: Sequence[Point], directory: Path) -> list[Path]:
    """BLEU over time and over search space, hulls highlighted."""
    try:
        import matplotlib
    except ImportError as problem:
        raise MissingExtraError("drawing the sweep", "plots") from problem
    matplotlib.use("agg")
    efforts: tuple[tuple[str, str, Callable[[Point], float]], ...] = (
        ("time", "milliseconds per word", lambda point: point.ms_per_word),
        (
            "space",
            "partial hypotheses evaluated per word",
            lambda point: point.hypotheses_per_word,
        ),
    )
    paths = []
    for name, label, effort in efforts:
        path = directory / f"sweep-{name}.png"
        _draw_one(points, path, label, effort)
        paths.append(path)
    return paths


def _draw_one(
    points: Sequence[Point], path: Path, label: str, effort: Callable[[Point], float]
) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for search, colour in _COLOURS.items():
        group = [point for point in points if point.search == search]
        if not group:
            continue
        axes.plot(
            [effort(p) for p in group], [p.bleu for p in group], ".", color=colour, alpha=0.4
        )
        upper = hull(group, effort)
        axes.plot(
            [effort(p) for p in upper], [p.bleu for p in upper], "o-", color=colour, label=search
        )
    axes.set_xscale("log")
    axes.set_xlabel(label)
    axes.set_ylabel("BLEU")
    axes.legend()
    figure.savefig(path, dpi=120)
