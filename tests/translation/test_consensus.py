"""Minimum Bayes risk over a list of translations."""

from dataclasses import dataclass

from dragoman.translation.consensus import consensus


@dataclass
class Entry:
    target: str
    score: float


def test_consensus_is_the_middle():
    entries = [Entry("a b c d e", 0.0), Entry("a b x y z", -0.1), Entry("a b x y e", -0.2)]
    assert consensus(entries, scale=0.01) == 2
    assert consensus(entries, scale=100) == 0
    assert consensus([Entry("", 0.0)]) == 0
