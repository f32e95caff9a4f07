"""Relatives of a word: forms that differ at the beginning or the end and mean the same.

What may be rewritten is learnt from pairs of known words with a common stem: a rewrite is as
good as the translations of such pairs are alike. Schone & Jurafsky (2000) find affixes in the
same way, by the company that words keep; here the other language is that company.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from dragoman.unknown.known import KnownWords

LONGEST_ENDING = 5
# Stems by so many letters more than the shortest are as reliable as longer ones.
STEMS = 6
# Pairs of words that a rewrite must be seen in, and how alike they must be on average.
FEWEST_PAIRS = 3
LEAST_LIKENESS = 0.04
# A stem that so many words begin with is none.
LARGEST_FAMILY = 60
# Pairs that are believed to speak against a rewrite before any is seen.
DOUBT = 2.0
# Of the rewrites of one ending, so many are kept.
MOST_REWRITES = 25
# A family's likeness is believed to be the average before so many pairs are seen.
BELIEF = 10.0

Rated = list[tuple[str, str, float]]  # from, to, goodness


def learn_rewrites(known: KnownWords) -> dict[str, Any]:
    """What ends and beginnings may become, and how far stems can be trusted by their length."""
    totals = [[0.0, 0.0] for _ in range(STEMS)]
    ends = _learn(known, totals)
    beginnings = _learn(known, [[0.0, 0.0] for _ in totals], reverse=True)
    average = (sum(t[0] for t in totals) + 1) / (sum(t[1] for t in totals) + BELIEF)
    stems = [(alike + BELIEF * average) / (pairs + BELIEF) / average for alike, pairs in totals]
    return {
        "ends": ends,
        "beginnings": [(old[::-1], new[::-1], goodness) for old, new, goodness in beginnings],
        "stems": [round(factor, 4) for factor in stems],
        "shortest_stem": known.shortest,
    }


def _learn(known: KnownWords, totals: list[list[float]], *, reverse: bool = False) -> Rated:
    families: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for word, number in known.ids.items():
        spelt = word[::-1] if reverse else word
        for size in range(min(LONGEST_ENDING, len(spelt) - known.shortest) + 1):
            cut = len(spelt) - size
            families[spelt[:cut]].append((spelt[cut:], number))
    # By two endings, the smaller one first: a rewrite is as good in either direction.
    seen: dict[tuple[str, str], list[float]] = {}
    for stem, family in families.items():
        if not 1 < len(family) <= LARGEST_FAMILY or not stem.isalpha():
            continue
        total = totals[min(len(stem) - known.shortest, STEMS - 1)]
        begins = [ending[:1].lower() for ending, _ in family]
        for place, (ending, first) in enumerate(family):
            begin = begins[place]
            for later in range(place + 1, len(family)):
                # Only where the stem is all that they share.
                if begin == begins[later]:
                    continue
                other, second = family[later]
                alike = known.lexicon.overlap(first, second)
                total[0] += alike
                total[1] += 1
                pair = (ending, other) if ending < other else (other, ending)
                entry = seen.get(pair)
                if entry is None:
                    entry = seen[pair] = [0.0, 0.0]
                entry[0] += alike
                entry[1] += 1
    table: dict[str, Rated] = defaultdict(list)
    for (ending, other), (alike, pairs) in seen.items():
        goodness = alike / (pairs + DOUBT)
        if pairs >= FEWEST_PAIRS and goodness >= LEAST_LIKENESS:
            table[ending].append((ending, other, round(goodness, 4)))
            table[other].append((other, ending, round(goodness, 4)))
    return [
        row
        for _, rows in sorted(table.items())
        for row in sorted(rows, key=lambda row: (-row[2], row[1]))[:MOST_REWRITES]
    ]
