"""Small charts as SVG: a curve, a histogram. Self-contained, readable in light and dark."""

from __future__ import annotations

import html
from collections.abc import Sequence

WIDTH, HEIGHT = 460, 220
LEFT, BOTTOM, TOP, RIGHT = 48, 34, 12, 10
LETTER = 7.0  # what a digit takes
COLOURS = ("#1e88e5", "#e53935")


def curve_svg(values: Sequence[float], title: str, x_label: str, y_label: str) -> str:
    """A value for each round, counted from 1."""
    if not values:
        return ""
    low, high = min(values), max(values)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    margin = 0.08 * (high - low)
    frame = _Frame(1, max(2, len(values)), low - margin, high + margin)
    points = [(frame.x(number), frame.y(value)) for number, value in enumerate(values, 1)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{COLOURS[0]}">'
        f"<title>{number}: {value:.2f}</title></circle>"
        for number, ((x, y), value) in enumerate(zip(points, values, strict=True), 1)
    )
    step = max(1, len(values) // 10)
    marks = [(float(number), str(number)) for number in range(1, len(values) + 1, step)]
    body = f'<polyline points="{line}" fill="none" stroke="{COLOURS[0]}" stroke-width="2"/>{dots}'
    return frame.svg(title, x_label, y_label, marks, body)


def histogram_svg(
    series: Sequence[tuple[str, Sequence[int]]], title: str, x_label: str, y_label: str
) -> str:
    """Bars side by side; bin i of a series counts what has the size i."""
    bins = max((len(counts) for _, counts in series), default=0)
    highest = max((max(counts, default=0) for _, counts in series), default=0)
    if bins == 0 or highest == 0:
        return ""
    frame = _Frame(0, bins, 0, highest * 1.05)
    width = (frame.x(1) - frame.x(0)) / (len(series) + 0.4)
    bars = []
    for place, (name, counts) in enumerate(series):
        for size, count in enumerate(counts):
            if count:
                x, y = frame.x(size) + width * place, frame.y(count)
                bars.append(
                    f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" '
                    f'height="{frame.y(0) - y:.2f}" fill="{COLOURS[place % 2]}">'
                    f"<title>{html.escape(name)}, {size}: {count:,}</title></rect>"
                )
        bars.append(
            f'<text x="{WIDTH - RIGHT - 90}" y="{TOP + 14 + 16 * place}" '
            f'fill="{COLOURS[place % 2]}">{html.escape(name)}</text>'
        )
    step = max(1, bins // 8)
    marks = [(size + 0.5, str(size)) for size in range(0, bins, step)]
    return frame.svg(title, x_label, y_label, marks, "".join(bars))


class _Frame:
    """Axes, and where values lie between them."""

    def __init__(self, x_low: float, x_high: float, y_low: float, y_high: float) -> None:
        self._x_low, self._x_span = x_low, x_high - x_low
        self._y_low, self._y_span = y_low, y_high - y_low
        marks = [self._y_low + self._y_span * step / 4 for step in range(5)]
        shown = [f"{y:,.1f}" if self._y_span < 20 else f"{y:,.0f}" for y in marks]
        self._y_marks = list(zip(marks, shown, strict=True))
        # Room for the longest number, and for what it counts beside it.
        self.left = max(LEFT, 20 + LETTER * max(map(len, shown)))

    def x(self, value: float) -> float:
        return self.left + (WIDTH - self.left - RIGHT) * (value - self._x_low) / self._x_span

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (value - self._y_low) / self._y_span

    def svg(
        self,
        title: str,
        x_label: str,
        y_label: str,
        x_marks: Sequence[tuple[float, str]],
        body: str,
    ) -> str:
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" role="img" font-family="system-ui, sans-serif" '
            f'font-size="12" fill="currentColor"><title>{html.escape(title)}</title>'
        ]
        for value, label in self._y_marks:
            y = self.y(value)
            parts.append(
                f'<path d="M{self.left:g} {y:.1f}H{WIDTH - RIGHT}" stroke="currentColor" '
                f'stroke-opacity=".15"/><text x="{self.left - 5:g}" y="{y + 4:.1f}" '
                f'text-anchor="end">{label}</text>'
            )
        for place, label in x_marks:
            parts.append(
                f'<text x="{self.x(place):.1f}" y="{HEIGHT - BOTTOM + 15}" '
                f'text-anchor="middle">{label}</text>'
            )
        parts.append(
            f'<text x="{(self.left + WIDTH) / 2:g}" y="{HEIGHT - 4}" text-anchor="middle">'
            f"{html.escape(x_label)}</text>"
            f'<text x="12" y="{HEIGHT / 2}" text-anchor="middle" '
            f'transform="rotate(-90 12 {HEIGHT / 2})">{html.escape(y_label)}</text>'
        )
        return "".join(parts) + body + "</svg>\n"
