"""Synchronous grammars: permutation trees, factoring, parsing, and what alignments need."""

from dragoman.grammar.alignments import RankStatistics, alignment_ranks, minimal_rules
from dragoman.grammar.factor import Factoring, factor
from dragoman.grammar.notation import Grammar, GrammarFormat, RuleInfo, grammar_of, read_grammar
from dragoman.grammar.parse import DerivationNode, Parse, Parser
from dragoman.grammar.permutation import (
    PermutationTree,
    compose,
    is_simple,
    permutation_tree,
    rank,
)

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
