"""From files of parallel text to a clean bitext of word ids."""

from dragoman.corpus.bitext import Bitext, SentenceIds, write_bitext
from dragoman.corpus.read import ParallelFile, read_pairs

__all__ = ["Bitext", "ParallelFile", "SentenceIds", "read_pairs", "write_bitext"]
