"""Apostrophes inside words: one form for all of them, and no space beside them.

Text that comes from many keyboards has t'a beside t’a, and text that was cut into words before,
t ’ a or t 'a: words that look alike and are strangers to each other. Which form is usual, and
whether spaces stand beside apostrophes that belong to a word, is learnt from the training text, on
each side for itself.
"""

from __future__ import annotations

import re
from collections import Counter

from dragoman.text.normalise import (
    ALL_APOSTROPHES,
    APART,
    APOSTROPHES,
    LETTER,
    SOME_APOSTROPHE,
    Apostrophes,
    quotation_marks,
)

_INSIDE = re.compile(rf"(?<={LETTER})[{APOSTROPHES}](?={LETTER})")
_NEIGHBOURS = re.compile(
    rf"(?<!{LETTER})({LETTER}+)(?: ([{ALL_APOSTROPHES}]) ?|([{ALL_APOSTROPHES}]) )(?=({LETTER}+))"
)

# So many lines say how a text has its apostrophes.
MOST_LINES = 50_000
# Spaces belong to apostrophes inside words when there are so many of them, ...
_LEAST_APART = 20
# ... and one of the neighbours mostly stands beside an apostrophe: it is no word by itself.
_BOUND_SHARE = 0.5


class ApostropheLearner:
    """Counts the apostrophes of one side of a text."""

    def __init__(self) -> None:
        self._lines = 0
        self._forms: Counter[str] = Counter()
        self._words: Counter[str] = Counter()  # between spaces
        self._apart: list[tuple[str, str, str]] = []  # words before and behind, and the form

    def update(self, text: str) -> None:
        """Learn from a normalised line."""
        if self._lines == MOST_LINES:
            return
        self._lines += 1
        if SOME_APOSTROPHE.search(text):
            quoting = quotation_marks(text)
            text = "".join('"' if n in quoting else one for n, one in enumerate(text))
            self._forms.update(_INSIDE.findall(text))
            found = _NEIGHBOURS.findall(text)
            self._apart += ((one, other, first or second) for one, first, second, other in found)
            text = APART.sub(" ", text)
        self._words.update(text.split())

    def finish(self) -> Apostrophes:
        """What was learnt."""
        apart, forms = self._stand_apart(), self._forms.copy()
        if apart:
            forms.update(form for _, _, form in self._apart if form in APOSTROPHES)
        usual = min(forms, key=lambda form: (-forms[form], form), default=APOSTROPHES[0] * apart)
        return Apostrophes(usual, apart)

    def _stand_apart(self) -> bool:
        if len(self._apart) < _LEAST_APART:
            return False
        beside = [Counter(pair[side] for pair in self._apart) for side in (0, 1)]
        known = bound = 0
        for pair in self._apart:
            shares = [
                there[word] / self._words[word]
                for word, there in zip(pair, beside, strict=False)
                if self._words[word] > 1  # what occurs once says nothing
            ]
            known += bool(shares)
            bound += max(shares, default=0) > _BOUND_SHARE
        return bound > _BOUND_SHARE * known
