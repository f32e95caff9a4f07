"""Examples of words never seen: rare words of known sentences, treated as if they were new."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman._core import Vocabulary
from dragoman.unknown.sources import NEVER_SEEN

# Words seen so often in training are like those that it never saw.
RAREST = 2


def held_out(lines: Sequence[str], vocabulary: Vocabulary, wanted: int) -> list[tuple[int, str]]:
    """Numbers of tokenised lines that have rare words, and the lines with these held out.

    As many as it takes to have `wanted` unknown words in all; none when the lines have so many.
    """
    counts = [[_count(word, vocabulary) for word in line.split()] for line in lines]
    unknown = sum(row.count(0) for row in counts)
    found: list[tuple[int, str]] = []
    for number, (line, row) in enumerate(zip(lines, counts, strict=True)):
        rare = [0 < count <= RAREST for count in row]
        if unknown >= wanted:
            break
        if any(rare):
            marked = zip(line.split(), rare, strict=True)
            found.append((number, " ".join(w + NEVER_SEEN if new else w for w, new in marked)))
            unknown += sum(rare)
    return found


def _count(word: str, vocabulary: Vocabulary) -> int:
    number = vocabulary.find(word)
    return vocabulary.count(number) if number else 0
