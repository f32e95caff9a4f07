"""Pictures of a sweep, like Figures 2 and 3 of paper 000."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from dragoman.errors import MissingExtraError
from dragoman.report.sweep_points import EFFORTS, Effort, Point, hull

_COLOURS = {"pharaoh": "tab:red", "estimate": "tab:blue", "early": "tab:green", "cube": "tab:gray"}


_LABELS = {
    "ms_per_word": ("time", "milliseconds per word"),
    "hypotheses_per_word": ("space", "partial hypotheses evaluated per word"),
}


def check_drawable() -> None:
    """MissingExtraError where there is nothing to draw with."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("drawing the sweep", "plots")


def draw(points: Sequence[Point], directory: Path) -> list[Path]:
    """BLEU over time and over search space, hulls highlighted."""
    check_drawable()
    import matplotlib

    matplotlib.use("agg")
    paths = []
    for name, effort in EFFORTS.items():
        short, label = _LABELS[name]
        path = directory / f"sweep-{short}.png"
        _draw_one(points, path, label, effort)
        paths.append(path)
    return paths


def _draw_one(points: Sequence[Point], path: Path, label: str, effort: Effort) -> None:
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
