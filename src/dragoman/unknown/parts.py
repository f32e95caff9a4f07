"""Parts of a word: compounds, and what is joined by hyphens.

Which letters join parts, how their translations are put together (in order, turned round, with a
word between, as one word, or one of them alone) and how far a split can be trusted is learnt from
known words that can be split into known ones: a split is right as far as the translations of the
parts are found in that of the whole (Koehn & Knight 2003, section 4, confirm splits so).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from dragoman.unknown.known import KnownWords

# Parts by so many letters more than the shortest are as reliable as longer ones.
SIZES = 5
LONGEST_LINK = 2
# What first parts may lose is among so many frequent ends of words.
MOST_LOST = 8
# Links and patterns that are worse than this are debris; so are links that were seen less often.
LEAST_GOODNESS = 0.15
FEWEST_LINKS = 5
LEAST_PATTERN = 0.03
# Splits that are believed to be wrong before any is seen.
DOUBT = 2.0
BELIEF = 5.0
# When this much of a word's translations has both parts, those with one are bad alignments.
BOTH = 0.1

# One part alone for both is mostly a bad alignment, even where no other translation was seen.
ALONE = 0.25

_JOINED = "12"


class _Rate:
    """How often something was right."""

    def __init__(self) -> None:
        self.right, self.tried = 0.0, 0.0

    def add(self, right: float) -> None:
        self.right += min(1.0, right)
        self.tried += 1


def learn_parts(known: KnownWords) -> dict[str, Any]:
    """Links, patterns, and how far parts can be trusted by their length."""
    lost = _frequent_ends(known)
    links: dict[tuple[str, str], _Rate] = defaultdict(_Rate)
    sizes = [_Rate() for _ in range(SIZES)]
    alone = {side: [_Rate() for _ in sizes] for side in ("ends", "beginnings")}
    patterns: dict[str, float] = defaultdict(float)
    for word, number in known.ids.items():
        if len(word) < 2 * known.shortest or not word[:1].isalpha():
            continue
        meanings = [(target.split(" "), p) for target, p in known.meanings(number)]
        whole = False
        for link, before, after, shorter in _known_splits(word, known, lost):
            whole = True
            first, second = known.short_meanings(before), known.short_meanings(after)
            seen = _patterns(meanings, first, second)
            for rate in (links[link], sizes[min(shorter - known.shortest, SIZES - 1)]):
                rate.add(sum(seen.values()))
            both = sum(share for pattern, share in seen.items() if len(pattern) > 1)
            for pattern, share in seen.items():
                if both < BOTH or len(pattern) > 1:
                    patterns[pattern] += share
        if not whole:
            _learn_alone(word, meanings, known, alone)
    average = (sum(one.right for one in sizes) + 1) / (sum(one.tried for one in sizes) + BELIEF)
    goodness = {
        link: rate.right / (rate.tried + DOUBT)
        for link, rate in links.items()
        if rate.tried >= FEWEST_LINKS
    }
    total = sum(patterns.values())
    shares = {pattern: one / total for pattern, one in patterns.items() if total}
    return {
        "links": [
            (*link, round(one, 4))
            for link, one in sorted(goodness.items())
            if one >= LEAST_GOODNESS
        ],
        "sizes": [
            round((one.right + BELIEF * average) / (one.tried + BELIEF) / average, 4)
            for one in sizes
        ],
        "shortest_part": known.shortest,
        "patterns": [
            (pattern, round(share * (ALONE if len(pattern) == 1 else 1), 4))
            for pattern, share in sorted(shares.items(), key=lambda item: (-item[1], item[0]))
            if share >= LEAST_PATTERN
        ],
        **{
            side: [round(rate.right / (rate.tried + BELIEF), 4) for rate in rates]
            for side, rates in alone.items()
        },
    }


def _frequent_ends(known: KnownWords) -> list[str]:
    """What words often end with, one or two letters."""
    ends: Counter[str] = Counter()
    for word in known.ids:
        if word.isalpha() and len(word) > known.shortest + LONGEST_LINK:
            ends.update((word[-1:], word[-2:]))
    return [end for end, _ in sorted(ends.items(), key=lambda item: (-item[1], item[0]))][
        :MOST_LOST
    ]


def _known_splits(
    word: str, known: KnownWords, lost: list[str]
) -> Iterator[tuple[tuple[str, str], int, int, int]]:
    """Link, first and second part of the ways to split a word into known ones, and the letters
    of the shorter part."""
    for place in range(known.shortest, len(word) - known.shortest + 1):
        after = known.form_of(word[place:])
        if not after:
            continue
        part = word[:place]
        for size in range(LONGEST_LINK + 1):
            stem = part[: len(part) - size]
            if len(stem) < known.shortest:
                break
            shorter = min(len(stem), len(word) - place)
            before = known.form_of(stem)
            if before:
                yield ("", part[len(stem) :]), before, after, shorter
            for end in lost:
                before = known.form_of(stem + end) if not part[len(stem) :].startswith(end) else 0
                if before:
                    yield (end, part[len(stem) :]), before, after, shorter


def _patterns(
    meanings: list[tuple[list[str], float]], first: dict[str, float], second: dict[str, float]
) -> dict[str, float]:
    """How the translations of a word are put together from those of its parts."""
    found: dict[str, float] = defaultdict(float)
    for target, probability in meanings:
        pattern = _pattern(target, first, second)
        if pattern:
            found[pattern] += probability
    return found


def _pattern(target: list[str], first: dict[str, float], second: dict[str, float]) -> str:
    kinds = ["1" if one in first else "2" if one in second else one for one in target]
    if len(kinds) == 1:
        if kinds[0] in ("1", "2"):
            return kinds[0]
        whole = target[0]
        joined = any(whole.startswith(one) and whole[len(one) :] in second for one in first)
        return _JOINED if joined else ""
    if sorted(kinds[:1] + kinds[-1:]) != ["1", "2"] or len(kinds) > 3:
        return ""
    return " ".join(kinds) if len(kinds) == 2 or kinds[1] not in ("1", "2") else ""


def _learn_alone(
    word: str,
    meanings: list[tuple[list[str], float]],
    known: KnownWords,
    alone: dict[str, list[_Rate]],
) -> None:
    """Whether the longest known part, at the end or the beginning, stands for the whole."""
    for side, rates in alone.items():
        for size in range(len(word) - 1, known.shortest, -1):
            part = known.form_of(word[len(word) - size :] if side == "ends" else word[:size])
            if not part:
                continue
            means = known.short_meanings(part)
            right = sum(p for target, p in meanings if any(one in means for one in target))
            rates[min(size - known.shortest, SIZES - 1)].add(right)
            break
