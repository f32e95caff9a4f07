"""Paragraphs that are wrapped: several lines that one reads as one.

Whether a line end means anything is not written in a text. It does not where the first word of
the next line would not have found room in the line, all lines being as long as the longest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Nobody wraps narrower or wider than this.
NARROWEST, WIDEST = 40, 132
_ITEM = re.compile(r"[-*+•–—]\s|\(?\w{1,3}[.)]\s")


def runs_on(lines: Sequence[str]) -> list[bool]:
    """Of lines without an empty one between them: whether each runs on in the next.

    All line ends but those before the items of a list must look wrapped, or none is.
    """
    width = max((len(line.rstrip()) for line in lines), default=0)
    found = [False] * len(lines)
    if not NARROWEST <= width <= WIDEST:
        return found
    for place, line in enumerate(lines[:-1]):
        following = lines[place + 1].lstrip()
        if _ITEM.match(following):
            continue
        if len(line.rstrip()) + 1 + len(following.split(maxsplit=1)[0]) <= width:
            return [False] * len(lines)
        found[place] = True
    return found


def wrapped(text: str, width: int, *, unbreakable: re.Pattern[str] | None = None) -> list[str]:
    """A text in lines of at most `width` characters, where words allow it; no line begins with
    what `unbreakable` matches."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        room = len(line) + 1 + len(word) <= width
        if not line or (not room and not (unbreakable and unbreakable.match(word))):
            lines += [line] if line else []
            line = word
        else:
            line += " " + word
    return [*lines, line] if line else lines
