"""Capitals: what those of a sentence say, and where its translation has them.

A word that is known in another case only is looked up so; what the capitals meant, the beginning
of a sentence, a title, a line in capitals, is restored in the translation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dragoman.text.items import item_kind
from dragoman.text.truecase import inner_begins

Pattern = Literal["plain", "start", "title", "upper", "uncased"]

# Shorter words of titles may be lower case in them.
_TITLE_WORD = 4


def is_word(token: str) -> bool:
    """Whether a token has letters of its own."""
    return not item_kind(token) and any(character.isalpha() for character in token)


def pattern_of(tokens: Sequence[str]) -> Pattern:
    """What the capitals of a sentence say."""
    cased = [token for token in tokens if _has_cases(token)]
    if not cased:
        return "uncased"
    if all(word == word.upper() for word in cased) and sum(map(_letters, cased)) > 1:
        return "upper"
    if cased[0][0].isdecimal():  # 2nd axis: no capital could be there
        return "uncased"
    if not _capital(cased[0]):
        return "plain"
    return "title" if _is_title(cased) else "start"


@lru_cache(1 << 16)
def _has_cases(token: str) -> bool:
    return token.lower() != token.upper() and not item_kind(token)


def _is_title(words: Sequence[str]) -> bool:
    long = 0
    for word in words:
        if _letters(word) >= _TITLE_WORD:
            if not _capital(word):
                return False
            long += 1
    return long > 1


def _letters(word: str) -> int:
    return len(word) if word.isalpha() else sum(map(str.isalpha, word))


def _capital(word: str) -> bool:
    first = word[0] if word[0].isalpha() else next(filter(str.isalpha, word))
    return first != first.lower()


def capitalised(word: str) -> str:
    """The word with a capital at its first letter."""
    for place, character in enumerate(word):
        if character.isalpha():
            return word[:place] + character.title() + word[place + 1 :]
    return word


def usual_case(token: str, count: Callable[[str], int]) -> str:
    """A token as the model knows it; `count` says how often a word was seen, 0 for never."""
    if count(token) or not is_word(token):
        return token
    others = {token.lower(), capitalised(token.lower()), token.upper()} - {token}
    known = [(count(other), other) for other in others]
    # Scripts without cases have no others.
    best, other = max(known, default=(0, token))
    return other if best else token


def lowered(tokens: Sequence[str], count: Callable[[str], int]) -> list[str]:
    """The tokens of a line in capitals, each in the case in which it was seen most."""
    found = []
    for token in tokens:
        if not is_word(token):
            found.append(token)
            continue
        forms = [token.lower(), capitalised(token.lower()), token]
        counts = [count(form) for form in forms]
        found.append(forms[counts.index(max(counts))])
    return found


@dataclass(frozen=True)
class CaseHabits:
    """How the target side of the training text uses capitals."""

    starts: float = 1.0  # share of lines that begin with one
    titles: float = 0.0  # share of titles whose translations are titles
    copies: float = 1.0  # share of words with one in the source that keep it, of those kept
    # Words behind whose full stop a sentence goes on.
    abbreviations: tuple[str, ...] = ()

    def restored(
        self, tokens: Sequence[str], pattern: Pattern, *, item_first: bool, inner: bool = False
    ) -> list[str]:
        """A translation with the capitals that its source asks for; `item_first`: the source
        begins with an item instead of a word; `inner`: sentences inside it begin with one."""
        if pattern == "upper":
            return [token.upper() if is_word(token) else token for token in tokens]
        out = list(tokens)
        if pattern == "title" and self.titles >= 0.5:
            out = [capitalised(t) if is_word(t) and len(t) >= _TITLE_WORD else t for t in out]
        usual = pattern == "uncased" and self.starts >= 0.5
        if inner or usual:
            for place in inner_begins(out):
                if out[place] == out[place].lower() and not self._goes_on(out, place):
                    out[place] = capitalised(out[place])
        if not (usual or pattern in ("start", "title")):
            return out
        for place, token in enumerate(out):
            if (item_kind(token) and not item_first) or token.isdecimal():
                break
            if is_word(token):
                if token == token.lower():
                    out[place] = capitalised(token)
                break
        return out

    def copied(self, word: str) -> str:
        """A word inside a source sentence that stays as it is, in the case it will have."""
        lower = word.lower()
        return lower if self.copies < 0.5 and word == capitalised(lower) else word

    def _goes_on(self, tokens: Sequence[str], place: int) -> bool:
        return place > 1 and tokens[place - 1] == "." and tokens[place - 2] in self.abbreviations


class CaseLearner:
    """Counts capitals in pairs of lines."""

    def __init__(self) -> None:
        self._lines = self._starts = self._sources = self._titles = 0
        self._kept = self._copied = 0
        self._stops: defaultdict[str, int] = defaultdict(int)

    def update(self, source: Sequence[str], target: Sequence[str]) -> None:
        """Learn from the tokens of a pair, as they were written."""
        there = pattern_of(target)
        if there != "uncased":
            self._lines += 1
            self._starts += there != "plain"
        if pattern_of(source) == "title" and sum(map(is_word, target)) > 1:
            self._sources += 1
            self._titles += there in ("title", "upper")
        for place in inner_begins(target):
            if place > 1 and target[place - 1] == ".":
                self._stops[target[place - 2]] += 1 if target[place][0].islower() else -1
        if there not in ("title", "upper"):
            self._copies(source, target)

    def _copies(self, source: Sequence[str], target: Sequence[str]) -> None:
        """Count the words with a capital inside the source that the target has as well."""
        there = set(target[1:])
        first = True
        behind = set(inner_begins(source))
        for place, word in enumerate(source):
            if first or place in behind:
                first = first and not is_word(word)
            elif len(word) > 1 and word[0].isupper() and word[1:].islower():
                if word in there:
                    self._kept += 1
                    self._copied += 1
                elif word.lower() in there:
                    self._copied += 1

    def add(self, other: CaseLearner, times: int = 1) -> None:
        """Learn what another has learnt; -1 times: forget it."""
        for name in ("_lines", "_starts", "_sources", "_titles", "_kept", "_copied"):
            setattr(self, name, getattr(self, name) + times * getattr(other, name))
        for word, count in other._stops.items():
            self._stops[word] += times * count

    def finish(self) -> CaseHabits:
        """What was learnt."""
        return CaseHabits(
            round(self._starts / self._lines, 4) if self._lines else 1.0,
            round(self._titles / self._sources, 4) if self._sources else 0.0,
            round(self._kept / self._copied, 4) if self._copied else 1.0,
            tuple(sorted(word for word, more in self._stops.items() if more > 1)),
        )
