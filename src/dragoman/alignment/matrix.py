"""An alignment as a matrix of characters, for the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

LINKED, UNLINKED = "■", "·"


def matrix(source: Sequence[str], target: Sequence[str], links: Iterable[tuple[int, int]]) -> str:
    """Source words in rows, target words in columns, whose names stand upright above them."""
    cells = {(int(i), int(j)) for i, j in links}
    left = max((display_width(word) for word in source), default=0)
    # A column is as wide as its widest letter, which may fill two cells in East Asian scripts.
    widths = [max((display_width(letter) for letter in word), default=1) for word in target]
    height = max((len(word) for word in target), default=0)
    lines = []
    for row in range(height):
        letters = []
        for word, width in zip(target, widths, strict=True):
            # Words hang from their last letter, so that it touches the matrix.
            at = row - (height - len(word))
            letters.append(_padded(word[at] if at >= 0 else " ", width))
        lines.append((" " * left + " " + " ".join(letters)).rstrip())
    for i, word in enumerate(source):
        marks = [
            _padded(LINKED if (i, j) in cells else UNLINKED, width)
            for j, width in enumerate(widths)
        ]
        lines.append((" " * (left - display_width(word)) + word + " " + " ".join(marks)).rstrip())
    return "\n".join(lines) + "\n"


def display_width(text: str) -> int:
    """How many cells of a terminal the text fills."""
    return sum(
        0
        if unicodedata.combining(letter)
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )


def _padded(letter: str, width: int) -> str:
    return letter + " " * (width - display_width(letter))
