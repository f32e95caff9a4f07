"""Synchronous grammars: permutation trees, factoring, parsing, and what alignments need."""

from typing import TYPE_CHECKING

from dragoman.lazy import lazy_names

if TYPE_CHECKING:
    from dragoman.grammar.alignments import RankStatistics as RankStatistics
    from dragoman.grammar.alignments import alignment_ranks as alignment_ranks
    from dragoman.grammar.alignments import minimal_rules as minimal_rules
    from dragoman.grammar.factor import Factoring as Factoring
    from dragoman.grammar.factor import factor as factor
    from dragoman.grammar.notation import Grammar as Grammar
    from dragoman.grammar.notation import GrammarFormat as GrammarFormat
    from dragoman.grammar.notation import RuleInfo as RuleInfo
    from dragoman.grammar.notation import grammar_of as grammar_of
    from dragoman.grammar.notation import read_grammar as read_grammar
    from dragoman.grammar.parse import DerivationNode as DerivationNode
    from dragoman.grammar.parse import Parse as Parse
    from dragoman.grammar.parse import Parser as Parser
    from dragoman.grammar.permutation import PermutationTree as PermutationTree
    from dragoman.grammar.permutation import compose as compose
    from dragoman.grammar.permutation import is_simple as is_simple
    from dragoman.grammar.permutation import permutation_tree as permutation_tree
    from dragoman.grammar.permutation import rank as rank

_HOMES = {
    "DerivationNode": "dragoman.grammar.parse",
    "Factoring": "dragoman.grammar.factor",
    "Grammar": "dragoman.grammar.notation",
    "GrammarFormat": "dragoman.grammar.notation",
    "Parse": "dragoman.grammar.parse",
    "Parser": "dragoman.grammar.parse",
    "PermutationTree": "dragoman.grammar.permutation",
    "RankStatistics": "dragoman.grammar.alignments",
    "RuleInfo": "dragoman.grammar.notation",
    "alignment_ranks": "dragoman.grammar.alignments",
    "compose": "dragoman.grammar.permutation",
    "factor": "dragoman.grammar.factor",
    "grammar_of": "dragoman.grammar.notation",
    "is_simple": "dragoman.grammar.permutation",
    "minimal_rules": "dragoman.grammar.alignments",
    "permutation_tree": "dragoman.grammar.permutation",
    "rank": "dragoman.grammar.permutation",
    "read_grammar": "dragoman.grammar.notation",
}

__all__ = [
    "DerivationNode",
    "Factoring",
    "Grammar",
    "GrammarFormat",
    "Parse",
    "Parser",
    "PermutationTree",
    "RankStatistics",
    "RuleInfo",
    "alignment_ranks",
    "compose",
    "factor",
    "grammar_of",
    "is_simple",
    "minimal_rules",
    "permutation_tree",
    "rank",
    "read_grammar",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
