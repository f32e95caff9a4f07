"""N-gram language models: estimating, asking, exchanging, mixing."""

from typing import TYPE_CHECKING

from dragoman.lazy import lazy_names

if TYPE_CHECKING:
    from dragoman.lm.arpa import read_arpa as read_arpa
    from dragoman.lm.arpa import write_arpa as write_arpa
    from dragoman.lm.estimate import Discounts as Discounts
    from dragoman.lm.estimate import Estimate as Estimate
    from dragoman.lm.estimate import estimate as estimate
    from dragoman.lm.estimate import estimate_from_lines as estimate_from_lines
    from dragoman.lm.mix import Mix as Mix
    from dragoman.lm.mix import mix as mix
    from dragoman.lm.query import LanguageModel as LanguageModel
    from dragoman.lm.query import Perplexity as Perplexity
    from dragoman.lm.query import WordScores as WordScores

_HOMES = {
    "Discounts": "dragoman.lm.estimate",
    "Estimate": "dragoman.lm.estimate",
    "LanguageModel": "dragoman.lm.query",
    "Mix": "dragoman.lm.mix",
    "Perplexity": "dragoman.lm.query",
    "WordScores": "dragoman.lm.query",
    "estimate": "dragoman.lm.estimate",
    "estimate_from_lines": "dragoman.lm.estimate",
    "mix": "dragoman.lm.mix",
    "read_arpa": "dragoman.lm.arpa",
    "write_arpa": "dragoman.lm.arpa",
}

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

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
