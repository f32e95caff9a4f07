"""Word alignment: which words of a sentence pair translate each other."""

from dragoman.alignment.aligner import Aligner, TrainedAlignment, train
from dragoman.alignment.lexical import (
    NULL_WORD,
    lexical_table_from_links,
    train_model1_table,
)
from dragoman.alignment.links import Links
from dragoman.alignment.score import AlignmentScore, GoldLinks, read_gold, score
from dragoman.alignment.symmetrise import symmetrise

__all__ = [
    "NULL_WORD",
    "Aligner",
    "AlignmentScore",
    "GoldLinks",
    "Links",
    "TrainedAlignment",
    "lexical_table_from_links",
    "read_gold",
    "score",
    "symmetrise",
    "train",
    "train_model1_table",
]
