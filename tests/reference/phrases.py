"""Phrase extraction, counting and scoring as the definitions say it, slowly.

Written for being read beside the papers, not for speed, and sharing no code with the package.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

MONOTONE, SWAP, DISCONTINUOUS = 0, 1, 2
BACKWARD, FORWARD = 0, 1
KINDS = ("word", "phrase", "hierarchical")

Links = set[tuple[int, int]]
Span = tuple[int, int]  # [begin, end)
Corners = dict[int, set[Span]]


def is_block(links: Links, source: Span, target: Span) -> bool:
    """Koehn et al. (2003): at least one link, and none that leads out."""
    inside = False
    for i, j in links:
        in_source = source[0] <= i < source[1]
        in_target = target[0] <= j < target[1]
        if in_source != in_target:
            return False
        inside |= in_source
    return inside


def spans(length: int, longest: int) -> list[Span]:
    return [
        (begin, end)
        for begin in range(length)
        for end in range(begin + 1, min(length, begin + longest) + 1)
    ]


def blocks_by_definition(
    source_length: int, target_length: int, links: Links, longest: int
) -> set[tuple[Span, Span]]:
    return {
        (source, target)
        for source in spans(source_length, longest)
        for target in spans(target_length, longest)
        if is_block(links, source, target)
    }


def blocks(
    source_length: int, target_length: int, links: Links, longest: int
) -> set[tuple[Span, Span]]:
    """The same, quick enough for real sentences: a target span fixes the linked source words."""
    linked = {i for i, _ in links}
    found = set()
    for target in spans(target_length, longest):
        inside = {i for i, j in links if target[0] <= j < target[1]}
        if not inside:
            continue
        first, last = min(inside), max(inside)
        if any(first <= i <= last and not target[0] <= j < target[1] for i, j in links):
            continue
        begins, ends = [first], [last + 1]
        while begins[-1] > 0 and begins[-1] - 1 not in linked:
            begins.append(begins[-1] - 1)
        while ends[-1] < source_length and ends[-1] not in linked:
            ends.append(ends[-1] + 1)
        found |= {
            ((begin, end), target) for begin in begins for end in ends if end - begin <= longest
        }
    return found


def orientations(
    source_length: int, target_length: int, links: Links, longest: int
) -> dict[tuple[Span, Span], dict[tuple[str, int], int]]:
    """For every phrase pair, its orientation under each model and direction."""
    # Sentence begin and end count as linked, and as blocks.
    edges = {(-1, -1), (source_length, target_length)}
    linked = links | edges
    short = blocks(source_length, target_length, links, longest)
    every = blocks(source_length, target_length, links, max(source_length, target_length))
    edge_blocks = {
        ((-1, 0), (-1, 0)),
        ((source_length, source_length + 1), (target_length, target_length + 1)),
    }

    def by_words(near: int, far: int, target: int) -> int:
        a, b = (near, target) in linked, (far, target) in linked
        if a == b:
            return DISCONTINUOUS
        return MONOTONE if a else SWAP

    def corners(choice: set[tuple[Span, Span]]) -> tuple[Corners, Corners]:
        ending: Corners = defaultdict(set)
        beginning: Corners = defaultdict(set)
        for source, target in choice:
            ending[target[1]].add(source)
            beginning[target[0]].add(source)
        return ending, beginning

    def by_blocks(
        ending: Corners, beginning: Corners, source: Span, target: Span
    ) -> tuple[int, int]:
        before, after = ending.get(target[0], set()), beginning.get(target[1], set())
        backward = forward = DISCONTINUOUS
        if any(s[0] == source[1] for s in before):
            backward = SWAP
        if any(s[1] == source[0] for s in before):
            backward = MONOTONE
        if any(s[1] == source[0] for s in after):
            forward = SWAP
        if any(s[0] == source[1] for s in after):
            forward = MONOTONE
        return backward, forward

    by_model = [
        ("phrase", *corners(short | edge_blocks)),
        ("hierarchical", *corners(every | edge_blocks)),
    ]
    result = {}
    for source, target in short:
        found = {
            ("word", BACKWARD): by_words(source[0] - 1, source[1], target[0] - 1),
            ("word", FORWARD): by_words(source[1], source[0] - 1, target[1]),
        }
        for name, ending, beginning in by_model:
            backward, forward = by_blocks(ending, beginning, source, target)
            found[name, BACKWARD], found[name, FORWARD] = backward, forward
        result[source, target] = found
    return result


@dataclass
class PairCounts:
    """What is counted of one phrase pair."""

    joint: int = 0
    alignments: Counter[tuple[tuple[int, int], ...]] = field(default_factory=Counter)
    orientations: Counter[tuple[str, int, int]] = field(default_factory=Counter)

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """The most frequent; of equals the first seen, as Counter keeps them in that order."""
        return max(self.alignments, key=lambda key: self.alignments[key])


Phrase = tuple[str, ...]


def count(
    pairs: list[tuple[list[str], list[str], Links]], longest: int = 7
) -> dict[tuple[Phrase, Phrase], PairCounts]:
    """All phrase pairs of a corpus."""
    table: dict[tuple[Phrase, Phrase], PairCounts] = defaultdict(PairCounts)
    for source_words, target_words, links in pairs:
        found = orientations(len(source_words), len(target_words), links, longest)
        for source, target in sorted(found, key=lambda key: (key[0][0], key[1][0])):
            key = (tuple(source_words[slice(*source)]), tuple(target_words[slice(*target)]))
            entry = table[key]
            entry.joint += 1
            inner = tuple(
                sorted(
                    (i - source[0], j - target[0]) for i, j in links if source[0] <= i < source[1]
                )
            )
            entry.alignments[inner] += 1
            for (name, direction), orientation in found[source, target].items():
                entry.orientations[name, direction, orientation] += 1
    return table


def link_lexicon(
    pairs: list[tuple[list[str], list[str], Links]],
) -> tuple[dict[tuple[str | None, str], Fraction], dict[tuple[str | None, str], Fraction]]:
    """w(target | source) and w(source | target), None being the empty word."""
    forward: Counter[tuple[str | None, str]] = Counter()
    backward: Counter[tuple[str | None, str]] = Counter()
    for source, target, links in pairs:
        for i, j in links:
            forward[source[i], target[j]] += 1
            backward[target[j], source[i]] += 1
        linked_source = {i for i, _ in links}
        linked_target = {j for _, j in links}
        for i, word in enumerate(source):
            if i not in linked_source:
                backward[None, word] += 1
        for j, word in enumerate(target):
            if j not in linked_target:
                forward[None, word] += 1

    def normalise(
        counts: Counter[tuple[str | None, str]],
    ) -> dict[tuple[str | None, str], Fraction]:
        totals: Counter[str | None] = Counter()
        for (given, _), number in counts.items():
            totals[given] += number
        return {key: Fraction(number, totals[key[0]]) for key, number in counts.items()}

    return normalise(forward), normalise(backward)


FLOOR = 1e-7


def viterbi_weight(
    lexicon: dict[tuple[str | None, str], Fraction], given: Phrase, generated: Phrase
) -> float:
    """Paper 000, section 2: every word takes its best partner."""
    return sum(
        math.log(max([FLOOR] + [float(lexicon.get((g, word), 0)) for g in (None, *given)]))
        for word in generated
    )


def link_weight(
    lexicon: dict[tuple[str | None, str], Fraction],
    given: Phrase,
    generated: Phrase,
    links: list[tuple[int, int]],
) -> float:
    """Koehn et al. (2003): every word takes the mean over its links (given, generated)."""
    total = 0.0
    for position, word in enumerate(generated):
        partners = [given[g] for g, w in links if w == position] or [None]
        mean = sum(float(lexicon.get((g, word), 0)) for g in partners) / len(partners)
        total += math.log(max(FLOOR, mean))
    return total


def good_turing_exponent(joint: list[int]) -> float:
    """The slope of log Z over log c (Gale & Sampson 1995)."""
    number = Counter(joint)
    counts = sorted(number)
    points = []
    for index, c in enumerate(counts):
        below = counts[index - 1] if index else 0
        above = counts[index + 1] if index + 1 < len(counts) else 2 * c - below
        points.append((math.log(c), math.log(number[c] / (0.5 * (above - below)))))
    x_mean = sum(x for x, _ in points) / len(points)
    y_mean = sum(y for _, y in points) / len(points)
    return sum((x - x_mean) * (y - y_mean) for x, y in points) / sum(
        (x - x_mean) ** 2 for x, _ in points
    )


def probabilities(
    counts: dict[tuple[Phrase, Phrase], PairCounts], smoothing: str = "none"
) -> dict[tuple[Phrase, Phrase], tuple[float, float]]:
    """p(t|s) and p(s|t) of every pair."""
    joint = {key: entry.joint for key, entry in counts.items()}
    numbers = Counter(joint.values())
    total = sum(joint.values())
    discount = numbers[1] / (numbers[1] + 2 * numbers[2]) if numbers[1] else 0.0

    discounted = {key: float(c) for key, c in joint.items()}
    once = float(numbers[1])
    if smoothing == "good-turing":
        exponent = good_turing_exponent(list(joint.values())) if len(numbers) > 1 else 0.0
        if exponent > -1:
            once = 0.0
        else:
            discounted = {key: (c + 1) * ((c + 1) / c) ** exponent for key, c in joint.items()}

    result: dict[tuple[Phrase, Phrase], list[float]] = {key: [] for key in joint}
    for given_side in (0, 1):
        count_of: Counter[Phrase] = Counter()
        mass_of: dict[Phrase, float] = defaultdict(float)
        partners: tuple[Counter[Phrase], Counter[Phrase]] = (Counter(), Counter())
        for key, c in joint.items():
            count_of[key[given_side]] += c
            mass_of[key[given_side]] += discounted[key]
            partners[0][key[0]] += 1
            partners[1][key[1]] += 1
        for key, c in joint.items():
            given, wanted = key[given_side], key[1 - given_side]
            if smoothing == "good-turing":
                p = discounted[key] / (mass_of[given] + once * count_of[given] / total)
            elif smoothing == "kneser-ney":
                back_off = discount * partners[given_side][given] / count_of[given]
                p = (c - discount) / count_of[given] + back_off * partners[1 - given_side][
                    wanted
                ] / len(joint)
            else:
                p = c / count_of[given]
            result[key].append(p)
    return {key: (p[0], p[1]) for key, p in result.items()}
