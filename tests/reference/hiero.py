"""Hierarchical rules and their derivations as the definitions say it, slowly.

Written for being read beside Chiang (2007), sharing no code with the package.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tests.reference.phrases import Links, Span, is_block, spans

Phrase = tuple[Span, Span]
Symbols = tuple[str, ...]
GAPS = ("[1]", "[2]")


def initial_phrases(
    source_length: int, target_length: int, links: Links, max_span: int, tight: bool
) -> list[Phrase]:
    """Consistent with the links; tight: with a link at all four edges."""
    linked_source, linked_target = {i for i, _ in links}, {j for _, j in links}
    return [
        (s, t)
        for s in spans(source_length, max_span)
        for t in spans(target_length, max_span)
        if is_block(links, s, t)
        and (
            not tight or ({s[0], s[1] - 1} <= linked_source and {t[0], t[1] - 1} <= linked_target)
        )
    ]


def _symbols(span: Span, words: list[str], gaps: list[Span]) -> Symbols:
    symbols, at = [], span[0]
    while at < span[1]:
        number = next((k for k, gap in enumerate(gaps) if gap[0] == at), None)
        symbols.append(words[at] if number is None else GAPS[number])
        at = at + 1 if number is None else gaps[number][1]
    return tuple(symbols)


def _inside(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _apart(one: Span, other: Span) -> bool:
    return one[1] <= other[0] or other[1] <= one[0]


def rules_of(
    whole: Phrase,
    phrases: list[Phrase],
    links: Links,
    *,
    max_symbols: int = 5,
    max_gaps: int = 2,
    min_gap: int = 1,
) -> list[list[Phrase]]:
    """The gaps of each rule that a phrase pair gives, in source order."""
    parts = [
        part
        for part in phrases
        if part != whole
        and _inside(part[0], whole[0])
        and _inside(part[1], whole[1])
        and part[0][1] - part[0][0] >= min_gap
    ]
    found = []
    for number in range(max_gaps + 1):
        for chosen in itertools.combinations(parts, number):
            gaps = sorted(chosen)
            if number == 2 and not (
                gaps[0][0][1] < gaps[1][0][0]  # words between them on the source side
                and _apart(gaps[0][1], gaps[1][1])
            ):
                continue
            symbols = _symbols(whole[0], [""] * whole[0][1], [source for source, _ in gaps])
            words = {
                i
                for i in range(*whole[0])
                if not any(source[0] <= i < source[1] for source, _ in gaps)
            }
            if len(symbols) <= max_symbols and any(i in words for i, _ in links):
                found.append(gaps)
    return found


def count(
    pairs: list[tuple[list[str], list[str], Links]],
    *,
    max_span: int = 10,
    tight: bool = True,
    max_symbols: int = 5,
    max_gaps: int = 2,
    min_gap: int = 1,
) -> dict[tuple[Symbols, Symbols], Fraction]:
    """All rules of a corpus; every phrase pair counts 1, shared among its rules."""
    counts: dict[tuple[Symbols, Symbols], Fraction] = defaultdict(Fraction)
    for source, target, links in pairs:
        phrases = initial_phrases(len(source), len(target), links, max_span, tight)
        for whole in phrases:
            rules = rules_of(
                whole,
                phrases,
                links,
                max_symbols=max_symbols,
                max_gaps=max_gaps,
                min_gap=min_gap,
            )
            for gaps in rules:
                key = (
                    _symbols(whole[0], source, [s for s, _ in gaps]),
                    _symbols(whole[1], target, [t for _, t in gaps]),
                )
                counts[key] += Fraction(1, len(rules))
    return dict(counts)


@dataclass(frozen=True)
class Rule:
    target: Symbols
    scores: tuple[float, ...]  # natural logs, by table column
    unknown: bool = False


@dataclass(frozen=True)
class Tree:
    """A rule, and the trees in its gaps."""

    rule: Rule
    parts: tuple[Tree, ...] = ()

    def target(self) -> Symbols:
        return tuple(
            word
            for symbol in self.rule.target
            for word in (self.parts[GAPS.index(symbol)].target() if symbol in GAPS else (symbol,))
        )

    def rules(self) -> list[Rule]:
        return [self.rule, *(rule for part in self.parts for rule in part.rules())]


@dataclass
class SlowGrammar:
    """Everything as plain Python."""

    rules: dict[Symbols, list[Rule]]
    columns: list[str]
    language_models: dict[str, Callable[[str], float]]  # by feature; of a whole sentence

    def trees(self, words: Symbols, span_limit: int = 10) -> Iterator[Tree]:
        """Every way to derive an X from all the words."""
        if len(words) > span_limit:
            return
        for side, rules in self.rules.items():
            for pieces in _matches(side, words):
                for parts in itertools.product(
                    *(list(self.trees(piece, span_limit)) for piece in pieces)
                ):
                    for rule in rules:
                        yield Tree(rule, parts)
        if len(words) == 1 and words not in self.rules:
            yield Tree(Rule(words, (0.0,) * len(self.columns), unknown=True))

    def derivations(self, words: Symbols, span_limit: int = 10) -> Iterator[list[Tree]]:
        """Every sequence of X that glue makes of the words."""
        if not words:
            yield []
        for size in range(1, len(words) + 1):
            for first in self.trees(words[:size], span_limit):
                for rest in self.derivations(words[size:], span_limit):
                    yield [first, *rest]

    def features(self, derivation: list[Tree]) -> dict[str, float]:
        rules = [rule for tree in derivation for rule in tree.rules()]
        target = text_of(derivation)
        values = {
            column: sum(rule.scores[index] for rule in rules)
            for index, column in enumerate(self.columns)
        }
        values |= {name: score(target) for name, score in self.language_models.items()}
        values["words"] = float(len(target.split()))
        values["rules"] = float(len(rules))
        values["glue"] = float(max(0, len(derivation) - 1))
        values["unknown"] = float(sum(rule.unknown for rule in rules))
        return values


def text_of(derivation: list[Tree]) -> str:
    return " ".join(word for tree in derivation for word in tree.target())


def _matches(side: Symbols, words: Symbols) -> Iterator[tuple[Symbols, ...]]:
    """The words that the gaps of a source side stand for, in order, however it fits."""
    if not side:
        if not words:
            yield ()
        return
    if side[0] not in GAPS:
        if words and words[0] == side[0]:
            yield from _matches(side[1:], words[1:])
        return
    for size in range(1, len(words) + 1):
        for rest in _matches(side[1:], words[size:]):
            yield (words[:size], *rest)
