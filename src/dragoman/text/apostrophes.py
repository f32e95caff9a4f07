"""Apostrophes inside words: one form for all of them, and no space beside them.

Text that comes from many keyboards has t'a beside t’a, and text that was cut into words before,
t ’ a or t 'a: words that look alike and are strangers to each other. Which form is usual, and
whether spaces stand beside apostrophes that belong to a word, is learnt from the training text, on
each side for itself.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

# Those that tokenisers leave inside words, and others that people type for them.
FORMS = "'’ʼʻ＇"
_ALL = FORMS + "‘`´"
_LETTER = r"[^\W\d_]"
_FORM = re.compile(rf"[{_ALL}]")
_WORD = re.compile(rf"{_LETTER}+")
_INSIDE = re.compile(rf"(?<={_LETTER})[{FORMS}](?={_LETTER})")
_APART = re.compile(rf"(?<={_LETTER})(?: [{_ALL}] ?|[{_ALL}] |[‘`´])(?={_LETTER})")
_NEIGHBOURS = re.compile(
    rf"(?<!{_LETTER})({_LETTER}+)(?: ([{_ALL}]) ?|([{_ALL}]) )(?=({_LETTER}+))"
)
_QUOTED = re.compile(rf"(?<!\S)[{_ALL}](?=\S)[^{_ALL}]*(?<=\S)[{_ALL}](?!\w)")

# So many lines say how a text has its apostrophes.
MOST_LINES = 50_000
# Spaces belong to apostrophes inside words when there are so many of them, ...
_LEAST_APART = 20
# ... and one of the neighbours mostly stands beside an apostrophe: it is no word by itself.
_BOUND_SHARE = 0.5


@dataclass(frozen=True)
class Apostrophes:
    """How one side of a text has its apostrophes; without anything, each stays as it is."""

    usual: str = ""  # the form inside words
    apart: bool = False  # whether there may be spaces beside it

    def joined(self, text: str) -> str:
        """A line without spaces beside the apostrophes of a word."""
        if not self.apart or not _FORM.search(text):
            return text
        quoting = _quotation_marks(text)

        def join(match: re.Match[str]) -> str:
            form = match[0].strip()
            if match.start() + match[0].index(form) in quoting:
                return match[0]
            return form if form in FORMS else self.usual

        return _APART.sub(join, text)

    def usual_in(self, tokens: list[str]) -> list[str]:
        """Tokens with the usual form of the apostrophes of words."""
        if not self.usual or not _FORM.search("".join(tokens)):
            return tokens
        return [_FORM.sub(self.usual, token) if _WORD.search(token) else token for token in tokens]


def _quotation_marks(text: str) -> set[int]:
    """The places of marks that enclose something."""
    return {
        place for found in _QUOTED.finditer(text) for place in (found.start(), found.end() - 1)
    }


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
        if _FORM.search(text):
            quoting = _quotation_marks(text)
            text = "".join('"' if n in quoting else one for n, one in enumerate(text))
            self._forms.update(_INSIDE.findall(text))
            found = _NEIGHBOURS.findall(text)
            self._apart += ((one, other, first or second) for one, first, second, other in found)
            text = _APART.sub(" ", text)
        self._words.update(text.split())

    def finish(self) -> Apostrophes:
        """What was learnt."""
        apart, forms = self._stand_apart(), self._forms.copy()
        if apart:
            forms.update(form for _, _, form in self._apart if form in FORMS)
        usual = min(forms, key=lambda form: (-forms[form], form), default=FORMS[0] * apart)
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
