"""Words that are spelt nearly like known ones: slips, variants, other diacritics.

Which letters stand for each other is learnt from pairs of known words that differ in one letter:
an edit is as good as the translations of such pairs are alike. Most pairs of neighbours mean
something else (hand, hund), so that a vocabulary in which nothing is spelt in two ways teaches
that spelling is no guide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from dragoman.unknown.known import KnownWords

SHORTEST = 5
# Words longer than this are as reliable as this.
LONGEST = 12
# Differences in the last letters are for relatives.
ENDING = 2
# Pairs for which the average is believed before any is seen.
BELIEF = 3.0
# A key that so many words share says nothing.
LARGEST_BUCKET = 40
LEAST_GOODNESS = 0.02


def learn_edits(known: KnownWords) -> dict[str, Any]:
    """How good edits are, and by how much more in long words."""
    seen: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    sizes = [[0.0, 0.0] for _ in range(SHORTEST, LONGEST + 1)]
    for edit, length, alike in _neighbours(known):
        for pair in (edit, edit[::-1]):
            seen[pair][0] += alike
            seen[pair][1] += 1
        size = sizes[min(length, LONGEST) - SHORTEST]
        size[0] += alike
        size[1] += 1
    average = (sum(one[0] for one in sizes) + 0.5) / (sum(one[1] for one in sizes) + 10)
    rated = {
        edit: (alike + BELIEF * average) / (pairs + BELIEF)
        for edit, (alike, pairs) in seen.items()
    }
    return {
        "edits": [(*edit, round(one, 4)) for edit, one in sorted(rated.items())],
        "other": round(max(average, LEAST_GOODNESS), 4),
        "sizes": [
            round((alike + BELIEF * average) / (pairs + BELIEF) / average, 4)
            for alike, pairs in sizes
        ],
        "shortest": SHORTEST,
    }


def _neighbours(known: KnownWords) -> Iterator[tuple[tuple[str, str], int, float]]:
    """The edit, the length, and how alike the meanings are, of pairs that differ in a letter."""
    buckets: dict[tuple[int, str], list[tuple[str, int]]] = defaultdict(list)
    words = {
        word: number
        for word, number in known.ids.items()
        if len(word) >= SHORTEST and word.isalpha()
    }
    for word, number in words.items():
        for place in range(len(word) - ENDING):
            buckets[place, word[:place] + word[place + 1 :]].append((word[place], number))
    for (_, rest), bucket in buckets.items():
        shorter = words.get(rest)
        if len(bucket) > LARGEST_BUCKET:
            continue
        for at, (letter, number) in enumerate(bucket):
            if shorter:
                yield (letter, ""), len(rest) + 1, known.lexicon.overlap(number, shorter)
            for other, second in bucket[at + 1 :]:
                alike = known.lexicon.overlap(number, second)
                yield (letter, other), len(rest) + 1, alike
