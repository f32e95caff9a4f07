"""Examples of words never seen: rare words of known sentences, treated as if they were new."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman._core import Vocabulary
from dragoman.unknown.sources import NEVER_SEEN

# Words seen so often in training are like those that it never saw.
RAREST = 2


def held_out(lines: Sequence[str], vocabulary: Vocabulary, most: int) -> list[tuple[int, str]]:
    """Numbers of tokenised lines that have rare words, and the lines with these held out.

    At most so many lines, those with the rarest words first, in their order.
    """
    found: list[tuple[int, int, str]] = []
    for number, line in enumerate(lines):
        words = line.split()
        counts = [_count(word, vocabulary) for word in words]
        if not any(0 < count <= RAREST for count in counts):
            continue
        rarest = min(count for count in counts if count)
        marked = (
            word + NEVER_SEEN if 0 < count <= RAREST else word
            for word, count in zip(words, counts, strict=True)
        )
        found.append((rarest, number, " ".join(marked)))
    return sorted((number, line) for _, number, line in sorted(found)[:most])


def _count(word: str, vocabulary: Vocabulary) -> int:
    number = vocabulary.find(word)
    return vocabulary.count(number) if number else 0
