"""Synchronous parsing: is a pair of strings generated, with what probability, and how?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from dragoman import _core
from dragoman.grammar.factor import factor
from dragoman.grammar.notation import Grammar

# About 100 bytes each.
MAX_ITEMS = 30_000_000


@dataclass(frozen=True)
class DerivationNode:
    """A rule at work: spans [begin, end) on both sides, children in source order."""

    rule: int  # in the grammar that the parser was made for
    source: tuple[int, int]
    target: tuple[int, int]
    children: list[int] = field(default_factory=list)  # places in Parse.derivation


@dataclass(frozen=True)
class Parse:
    """What is known about one pair; probabilities are natural logarithms."""

    generated: bool
    log_inside: float  # -inf if it is not generated, as is log_best
    log_best: float
    derivation: list[DerivationNode]  # the best one, the root first, children behind parents
    items: int
    combinations: int


class Parser:
    """Parses pairs with one grammar.

    The grammar is factored first, which takes nothing from the answers and much from the time;
    derivations are told in the rules of the grammar as given. InputError for nonterminals that
    never derive (unless `partial`) and for cycles of unary rules with an infinite sum.
    """

    def __init__(
        self,
        grammar: Grammar,
        *,
        start: str = "",
        factored: bool = True,
        partial: bool = False,
        max_items: int = MAX_ITEMS,
    ) -> None:
        if not partial:
            grammar.check_productive()
        self.grammar = grammar
        self.start = start or grammar.start
        self._max_items = max_items
        self._origins: list[int] | None = None
        native = grammar.native
        if factored:
            factoring = factor(grammar)
            native = factoring.grammar.native
            self._origins = factoring.origins.tolist()
        self._parser = _core.SynchronousParser(native)

    def parse(self, source: str, target: str) -> Parse:
        """Parse a pair of lines of space-separated tokens."""
        found = self._parser.parse(self.start, source, target, self._max_items)
        derivation = [
            DerivationNode(node.rule, node.source, node.target, node.children)
            for node in found.derivation
        ]
        if self._origins is not None:
            derivation = _unfold(derivation, self._origins)
        return Parse(
            found.generated,
            found.log_inside if found.generated else -math.inf,
            found.log_best if found.generated else -math.inf,
            derivation,
            found.items,
            found.combinations,
        )

    def render(self, parse: Parse) -> str:
        """The best derivation, one rule a line, indented by depth."""
        lines = []
        agenda = [(0, 0)] if parse.derivation else []
        while agenda:
            number, depth = agenda.pop()
            node = parse.derivation[number]
            rule = self.grammar[node.rule]
            place = "[{},{}) [{},{})".format(*node.source, *node.target)
            lines.append(f"{'  ' * depth}{rule.text}   {place}")
            agenda += [(child, depth + 1) for child in reversed(node.children)]
        return "\n".join(lines)

    def to_json(self, parse: Parse) -> dict[str, Any]:
        """The parse as plain values; None where there is no number."""
        return {
            "generated": parse.generated,
            "log_inside": parse.log_inside if parse.generated else None,
            "log_best": parse.log_best if parse.generated else None,
            "derivation": [
                {
                    "rule": self.grammar[node.rule].text,
                    "line": self.grammar[node.rule].line,
                    "source": list(node.source),
                    "target": list(node.target),
                    "children": node.children,
                }
                for node in parse.derivation
            ],
            "items": parse.items,
            "combinations": parse.combinations,
        }


def _unfold(nodes: list[DerivationNode], origins: list[int]) -> list[DerivationNode]:
    """The derivation in the rules before factoring: fresh nodes give way to their children."""
    # Children come behind their parents, so from the back each node's parts are known.
    parts: list[list[int]] = [[] for _ in nodes]
    for number in range(len(nodes) - 1, -1, -1):
        for child in nodes[number].children:
            fresh = origins[nodes[child].rule] < 0
            parts[number] += parts[child] if fresh else [child]
    kept = [number for number, node in enumerate(nodes) if origins[node.rule] >= 0]
    place = {number: index for index, number in enumerate(kept)}
    return [
        DerivationNode(
            origins[nodes[number].rule],
            nodes[number].source,
            nodes[number].target,
            [place[part] for part in parts[number]],
        )
        for number in kept
    ]
