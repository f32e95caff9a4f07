"""N-gram language models: estimating, asking, exchanging, mixing."""

from dragoman.lm.arpa import read_arpa, write_arpa
from dragoman.lm.estimate import Discounts, Estimate, estimate, estimate_from_lines
from dragoman.lm.mix import Mix, mix
from dragoman.lm.query import LanguageModel, Perplexity, WordScores

__all__ = [
    "Discounts",
    "Estimate",
    "LanguageModel",
    "Mix",
    "Perplexity",
    "WordScores",
    "estimate",
    "estimate_from_lines",
    "mix",
    "read_arpa",
    "write_arpa",
]
