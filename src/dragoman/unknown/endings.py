"""Endings that make forms of one word: singular and plural, cases, persons and tenses.

Relatives (dragoman.unknown.relatives) need only mean about the same; a form is nothing but
another ending of the same word. So a rewrite of endings must be seen in many pairs of known words
and the translations of these must be alike, where forms of one word in the other language are
alike as well: those with a common beginning. Endings that make new words (print, printer) are
rarer, and what they make is translated by other words.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from dragoman.unknown.known import KnownWords
from dragoman.unknown.relatives import LARGEST_FAMILY, LONGEST_ENDING

# Pairs of words that a rewrite must be seen in, and the share of those of the most frequent one.
FEWEST_PAIRS = 5
LEAST_SHARE = 0.03
# How alike the translations of its pairs must be on average.
LEAST_LIKENESS = 0.35
# Translations are alike when this part of the longer one is their common beginning.
COMMON = 0.6
# Of words seen at least so often it is known that they mean something else (a card is no form of
# car), where their translations have not even so many letters in common.
OFTEN = 5
FEWEST_LETTERS = 2
LEAST_PAIR = 0.1

Endings = tuple[str, str]


def learn_forms(known: KnownWords) -> dict[str, Any]:
    """Endings that make forms of a word, and pairs of words that are none all the same."""
    seen: dict[Endings, list[tuple[int, int]]] = defaultdict(list)
    for endings, first, second in _pairs(known):
        seen[endings].append((first, second))
    most = max(map(len, seen.values()), default=0)
    kept: dict[Endings, list[tuple[int, int]]] = {}
    for endings, pairs in sorted(seen.items()):
        if len(pairs) >= max(FEWEST_PAIRS, LEAST_SHARE * most):
            alike = (_alike(known, *pair, _much_in_common) for pair in pairs)
            if sum(alike) >= LEAST_LIKENESS * len(pairs):
                kept[endings] = pairs
    words = {number: word for word, number in known.ids.items()}
    apart = {
        (words[first], words[second])
        for pairs in kept.values()
        for first, second in pairs
        if min(known.lexicon.count(first), known.lexicon.count(second)) >= OFTEN
        and _alike(known, first, second, _begin_alike) < LEAST_PAIR
    }
    return {"endings": list(kept), "shortest": known.shortest, "apart": sorted(apart)}


def _pairs(known: KnownWords) -> Iterator[tuple[Endings, int, int]]:
    """Known words with a common stem, and their endings."""
    families: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for word, number in known.ids.items():
        if word.isalpha():
            for size in range(min(LONGEST_ENDING, len(word) - known.shortest) + 1):
                cut = len(word) - size
                families[word[:cut]].append((word[cut:], number))
    for family in families.values():
        if len(family) > LARGEST_FAMILY:
            continue
        for one, other in combinations(sorted(family), 2):
            # Only where the stem is all that they share.
            if one[0][:1].lower() != other[0][:1].lower():
                yield (one[0], other[0]), one[1], other[1]


def _alike(known: KnownWords, first: int, second: int, same: Callable[[str, str], bool]) -> float:
    others = known.meanings(second)
    return sum(
        min(p, sum(q for other, q in others if same(target, other)))
        for target, p in known.meanings(first)
    )


def _much_in_common(first: str, second: str) -> bool:
    least = math.ceil(COMMON * max(len(first), len(second)))
    return first[:least] == second[:least]


def _begin_alike(first: str, second: str) -> bool:
    return first[:FEWEST_LETTERS].lower() == second[:FEWEST_LETTERS].lower()
