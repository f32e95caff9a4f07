"""Sentence beginnings in the case the word usually has.

A capital at the start of a sentence says nothing about the word. The truecaser learns how words
are written elsewhere, gives the first word of a sentence that form, and puts the capital back
in translations.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from dragoman.errors import FileError, ModelError


class Truecaser:
    """Knows for each word, by its lower-case form, how it is usually written."""

    def __init__(self, usual: dict[str, str] | None = None) -> None:
        # Only words whose usual form is not lower case; lower case is the rule.
        self._usual = usual if usual is not None else {}

    def truecase(self, tokens: str) -> str:
        """The line with its first word as it would be written inside a sentence."""
        words = tokens.split(" ")
        place = first_word(words)
        if place is None:
            return tokens
        word = words[place]
        lower = word.lower()
        # "McDonald" or "USA" say what they mean, wherever they stand.
        if word != lower and word == lower[:1].upper() + lower[1:]:
            words[place] = self._usual.get(lower, lower)
        return " ".join(words)

    @staticmethod
    def restore(tokens: str) -> str:
        """The line with a capital at its first word."""
        words = tokens.split(" ")
        place = first_word(words)
        if place is not None and words[place].islower():
            words[place] = words[place][:1].upper() + words[place][1:]
        return " ".join(words)

    def save(self, path: Path) -> None:
        text = json.dumps(self._usual, ensure_ascii=False, sort_keys=True, indent=0)
        path.write_text(text + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path) -> Truecaser:
        try:
            usual = json.loads(path.read_text("utf-8"))
        except OSError as problem:
            raise FileError.of(problem, path) from problem
        except ValueError as problem:
            raise ModelError(f"{path}: damaged: {problem}") from problem
        if not isinstance(usual, dict) or not all(isinstance(v, str) for v in usual.values()):
            raise ModelError(f"{path}: damaged: expected an object of words")
        return cls(usual)


class TruecaseLearner:
    """Counts how words are written where a sentence does not begin."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def update(self, lines: Iterable[str]) -> None:
        """Learn from tokenised lines."""
        for line in lines:
            words = line.split(" ")
            place = first_word(words)
            if place is not None:
                self._counts.update(words[place + 1 :])

    def finish(self) -> Truecaser:
        """What was learnt; ties go to the form that sorts last, which is lower case."""
        forms: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._counts:
            forms[word.lower()].append(word)
        usual = {
            lower: max(written, key=lambda form: (self._counts[form], form))
            for lower, written in forms.items()
        }
        return Truecaser({lower: form for lower, form in usual.items() if form != lower})


def first_word(words: list[str]) -> int | None:
    """The place of the first token that has a letter, behind quotes, dashes and the like."""
    for place, word in enumerate(words):
        if any(character.isalpha() for character in word):
            return place
    return None
