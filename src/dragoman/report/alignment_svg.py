"""An alignment matrix as SVG, self-contained and readable in light and dark."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

CELL = 18
LETTER = 7.5  # what a letter of the label font takes; labels are never cut, only the margin
MARGIN = 6


def alignment_svg(
    source: Sequence[str], target: Sequence[str], links: Iterable[tuple[int, int]]
) -> str:
    """Source words in rows, target words in columns, a filled cell for each link."""
    left = MARGIN + LETTER * max((_width(word) for word in source), default=0)
    top = MARGIN + LETTER * max((_width(word) for word in target), default=0)
    width = left + CELL * len(target) + MARGIN
    height = top + CELL * len(source) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13" fill="currentColor">',
        f"<title>{html.escape(' '.join(source))} = {html.escape(' '.join(target))}</title>",
    ]
    for i, word in enumerate(source):
        parts.append(
            f'<text x="{left - 4:.1f}" y="{top + CELL * (i + 0.7):.1f}" text-anchor="end">'
            f"{html.escape(word)}</text>"
        )
    for j, word in enumerate(target):
        x, y = left + CELL * (j + 0.7), top - 4
        parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" transform="rotate(-90 {x:.1f} {y:.1f})">'
            f"{html.escape(word)}</text>"
        )
    lines = [
        f"M{left:.1f} {top + CELL * i:.1f}h{CELL * len(target)}" for i in range(len(source) + 1)
    ] + [f"M{left + CELL * j:.1f} {top:.1f}v{CELL * len(source)}" for j in range(len(target) + 1)]
    parts.append(f'<path d="{"".join(lines)}" stroke="currentColor" stroke-opacity=".25"/>')
    for i, j in links:
        parts.append(
            f'<rect x="{left + CELL * int(j) + 3:.1f}" y="{top + CELL * int(i) + 3:.1f}" '
            f'width="{CELL - 6}" height="{CELL - 6}"><title>'
            f"{html.escape(source[int(i)])} – {html.escape(target[int(j)])}</title></rect>"
        )
    return "".join(parts) + "</svg>\n"


def _width(word: str) -> float:
    """Roughly, in letters: East Asian ones are nearly twice as wide."""
    return sum(1.8 if ord(letter) >= 0x2E80 else 1.0 for letter in word)
