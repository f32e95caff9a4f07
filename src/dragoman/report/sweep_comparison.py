"""How the searches of a sweep compare, in each of the ways of paper 000, section 6."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dragoman.report.sweep_points import (
    EFFORTS,
    QUALITIES,
    Point,
    Quality,
    Resampled,
    Vector,
    hull,
)
from dragoman.search.options import SearchName

FAST = 0.02  # "fast" may lose so much BLEU, as in the paper
# The settings with which each search of the paper had its highest BLEU. Looked at wherever they
# stand in a sweep, they are nobody's lucky point.
FIXED: dict[SearchName, Vector] = {
    "pharaoh": (1.5, 1.0, 20, 75),
    "estimate": (1.5, 1.0, 20, 10),
    "early": (1.5, 1.0, 20, 10),
}
# Who is compared with whom: the worse first.
_PAIRS: tuple[tuple[SearchName, SearchName], ...] = (
    ("estimate", "early"),
    ("pharaoh", "estimate"),
    ("pharaoh", "early"),
)

Draws = Mapping[tuple[SearchName, Vector], Resampled]


def comparison(points: Sequence[Point], draws: Draws | None = None) -> dict[str, Any]:
    """Everything the paper says of its points, as plain values; `draws` give the intervals."""
    return {
        "ratios": [*ratios(points), *ratios(points, "model_score")],
        "fixed": fixed(points, draws or {}),
        "same_settings": same_settings(points),
        "correlations": correlations(points),
        "hulls": hulls(points),
    }


def _by_search(points: Sequence[Point]) -> dict[SearchName, list[Point]]:
    groups: dict[SearchName, list[Point]] = {}
    for point in points:
        groups.setdefault(point.search, []).append(point)
    return groups


def ratios(points: Sequence[Point], quality: Quality = "bleu") -> list[dict[str, Any]]:
    """At the highest quality that every search reaches (and 0.02 BLEU below): what each needs at
    least."""
    groups = _by_search(points)
    common = min(max(point.by(quality) for point in group) for group in groups.values())
    rows = []
    for target in (common, common - FAST) if quality == "bleu" else (common,):
        for search, group in groups.items():
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


def fixed(points: Sequence[Point], draws: Draws) -> list[dict[str, Any]]:
    """The searches at the paper's best settings, where the sweep has measured them."""
    found = {point.search: point for point in points if FIXED.get(point.search) == point.vector}
    rows = []
    for worse, better in _PAIRS:
        if worse not in found or better not in found:
            continue
        a, b = found[worse], found[better]
        row = {
            "searches": [worse, better],
            "vectors": [list(a.vector), list(b.vector)],
            "time_ratio": a.ms_per_word / b.ms_per_word,
            "hypotheses_ratio": a.hypotheses_per_word / b.hypotheses_per_word,
            "lm_lookups_ratio": _ratio(a.lm_lookups_per_word, b.lm_lookups_per_word),
            "bleu": [a.bleu, b.bleu],
            "model_score": [a.model_score, b.model_score],
        }
        if (worse, a.vector) in draws and (better, b.vector) in draws:
            differences = draws[better, b.vector] - draws[worse, a.vector]
            row["bleu_difference_interval"] = np.quantile(differences, (0.025, 0.975)).tolist()
        rows.append(row)
    return rows


def _ratio(above: float, below: float) -> float | None:
    return above / below if below > 0 else None


def same_settings(points: Sequence[Point]) -> list[dict[str, Any]]:
    """Two searches at the same settings: lowest, median and highest of what differs."""
    groups = {
        search: {point.vector: point for point in group}
        for search, group in _by_search(points).items()
    }
    rows = []
    for worse, better in _PAIRS[:2]:
        common = [
            (point, groups[better][vector])
            for vector, point in groups.get(worse, {}).items()
            if vector in groups.get(better, {})
        ]
        if not common:
            continue
        rows.append(
            {
                "searches": [worse, better],
                "settings": len(common),
                "bleu_difference": _spread([b.bleu - a.bleu for a, b in common]),
                "score_difference": _spread([b.model_score - a.model_score for a, b in common]),
                "time_ratio": _spread([a.ms_per_word / b.ms_per_word for a, b in common]),
                "hypotheses_ratio": _spread(
                    [a.hypotheses_per_word / b.hypotheses_per_word for a, b in common]
                ),
            }
        )
    return rows


def _spread(values: list[float]) -> list[float]:
    return [min(values), float(np.median(values)), max(values)]


def correlations(points: Sequence[Point]) -> dict[SearchName, float]:
    """Pearson's, of time and hypotheses; the paper has more than 0.99 for each search."""
    found = {}
    for search, group in _by_search(points).items():
        time, space = ([effort(point) for point in group] for effort in EFFORTS.values())
        if len(set(time)) > 1 and len(set(space)) > 1:
            found[search] = float(np.corrcoef(time, space)[0, 1])
    return found


def hulls(points: Sequence[Point]) -> list[dict[str, Any]]:
    """The settings that are highlighted in the pictures, cheapest first."""
    return [
        {
            "search": search,
            "effort": name,
            "quality": quality,
            "points": [
                {"vector": list(point.vector), quality: point.by(quality), name: effort(point)}
                for point in hull(group, effort, quality)
            ],
        }
        for (search, group), (name, effort), quality in itertools.product(
            _by_search(points).items(), EFFORTS.items(), QUALITIES
        )
    ]


def table(points: Sequence[Point], compared: Mapping[str, Any]) -> str:
    """All points and all comparisons, as text."""
    lines = ["search    t-thr b-thr t-lim b-lim   BLEU  ms/word   hyps/word  score"]
    lines += map(_point_line, sorted(points, key=lambda p: (p.search, p.ms_per_word)))
    lines.append("")
    for quality, name in zip(QUALITIES, ("BLEU", "score"), strict=True):
        lines += _ratio_lines(compared["ratios"], quality, name)
    lines += map(_fixed_line, compared["fixed"])
    lines += map(_same_line, compared["same_settings"])
    for search, value in compared["correlations"].items():
        lines.append(f"correlation of time and hypotheses: {search} {value:.3f}")
    for one in compared["hulls"]:
        if one["quality"] == "bleu" and len(one["points"]) > 1:
            lines.append(f"hull of BLEU over {one['effort']}: {one['search']}")
            lines += (
                "  {:.1f} {:.1f} {:d} {:d}".format(*corner["vector"])
                + f": BLEU {corner['bleu']:.2f}, {corner[one['effort']]:.4g}"
                for corner in one["points"]
            )
    return "\n".join(lines) + "\n"


def _point_line(point: Point) -> str:
    t, b, tl, bl = point.vector
    line = (
        f"{point.search:9} {t:5.2f} {b:5.2f} {tl:5d} {bl:5d} {point.bleu:6.2f} "
        f"{point.ms_per_word:8.4f} {point.hypotheses_per_word:11.2f} {point.model_score:8.4f}"
    )
    if point.bleu_low is not None and point.bleu_high is not None:
        line += f"  BLEU {point.bleu_low:.2f} to {point.bleu_high:.2f}"
    return line


def _ratio_lines(rows: Sequence[Mapping[str, Any]], quality: Quality, name: str) -> list[str]:
    lines = []
    rows = [row for row in rows if quality in row]
    for worse, better in _PAIRS:
        for one in (row for row in rows if row["search"] == better):
            for other in rows:
                if other["search"] != worse or other[quality] != one[quality]:
                    continue
                time, space = (other[effort] / one[effort] for effort in EFFORTS)
                lines.append(
                    f"{name} {one[quality]:.2f}: {worse} : {better} = {time:.1f} in time, "
                    f"{space:.1f} in hypotheses"
                )
    return lines


def _fixed_line(row: Mapping[str, Any]) -> str:
    shown = ["({:g}, {:g}, {:d}, {:d})".format(*vector) for vector in row["vectors"]]
    searches = (f"{name} {vector}" for name, vector in zip(row["searches"], shown, strict=True))
    line = (
        f"{' : '.join(searches)} = {row['time_ratio']:.1f} in time, "
        f"{row['hypotheses_ratio']:.1f} in hypotheses"
    )
    if row["lm_lookups_ratio"] is not None:
        line += f", {row['lm_lookups_ratio']:.1f} in words looked up"
    line += "; BLEU {:.2f} and {:.2f}".format(*row["bleu"])
    if "bleu_difference_interval" in row:
        line += " (difference {:+.2f} to {:+.2f})".format(*row["bleu_difference_interval"])
    return line + ", score {:.4f} and {:.4f}".format(*row["model_score"])


def _same_line(row: Mapping[str, Any]) -> str:
    worse, better = row["searches"]
    differences = ", ".join(
        f"{name} " + "/".join(f"{value:+.{digits}f}" for value in row[key])
        for name, key, digits in (
            ("BLEU", "bleu_difference", 2),
            ("score", "score_difference", 4),
        )
    )
    quotients = ", ".join(
        f"{name} " + "/".join(f"{value:.2f}" for value in row[key])
        for name, key in (("time", "time_ratio"), ("hypotheses", "hypotheses_ratio"))
    )
    return (
        f"same settings ({row['settings']}), lowest/median/highest: {better} - {worse} "
        f"{differences}; {worse} : {better} {quotients}"
    )
