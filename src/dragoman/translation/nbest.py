"""N-best lists in Moses' format."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.translation.result import Translation


def nbest_lines(number: int, entries: Sequence[Translation]) -> list[str]:
    """``number ||| text ||| name= value ... ||| score`` for each entry."""
    lines = []
    for entry in entries:
        values = " ".join(f"{name}= {value:.6g}" for name, value in entry.features.items())
        lines.append(f"{number} ||| {entry.text} ||| {values} ||| {entry.score:.6f}")
    return lines
