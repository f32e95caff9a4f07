"""Sentence beginnings in the case the word usually has.

A capital at the start of a sentence says nothing about the word. The truecaser learns how words
are written elsewhere, gives the first word of a sentence that form, and puts the capital back
in translations.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from dragoman.errors import ModelError
from dragoman.files import read_json
from dragoman.text.items import item_kind

ENDS = frozenset({".", "?", "!", "。", "？", "！", "।", "؟", "۔"})


class Truecaser:
    """Knows for each word, by its lower-case form, how it is usually written."""

    def __init__(self, usual: dict[str, str] | None = None, *, classed: bool = False) -> None:
        """`classed`: for text with items by their kinds (see first_word)."""
        # Only words whose usual form is not lower case; lower case is the rule.
        self._usual = usual if usual is not None else {}
        self._classed = classed

    def truecase(self, words: list[str]) -> list[str]:
        """The tokens of a line, the first word of each sentence as it would be written inside
        one."""
        out = list(words)
        for place in begins(words, classed=self._classed):
            word = words[place]
            lower = word.lower()
            # "McDonald" or "USA" say what they mean, wherever they stand.
            if word != lower and word == lower[:1].upper() + lower[1:]:
                out[place] = self._usual.get(lower, lower)
        return out

    @staticmethod
    def restore(words: list[str]) -> list[str]:
        """The tokens of a line with a capital at its first word."""
        place = first_word(words)
        if place is None or not words[place].islower():
            return words
        word = words[place]
        return [*words[:place], word[:1].upper() + word[1:], *words[place + 1 :]]

    def save(self, path: Path) -> None:
        text = json.dumps(self._usual, ensure_ascii=False, sort_keys=True, indent=0)
        path.write_text(text + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path, *, classed: bool = False) -> Truecaser:
        usual = read_json(path)
        if not all(isinstance(word, str) and word.split() == [word] for word in usual.values()):
            raise ModelError(f"{path}: damaged: expected an object of words")
        return cls(usual, classed=classed)


class TruecaseLearner:
    """Counts how words are written where a sentence does not begin."""

    def __init__(self, *, classed: bool = False) -> None:
        self._counts: Counter[str] = Counter()
        self._classed = classed

    def update(self, words: Sequence[str]) -> None:
        """Learn from the tokens of a line."""
        first = first_word(words, classed=self._classed)
        if first is not None:
            counted = list(words)
            for place in reversed(begins(words, classed=self._classed)):
                del counted[place]
            self._counts.update(counted[first:])

    def add(self, other: TruecaseLearner, times: int = 1) -> None:
        """Learn what another has learnt; -1 times: forget it."""
        for word, count in other._counts.items():
            self._counts[word] += times * count

    def finish(self) -> Truecaser:
        """What was learnt; ties go to the form that sorts last, which is lower case."""
        forms: defaultdict[str, list[str]] = defaultdict(list)
        for word, count in self._counts.items():
            if count > 0:
                forms[word.lower()].append(word)
        usual = {
            lower: max(written, key=lambda form: (self._counts[form], form))
            for lower, written in forms.items()
        }
        found = {lower: form for lower, form in usual.items() if form != lower}
        return Truecaser(found, classed=self._classed)


def begins(words: Sequence[str], *, classed: bool) -> list[int]:
    """The places of the first words of sentences; of a line whose items are not `classed`, of
    the first alone."""
    first = first_word(words, classed=classed)
    found = [] if first is None else [first]
    if classed:
        found += [place for place in inner_begins(words) if place != first]
    return found


def inner_begins(words: Sequence[str]) -> list[int]:
    """The places of words behind the end of a sentence, and behind what opens there."""
    if ENDS.isdisjoint(words[1:-1]):
        return []
    found = []
    ended = False
    for place, word in enumerate(words):
        if word in ENDS:
            ended = place > 0
        elif ended and any(map(str.isalnum, word)):
            if word[0].isalpha():
                found.append(place)
            ended = False
    return found


def first_word(words: Sequence[str], *, classed: bool = False) -> int | None:
    """The place of the first token that has a letter, behind quotes, dashes and the like; where
    items are `classed`, none if an item or a number comes first: "5 files" has no capital."""
    for place, word in enumerate(words):
        if word[:1].isalpha():
            return place
        if item_kind(word):
            if classed:
                return None
            continue
        if classed and word.isdecimal():
            return None
        if any(character.isalpha() for character in word):
            return place
    return None
