"""A translation memory from its definition: every stored segment is compared with the one that is
asked for. Segments are given in words with spaces between; numbers are items."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher


def is_item(word: str) -> bool:
    return word.isdigit()


def mask(words: Sequence[str]) -> list[str]:
    """What segments are compared by: small letters, one name for all items."""
    return ["#" if is_item(word) else word.lower() for word in words]


def edits(one: Sequence[str], other: Sequence[str]) -> int:
    row = list(range(len(other) + 1))
    for i, word in enumerate(one, 1):
        above, row = row, [i]
        for j, against in enumerate(other, 1):
            row.append(min(above[j - 1] + (word != against), above[j] + 1, row[-1] + 1))
    return row[-1]


def adapted(stored: list[str], target: list[str], asked: list[str]) -> tuple[list[str], int]:
    """The stored translation with the items of the segment asked for, and how many it lacks."""
    blocks = SequenceMatcher(None, mask(stored), mask(asked), False).get_matching_blocks()
    pairs = [(b.a + k, b.b + k) for b in blocks for k in range(b.size) if is_item(stored[b.a + k])]
    result, taken, missed = list(target), set(), 0
    for a, b in pairs:
        places = [p for p, word in enumerate(target) if word == stored[a] and p not in taken]
        if places:
            taken.add(places[0])
            result[places[0]] = asked[b]
        else:
            missed += stored[a] != asked[b]
    return result, missed


def matches(
    pairs: Sequence[tuple[str, str]], text: str, least: int, most: int, prefer: str
) -> list[tuple[int, str, str, int, bool]]:
    """(score, source, target, count, adapted), best first, each target once."""
    asked = text.split()
    found = []
    for source, target in set(pairs):
        stored = source.split()
        if not stored or not asked:
            continue
        wrong = edits(mask(stored), mask(asked))
        length = max(len(stored), len(asked))
        fitted, missed = adapted(stored, target.split(), asked)
        left = max(0, length - wrong - missed)
        letters = ["#" if is_item(w) else w for w in stored] == [
            "#" if is_item(w) else w for w in asked
        ]
        same = not wrong and not missed and letters
        score = 100 if same else min(99, 100 * left // length)
        if score < least:
            continue
        count = pairs.count((source, target))
        latest = max(place for place, pair in enumerate(pairs) if pair == (source, target))
        order = (count, latest) if prefer == "frequent" else (latest, count)
        said = " ".join(fitted)
        found.append(((score, *order), source, said, count, said != target))
    best: dict[str, tuple[int, str, str, int, bool]] = {}
    for rank, source, said, count, changed in sorted(found, reverse=True):
        best.setdefault(said, (rank[0], source, said, count, changed))
    return list(best.values())[:most]
