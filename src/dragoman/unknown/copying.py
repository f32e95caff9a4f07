"""Copying a word as it is: right for names, codes and numbers, wrong for most other words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman._core import word_kind

if TYPE_CHECKING:
    from dragoman.unknown.known import KnownWords

KINDS = 6
# Words seen at most so often are like those never seen.
RARE = 3
# What is believed before any word is seen: so many words, of which this share is copied.
BELIEF = 4.0
COPIED = 0.2


def learn_copying(known: KnownWords) -> list[float]:
    """How often rare words of a kind are their own translation: first of those that the target
    side does not know, then of those it knows."""
    rates = [[0.0, 0.0] for _ in range(2 * KINDS)]
    for word, number in known.ids.items():
        count = known.lexicon.count(number)
        if count > RARE:
            continue
        # A copied word is known to the target side by its own translation.
        elsewhere = known.lexicon.target_count(word) > count
        rate = rates[word_kind(word) + (KINDS if elsewhere else 0)]
        rate[0] += sum(p for target, p in known.meanings(number) if target == word)
        rate[1] += 1
    return [round((right + BELIEF * COPIED) / (tried + BELIEF), 4) for right, tried in rates]
