"""Factoring grammars to the smallest rank (Gildea, Satta & Zhang 2006)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.grammar.notation import Grammar


@dataclass(frozen=True)
class Factoring:
    """A factored grammar beside the one it came from."""

    original: Grammar
    grammar: Grammar
    # Per rule of `grammar` the rule of `original` whose place it takes; -1 for fresh rules.
    origins: NDArray[np.int32]

    @property
    def size_ratio(self) -> float:
        """Symbols on right-hand sides, after against before; never above 2."""
        return self.grammar.size() / self.original.size()

    def report(self) -> dict[str, Any]:
        """What was done, as plain values."""
        return {
            "rules": {"before": len(self.original), "after": len(self.grammar)},
            "fresh": int((self.origins < 0).sum()),
            "rank": {"before": self.original.rank, "after": self.grammar.rank},
            "ranks": {
                "before": self.original.rank_histogram(),
                "after": self.grammar.rank_histogram(),
            },
            "size": {"before": self.original.size(), "after": self.grammar.size()},
            "size_ratio": self.size_ratio,
        }


def factor(grammar: Grammar) -> Factoring:
    """Replace each rule by rules of the smallest rank that generate the same pairs.

    The rule at the root keeps probability and scores, the others have probability 1. Rules that
    have no smaller parts stay as they are. Fresh nonterminals are named ``@`` and a hash of what
    they derive: equal ones are shared, and a name does not depend on the rest of the grammar.
    """
    native, origins = grammar.native.factor()
    return Factoring(grammar, Grammar(native, grammar.format), origins)
