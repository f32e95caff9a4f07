"""Preordering: source sentences in the order of the target, before they are translated.

``learn_preordering`` learns which nodes of given trees to turn over (paper 004), or makes do
without trees; ``load_preorderer`` gives back either, to say in which order the words of a
sentence should stand.
"""

from dragoman.preorder.btg import cluster_words, train_btg
from dragoman.preorder.classifier import (
    TrainingReport,
    accuracy,
    oracle_scores,
    train_classifier,
)
from dragoman.preorder.learn import Examination, examine, learn_preordering, oracle_orders
from dragoman.preorder.orders import Orders, OrderScore, score_orders
from dragoman.preorder.preorderer import Preorderer, load_preorderer
from dragoman.preorder.trees import SpacyParser, match_trees, parse_brackets, read_trees

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
