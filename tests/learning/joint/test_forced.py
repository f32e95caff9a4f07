"""Forced decoding over all phrase pairs, against every derivation there is."""

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.learning.joint.pairs import WEIGHTS, ZERO, bitext_of, lexicon_of, trainer_of
from tests.reference.forced import Limits, derivations, distortion

SOURCE = ["a b c", "c a", "b d a", "a a", "d c b a"]
TARGET = ["x y z", "z x", "y w x", "x x w", "w z"]
FLOOR = 1e-7

LIMITS = [
    Limits(),
    Limits(null_rules=False),
    Limits(max_length=2, distortion_limit=1),
    Limits(null_rules=False, distortion_limit=0),
    Limits(gap_limit=1),
    Limits(null_rules=False, gap_limit=2),
    Limits(max_length=1, gap_limit=1),
]


def options_of(limits):
    return {
        "max_length": limits.max_length,
        "null_rules": limits.null_rules,
        "distortion_limit": limits.distortion_limit,
        "gap_limit": limits.gap_limit,
    }


class Slow:
    """Rule scores computed word by word; no rule has a count yet."""

    def __init__(self, source, target):
        bitext = bitext_of(source, target)
        self.forward, self.backward = lexicon_of(bitext)
        self.source, self.target = bitext.source, bitext.target

    def lexical(self, table, given, words):
        total = 0.0
        for word in words:
            best = max([FLOOR, table.prob(-1, word)] + [table.prob(one, word) for one in given])
            total += math.log(best)
        return total

    def score(self, pair, rules, weights):
        source = [int(word) for word in self.source[pair]]
        target = [int(word) for word in self.target[pair]]
        total = -weights[6] * distortion(rules, len(source))
        for (i, j), (begin, end) in rules:
            total += weights[2] * self.lexical(self.forward, source[i:j], target[begin:end])
            total += weights[3] * self.lexical(self.backward, target[begin:end], source[i:j])
            total += weights[5] if i < j and begin < end else weights[7]
        return total


def posteriors_of(slow, pair, limits, weights, scale):
    """Log of the sum over all derivations, and how probable each use of a rule is."""
    sizes = len(slow.source[pair]), len(slow.target[pair])
    found = [(rules, slow.score(pair, rules, weights)) for rules in derivations(*sizes, limits)]
    if not found:
        return None, {}
    top = max(score for _, score in found)
    weight = [math.exp(scale * (score - top)) for _, score in found]
    uses = defaultdict(float)
    for (rules, _), amount in zip(found, weight, strict=True):
        for rule in rules:
            uses[rule] += amount / math.fsum(weight)
    return top, uses


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("pair", range(len(SOURCE)))
def test_posteriors_are_those_of_all_derivations(limits, pair):
    slow = Slow(SOURCE, TARGET)
    trainer = trainer_of(SOURCE, TARGET, forced_beam=0, **options_of(limits))
    for scale in (1.0, 2.5):
        top, expected = posteriors_of(slow, pair, limits, WEIGHTS, scale)
        found = defaultdict(float)
        for _, _, rule, _, log_posterior in trainer.derivations(pair, WEIGHTS, scale):
            if rule != ((0, 0), (0, 0)):
                found[rule] += math.exp(log_posterior)
        assert found.keys() == expected.keys()
        for rule, probability in expected.items():
            assert found[rule] == pytest.approx(probability, abs=1e-6)
        best = tuple(trainer.best_derivation(pair, WEIGHTS))
        if top is not None:
            assert slow.score(pair, best, WEIGHTS) == pytest.approx(top, abs=1e-5)


def check_whole(rules, source, target):
    """The rules cover each source word once and yield the target from left to right."""
    covered = sorted(position for (i, j), _ in rules for position in range(i, j))
    assert covered == list(range(source))
    at = 0
    for _, (begin, end) in rules:
        if begin < end:
            assert begin == at
            at = end
    assert at == target


@settings(deadline=None, max_examples=60)
@given(
    source=st.lists(st.sampled_from("abcd"), min_size=1, max_size=12),
    target=st.lists(st.sampled_from("xyzw"), min_size=1, max_size=12),
    null_rules=st.booleans(),
    limit=st.sampled_from([(None, None), (6, None), (0, None), (2, None), (None, 1), (None, 2)]),
    beam=st.sampled_from([1, 3, 10]),
    weights=st.sampled_from([WEIGHTS, ZERO, -WEIGHTS]),
)
def test_derivations_yield_the_reference(source, target, null_rules, limit, beam, weights):
    trainer = trainer_of(
        [" ".join(source)],
        [" ".join(target)],
        null_rules=null_rules,
        forced_beam=beam,
        distortion_limit=limit[0],
        gap_limit=limit[1],
    )
    rules = trainer.best_derivation(0, weights)
    edges = trainer.derivations(0, weights)
    if not rules:
        assert not edges
        assert not null_rules  # with null rules every pair can be derived
        return
    check_whole(rules, len(source), len(target))
    # Posteriors: each derivation ends once, covers each source word and yields each target word.
    goal = max(head for head, *_ in edges)
    ends = math.fsum(math.exp(log) for head, _, _, _, log in edges if head == goal)
    assert ends == pytest.approx(1)
    covered, produced = np.zeros(len(source)), np.zeros(len(target))
    for _, _, ((i, j), (begin, end)), _, log in edges:
        covered[i:j] += math.exp(log)
        produced[begin:end] += math.exp(log)
    assert covered == pytest.approx(np.ones(len(source)))
    assert produced == pytest.approx(np.ones(len(target)))


def test_a_wide_beam_is_never_worse():
    trainers = [trainer_of(SOURCE, TARGET, forced_beam=beam) for beam in (1, 2, 10, 0)]
    slow = Slow(SOURCE, TARGET)
    for pair in range(len(SOURCE)):
        scores = [slow.score(pair, t.best_derivation(pair, WEIGHTS), WEIGHTS) for t in trainers]
        assert scores[-1] >= max(scores) - 1e-9


def count_rules(trainer, pairs, threads):
    found = trainer.find(0, pairs, WEIGHTS, 1.0, 0.0, threads)
    trainer.add(found)
    return found.counts


def test_counts_and_probabilities_of_rules():
    trainer = trainer_of(["a b", "a"], ["x y", "x"], forced_beam=0, k=4.0)
    found = count_rules(trainer, 2, 1)
    assert (found.pairs, found.reachable, found.empty) == (2, 2, 0)
    trainer.finish_counting()
    bitext = bitext_of(["a b", "a"], ["x y", "x"])

    def ids(vocabulary, text):
        return vocabulary.encode([text])[0]

    def rule(source, target):
        return trainer.rule(
            ids(bitext.source_vocabulary, source), ids(bitext.target_vocabulary, target)
        )

    sides = [("a", "b", "a b", ""), ("x", "y", "x y", "")]
    counts = {(f, e): rule(f, e)[0] for f in sides[0] for e in sides[1] if rule(f, e)}
    # Every source word is covered once in every derivation.
    words = {"a": 1, "b": 1, "a b": 2, "": 0}
    assert sum(c * words[f] for (f, _), c in counts.items()) == pytest.approx(3)
    for (f, e), count in counts.items():
        of_source = sum(c for (one, _), c in counts.items() if one == f)
        of_target = sum(c for (_, one), c in counts.items() if one == e)
        _, forward, backward = rule(f, e)
        bias = 4.0 if f == "a b" else 1.0
        assert forward == pytest.approx(math.log(count / (of_source + bias)), rel=1e-5)
        bias = 4.0 if e == "x y" else 1.0
        assert backward == pytest.approx(math.log(count / (of_target + bias)), rel=1e-5)
    assert trainer.rules == sum(bool(f and e) for f, e in counts)
    assert trainer.null_rules == sum(not (f and e) for f, e in counts)


def test_threads_do_not_matter(tmp_path):
    results = []
    for threads in (1, 3):
        trainer = trainer_of(SOURCE * 20, TARGET * 20)
        count_rules(trainer, len(trainer), threads)
        trainer.finish_counting()
        trainer.save_rules(str(tmp_path / f"rules{threads}"))
        results.append((tmp_path / f"rules{threads}").read_bytes())
    assert results[0] == results[1]


def test_pairs_that_cannot_be_derived_are_counted():
    # Two phrases of at most three words cannot yield seven words.
    trainer = trainer_of(["a b", "", "a"], ["x " * 7, "x", ""], null_rules=False)
    found = count_rules(trainer, 3, 2)
    assert (found.pairs, found.reachable, found.empty) == (3, 0, 2)
    assert trainer.best_derivation(0, WEIGHTS) == []
    assert trainer.derivations(1, WEIGHTS) == []
    trainer.finish_counting()
    assert trainer.rules == 0
