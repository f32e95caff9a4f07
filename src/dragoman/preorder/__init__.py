"""Preordering: source sentences in the order of the target, before they are translated.

``learn_preordering`` learns which nodes of given trees to turn over (paper 004), or makes do
without trees; ``load_preorderer`` gives back either, to say in which order the words of a
sentence should stand.
"""

from typing import TYPE_CHECKING

from dragoman.lazy import lazy_names

if TYPE_CHECKING:
    from dragoman.corpus.classes import cluster_words as cluster_words
    from dragoman.preorder.btg import train_btg as train_btg
    from dragoman.preorder.classifier import TrainingReport as TrainingReport
    from dragoman.preorder.classifier import accuracy as accuracy
    from dragoman.preorder.classifier import oracle_scores as oracle_scores
    from dragoman.preorder.classifier import train_classifier as train_classifier
    from dragoman.preorder.learn import Examination as Examination
    from dragoman.preorder.learn import examine as examine
    from dragoman.preorder.learn import learn_preordering as learn_preordering
    from dragoman.preorder.learn import oracle_orders as oracle_orders
    from dragoman.preorder.orders import Orders as Orders
    from dragoman.preorder.orders import OrderScore as OrderScore
    from dragoman.preorder.orders import score_orders as score_orders
    from dragoman.preorder.preorderer import Preorderer as Preorderer
    from dragoman.preorder.preorderer import load_preorderer as load_preorderer
    from dragoman.preorder.trees import SpacyParser as SpacyParser
    from dragoman.preorder.trees import match_trees as match_trees
    from dragoman.preorder.trees import parse_brackets as parse_brackets
    from dragoman.preorder.trees import read_trees as read_trees

_HOMES = {
    "Examination": "dragoman.preorder.learn",
    "OrderScore": "dragoman.preorder.orders",
    "Orders": "dragoman.preorder.orders",
    "Preorderer": "dragoman.preorder.preorderer",
    "SpacyParser": "dragoman.preorder.trees",
    "TrainingReport": "dragoman.preorder.classifier",
    "accuracy": "dragoman.preorder.classifier",
    "cluster_words": "dragoman.corpus.classes",
    "examine": "dragoman.preorder.learn",
    "learn_preordering": "dragoman.preorder.learn",
    "load_preorderer": "dragoman.preorder.preorderer",
    "match_trees": "dragoman.preorder.trees",
    "oracle_orders": "dragoman.preorder.learn",
    "oracle_scores": "dragoman.preorder.classifier",
    "parse_brackets": "dragoman.preorder.trees",
    "read_trees": "dragoman.preorder.trees",
    "score_orders": "dragoman.preorder.orders",
    "train_btg": "dragoman.preorder.btg",
    "train_classifier": "dragoman.preorder.classifier",
}

__all__ = [
    "Examination",
    "OrderScore",
    "Orders",
    "Preorderer",
    "SpacyParser",
    "TrainingReport",
    "accuracy",
    "cluster_words",
    "examine",
    "learn_preordering",
    "load_preorderer",
    "match_trees",
    "oracle_orders",
    "oracle_scores",
    "parse_brackets",
    "read_trees",
    "score_orders",
    "train_btg",
    "train_classifier",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
