"""Quotation marks that open and close: a model chooses each alone, and may mix two kinds."""

from __future__ import annotations

from collections.abc import Sequence

# What may close what opens; the first is the usual one.
_CLOSED_BY = {'"': '"', "«": "»", "“": "”", "„": "“”", "‹": "›", "»": "«»", "”": "”"}
_OPENED_BY = {"»": "«", "”": "“", "›": "‹"}
_MARKS = frozenset("".join((*_CLOSED_BY, *_CLOSED_BY.values())))


def with_matching_quotes(words: Sequence[str]) -> list[str]:
    """The words of a translation with quotation marks of one kind in each pair; what is right,
    or of which nobody can say what it should be, stays."""
    out = list(words)
    places = [place for place, word in enumerate(out) if word in _MARKS]
    if len(places) % 2 or _well_formed([out[place] for place in places]):
        return out
    for first, second in zip(places[::2], places[1::2], strict=True):
        opening, closing = out[first], out[second]
        if closing in _CLOSED_BY.get(opening, ""):
            continue
        if opening in _OPENED_BY.values():
            out[second] = _CLOSED_BY[opening][0]
        elif closing in _OPENED_BY:
            out[first] = _OPENED_BY[closing]
    return out


def _well_formed(marks: Sequence[str]) -> bool:
    opened: list[str] = []
    for mark in marks:
        if opened and mark in _CLOSED_BY[opened[-1]]:
            opened.pop()
        elif mark in _CLOSED_BY:
            opened.append(mark)
        else:
            return False
    return not opened
