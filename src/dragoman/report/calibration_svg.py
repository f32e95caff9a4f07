"""How sure a model was against how often it was right, as a picture."""

from __future__ import annotations

from collections.abc import Sequence

_SIDE, _MARGIN = 220, 34


def calibration_svg(points: Sequence[tuple[int, float, float]]) -> str:
    """Points are a number of words, their mean confidence, and the share of them that was right;
    on the diagonal the two are the same."""

    def x(share: float) -> float:
        return round(_MARGIN + share * _SIDE, 1)

    def y(share: float) -> float:
        return round(_MARGIN / 2 + (1 - share) * _SIDE, 1)

    most = max((count for count, _, _ in points), default=1)
    dots = "".join(
        f'<circle cx="{x(sure)}" cy="{y(right)}" r="{3 + 6 * (count / most) ** 0.5:.1f}" '
        f'fill="currentColor" fill-opacity="0.55"><title>{count:,} words: {sure:.0%} sure, '
        f"{right:.0%} right</title></circle>"
        for count, sure, right in points
    )
    told = "; ".join(f"{sure:.0%} sure, {right:.0%} right" for _, sure, right in points)
    size = _SIDE + 2 * _MARGIN
    return (
        f'<svg viewBox="0 0 {size} {size}" width="{size}" height="{size}" role="img" '
        f'aria-label="Calibration: {told}">'
        f'<rect x="{x(0)}" y="{y(1)}" width="{_SIDE}" height="{_SIDE}" fill="none" '
        'stroke="currentColor" stroke-opacity="0.4"/>'
        f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}" stroke="currentColor" '
        f'stroke-opacity="0.4" stroke-dasharray="4 4"/>{dots}'
        f'<text x="{x(0.5)}" y="{size - 12}" text-anchor="middle" font-size="12" '
        'fill="currentColor">how sure</text>'
        f'<text x="14" y="{y(0.5)}" text-anchor="middle" font-size="12" fill="currentColor" '
        f'transform="rotate(-90 14 {y(0.5)})">how often right</text></svg>'
    )
