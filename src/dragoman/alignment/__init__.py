"""Word alignment: which words of a sentence pair translate each other."""

from typing import TYPE_CHECKING

from dragoman.lazy import lazy_names

if TYPE_CHECKING:
    from dragoman.alignment.aligner import Aligner as Aligner
    from dragoman.alignment.aligner import TrainedAlignment as TrainedAlignment
    from dragoman.alignment.aligner import train as train
    from dragoman.alignment.lexical import NULL_WORD as NULL_WORD
    from dragoman.alignment.lexical import lexical_table_from_links as lexical_table_from_links
    from dragoman.alignment.lexical import train_model1_table as train_model1_table
    from dragoman.alignment.links import Links as Links
    from dragoman.alignment.score import AlignmentScore as AlignmentScore
    from dragoman.alignment.score import GoldLinks as GoldLinks
    from dragoman.alignment.score import read_gold as read_gold
    from dragoman.alignment.score import score as score
    from dragoman.alignment.symmetrise import symmetrise as symmetrise

_HOMES = {
    "NULL_WORD": "dragoman.alignment.lexical",
    "Aligner": "dragoman.alignment.aligner",
    "AlignmentScore": "dragoman.alignment.score",
    "GoldLinks": "dragoman.alignment.score",
    "Links": "dragoman.alignment.links",
    "TrainedAlignment": "dragoman.alignment.aligner",
    "lexical_table_from_links": "dragoman.alignment.lexical",
    "read_gold": "dragoman.alignment.score",
    "score": "dragoman.alignment.score",
    "symmetrise": "dragoman.alignment.symmetrise",
    "train": "dragoman.alignment.aligner",
    "train_model1_table": "dragoman.alignment.lexical",
}

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

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
