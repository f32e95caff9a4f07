"""Accelerators: the mark before the letter that a menu or a button answers to (_File, ~New).

The mark is taken off before a message is translated, and set again in the translation: before the
same letter where there is one. Which marks stand inside words (Othe_r) depends on who writes; it
is learnt from the training text.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

MARKS = "_~&"
# Stands for every character of what is held, so that nobody looks for a mark there.
MASK = "\0"
# A mark is in use when so many pairs have it, once on each side, and so great a share of those
# that have it once on the source side.
_LEAST_PAIRS = 5
_LEAST_SHARE = 0.5

# Messages with accelerators are no longer than this, in characters.
LONGEST = 500


@dataclass(frozen=True)
class Accelerator:
    """A mark that was taken off a text."""

    mark: str
    letter: str
    word: str  # the word that it stood in, without it
    offset: int  # of the letter in the word
    place: int  # of the mark in the text
    earlier: int = 0  # how often the word stands before that, in what is not held

    @property
    def span(self) -> tuple[int, int]:
        """Where the word begins and ends in the text, the mark in it."""
        begin = self.place - self.offset
        return begin, begin + len(self.word) + 1


def find_accelerator(text: str, inside: str = "") -> Accelerator | None:
    """The accelerator of a text; `inside` are the marks that may stand inside words.

    There is at most one in a message; where a mark occurs twice it is something else.
    """
    if len(text) > LONGEST:
        return None
    found = [
        text.index(mark)
        for mark in MARKS
        if text.count(mark) == 1 and _is_accelerator(text, text.index(mark), inside)
    ]
    if len(found) != 1:
        return None
    (at,) = found
    begin, end = at, at + 1
    while begin > 0 and text[begin - 1].isalpha():
        begin -= 1
    while end < len(text) and text[end].isalpha():
        end += 1
    word = text[begin:at] + text[at + 1 : end]
    return Accelerator(text[at], text[at + 1], word, at - begin, at, text[:begin].count(word))


def _is_accelerator(text: str, at: int, inside: str) -> bool:
    before, letter = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    if not letter.isalpha():
        return False
    if not before or not (before.isalnum() or before == MASK):
        return True
    if not before.isalpha() or text[at] not in inside:
        return False
    # Star_Calc is a name.
    return letter.islower() or before.isupper()


def put_back(text: str, accelerator: Accelerator) -> str:
    """The text that the mark was taken off, with the mark where it was."""
    at = 0
    for _ in range(accelerator.earlier):
        at = text.index(accelerator.word, at) + len(accelerator.word)
    at = text.index(accelerator.word, at) + accelerator.offset
    return text[:at] + accelerator.mark + text[at:]


def set_accelerator(text: str, accelerator: Accelerator) -> str:
    """A translation with the mark: in the same word if it is there, before the same letter, at
    the beginning of a word rather than inside one; else before another letter that is easy to
    type; behind the text if it has no letter."""
    at = _place(text, accelerator)
    if at is None:
        return f"{text} ({accelerator.mark}{accelerator.letter.upper()})" if text else text
    return text[:at] + accelerator.mark + text[at:]


def _place(text: str, accelerator: Accelerator) -> int | None:
    word = re.search(rf"(?<!\w){re.escape(accelerator.word)}(?!\w)", text)
    if word is not None:
        return word.start() + accelerator.offset
    letter = accelerator.letter.lower()
    letters = [place for place, character in enumerate(text) if character.isalpha()]
    begins = [place for place in letters if place == 0 or not text[place - 1].isalnum()]
    for places in (begins, letters):
        for place in places:
            if text[place].lower() == letter:
                return place
    for places in (begins, letters):
        for place in places:
            if text[place].isascii():
                return place
    return letters[0] if letters else None


class AcceleratorLearner:
    """Counts marks in pairs of messages."""

    def __init__(self) -> None:
        self._source: Counter[str] = Counter()
        self._both: Counter[str] = Counter()

    def update(self, source: str, target: str) -> None:
        """Learn from a pair of raw lines, what is held in them masked."""
        for mark in MARKS:
            if source.count(mark) == 1:
                taken = find_accelerator(source, mark)
                if taken is not None and taken.mark == mark:
                    self._source[mark] += 1
                    other = find_accelerator(target, mark)
                    self._both[mark] += other is not None and other.mark == mark

    def finish(self) -> str:
        """The marks that are in use."""
        return "".join(
            mark
            for mark in MARKS
            if self._both[mark] >= max(_LEAST_PAIRS, _LEAST_SHARE * self._source[mark])
        )
