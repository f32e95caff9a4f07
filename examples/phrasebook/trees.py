"""Binary constituent trees: a small weighted grammar fills in what no bracket says.

Grammar lines are ``S : NP VP 0.5`` (a node S over NP and VP, at a cost) and ``NP = N``
(an N can stand where an NP is wanted; no node of its own). The cheapest tree wins, and
among equals the first found, so the same input always gives the same tree.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from links import Glossary
from notation import Group, NotationError, Part, Word

# Joining two phrases no rule joins: possible, but only as the last resort.
_GLUE_COST = 20.0
_GLUE = "X"
# A word's later tags in the glossary are its rarer ones.
_RARER_TAG_COST = 0.2
_FINAL = "PU"


@dataclass
class Grammar:
    """Rules by their first part: (second part, label, cost), and (role, cost)."""

    binary: dict[str, list[tuple[str, str, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    roles: dict[str, list[tuple[str, float]]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class Entry:
    """The cheapest way to read a span as some phrase."""

    cost: float
    label: str
    text: str = ""
    children: "tuple[Entry, Entry] | None" = None

    def bracketed(self) -> str:
        if self.children is None:
            return f"({self.label} {self.text})"
        left, right = self.children
        return f"({self.label} {left.bracketed()} {right.bracketed()})"


Cell = dict[str, Entry]


def read_grammar(path: Path) -> Grammar:
    grammar = Grammar()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        fields = line.partition("#")[0].split()
        if not fields:
            continue
        cost = 0.0
        if fields[-1].replace(".", "").isdigit():
            cost = float(fields.pop())
        match fields:
            case [label, ":", left, right]:
                grammar.binary[left].append((right, label, cost))
            case [label, "=", child]:
                grammar.roles[child].append((label, cost))
            case _:
                raise NotationError(f"{path.name}:{number}: cannot read the rule {line!r}")
    return grammar


def _add(cell: Cell, role: str, entry: Entry, grammar: Grammar) -> None:
    """Keeps the cheaper entry and lets it play its other roles."""
    if role in cell and cell[role].cost <= entry.cost:
        return
    cell[role] = entry
    for other, cost in grammar.roles.get(role, ()):
        dearer = Entry(entry.cost + cost, entry.label, entry.text, entry.children)
        _add(cell, other, dearer, grammar)


def _cheapest(cell: Cell) -> Entry:
    return min(cell.values(), key=lambda entry: entry.cost)


class Parser:
    """Finds trees for the sides of one language; the same group is read only once."""

    def __init__(self, language: str, grammar: Grammar, glossary: Glossary) -> None:
        self.language, self.grammar, self.glossary = language, grammar, glossary
        self._cells: dict[Part, Cell] = {}

    def tree(self, parts: tuple[Part, ...]) -> str:
        """The bracketed tree; the full stop is always the last child of the root."""
        *body, last = parts
        closing = self._leaf(last)
        if _FINAL not in closing:
            raise NotationError("a sentence ends with a full stop, question or exclamation mark")
        best = _cheapest(self._parse(tuple(body)))
        return f"(TOP {best.bracketed()} {closing[_FINAL].bracketed()})"

    def _leaf(self, part: Part) -> Cell:
        if part not in self._cells:
            self._cells[part] = (
                self._parse(part.parts) if isinstance(part, Group) else self._word(part)
            )
        return self._cells[part]

    def _word(self, word: Word) -> Cell:
        known = self.glossary.tags[self.language].get(word.text.lower(), [])
        tags = [word.tag] if word.tag else known
        if not tags:
            raise NotationError(f"{word.text!r} ({self.language}) is not in glossary.txt")
        cell: Cell = {}
        for rank, tag in enumerate(tags):
            _add(cell, tag, Entry(rank * _RARER_TAG_COST, tag, word.text), self.grammar)
        return cell

    def _combine(self, left: Cell, right: Cell, cell: Cell) -> None:
        for a, first in left.items():
            for b, label, cost in self.grammar.binary.get(a, ()):
                if second := right.get(b):
                    total = first.cost + second.cost + cost
                    if label not in cell or total < cell[label].cost:
                        entry = Entry(total, label, children=(first, second))
                        _add(cell, label, entry, self.grammar)

    def _parse(self, parts: tuple[Part, ...]) -> Cell:
        size = len(parts)
        chart: dict[tuple[int, int], Cell] = {}
        for start, part in enumerate(parts):
            chart[start, start + 1] = self._leaf(part)
        for width in range(2, size + 1):
            for start in range(size - width + 1):
                end = start + width
                cell = chart[start, end] = {}
                splits = [(chart[start, m], chart[m, end]) for m in range(start + 1, end)]
                for left, right in splits:
                    self._combine(left, right, cell)
                if not cell:
                    pairs = [(_cheapest(left), _cheapest(right)) for left, right in splits]
                    pair = min(pairs, key=lambda pair: pair[0].cost + pair[1].cost)
                    cost = pair[0].cost + pair[1].cost + _GLUE_COST
                    cell[_GLUE] = Entry(cost, _GLUE, children=pair)
        return chart[0, size]
