"""Scores: equal to sacrebleu's, and to RIBES's definition worked out by hand."""

import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from dragoman._core import translation_edits
from dragoman.errors import InputError
from dragoman.evaluation.metric import ALL_METRICS, evaluate
from dragoman.evaluation.metrics import make_metric
from dragoman.evaluation.reorder_scores import (
    concordant_pairs,
    fuzzy_reordering_score,
    kendall_tau,
)
from dragoman.evaluation.ribes import align_words, sentence_ribes

pytestmark = pytest.mark.slow

HYP = ["the cat sat on the mat", "a dog barks", "Nothing here", ""]
REFS = [
    ["the cat is on the mat", "a dog barks .", "something there", "x"],
    ["there is a cat on the mat", "the dog barks", "nothing here", "y"],
]


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("bleu", {}, sacrebleu.BLEU()),
        ("bleu", {"lowercase": True, "tokenize": "none"}, None),
        ("chrf", {}, sacrebleu.CHRF()),
        ("ter", {}, sacrebleu.TER(case_sensitive=True)),
        ("ter", {"lowercase": True}, sacrebleu.TER()),
    ],
)
def test_equals_sacrebleu(name, options, expected):
    expected = expected or sacrebleu.BLEU(lowercase=True, tokenize="none")
    score = evaluate(make_metric(name, **options), HYP, REFS)
    assert score.value == pytest.approx(expected.corpus_score(HYP, REFS).score)
    assert score.signature == str(expected.get_signature())
    assert score.signature in str(score)


FEW_WORDS = st.lists(st.sampled_from("abcdefg"), max_size=25).map(" ".join)


@given(st.lists(st.tuples(FEW_WORDS, FEW_WORDS, FEW_WORDS), min_size=1, max_size=4))
@settings(deadline=None)
def test_edits_are_those_of_sacrebleu(lines):
    hypotheses, *references = (list(side) for side in zip(*lines, strict=True))
    rows = make_metric("ter").rows(hypotheses, references)
    metric = sacrebleu.TER(case_sensitive=True)
    expected = metric._extract_corpus_statistics(hypotheses, references)
    assert rows.tolist() == expected


def test_edits_of_lines_of_any_length():
    words = [str(number % 70) for number in range(300)]
    hypotheses = [" ".join(words[:size]) for size in (0, 1, 5, 299, 120, 300)]
    references = [" ".join(words[::-1][:size]) for size in (200, 60, 200, 2, 300, 280)]
    expected = [
        translation_edit_rate(hypothesis.split(), reference.split())[0]
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    for threads in (1, 3):
        assert translation_edits(hypotheses, references, threads).tolist() == expected
    with pytest.raises(InputError, match="equally many"):
        translation_edits(["a"], [])


@pytest.mark.parametrize("name", ALL_METRICS)
def test_bad_input(name):
    metric = make_metric(name)
    with pytest.raises(InputError, match="nothing to evaluate"):
        evaluate(metric, [], [[]])
    with pytest.raises(InputError, match="2 translations but 1 lines in reference 2"):
        evaluate(metric, ["a", "b"], [["a", "b"], ["a"]])
    assert math.isfinite(evaluate(metric, ["", ""], [["", ""]]).value)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "positions"),
    [
        ("a b c", "a b c", [0, 1, 2]),
        ("c b a", "a b c", [2, 1, 0]),
        ("a x b", "a b c", [0, 1]),
        # "the" occurs twice: the first is known by "the cat", the second by "saw the", because
        # the left context is tried before the right one
        ("the cat saw the mat", "the mat saw the cat", [3, 4, 2, 3, 1]),
        # left context comes first: "b the"
        ("b the c the", "b the d the", [0, 1]),
        ("a a", "a a", [0, 1]),
        ("x", "a", []),
    ],
)
def test_ribes_alignment_by_hand(hypothesis, reference, positions):
    assert align_words(hypothesis.split(), reference.split()) == positions


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("a b c", "a b c", 1.0),
        ("c b a", "a b c", 0.0),
        ("a", "a", 1.0),
        ("a", "a b", 0.0),
        ("", "a", 0.0),
        ("a", "", 0.0),
        ("x y", "a b", 0.0),
        # two of three words aligned, in order; as long as the reference
        ("a x b", "a b c", (2 / 3) ** 0.25),
        # all aligned but one pair turned round
        ("b a c", "a b c", 2 / 3),
        # too short by half
        ("a b", "a b c d", math.exp(1 - 4 / 2) ** 0.10),
    ],
)
def test_ribes_by_hand(hypothesis, reference, expected):
    assert sentence_ribes(hypothesis.split(), reference.split()) == pytest.approx(expected)


def test_ribes_takes_the_best_reference_and_the_mean():
    score = evaluate(make_metric("ribes"), ["a b", "b a c"], [["b a", "a b c"], ["a b", "x"]])
    assert score.value == pytest.approx(100 * (1 + 2 / 3) / 2)


@given(st.lists(st.integers(0, 20), max_size=40))
def test_concordant_pairs_are_what_they_say(values):
    pairs = sum(a < b for i, a in enumerate(values) for b in values[i + 1 :])
    assert concordant_pairs(values) == pairs


def test_tau_and_fuzzy_score_by_hand():
    assert kendall_tau([0, 1, 2]) == 1
    assert kendall_tau([2, 1, 0]) == -1
    assert kendall_tau([1, 0, 2]) == pytest.approx(1 / 3)
    assert kendall_tau([5]) == kendall_tau([]) == 1
    assert fuzzy_reordering_score([0, 1, 2], [0, 1, 2]) == 1
    assert fuzzy_reordering_score([2, 1, 0], [0, 1, 2]) == 0
    # 1 2 stay neighbours, of four places
    assert fuzzy_reordering_score([1, 2, 0], [0, 1, 2]) == pytest.approx(1 / 4)
    assert fuzzy_reordering_score([], []) == 1
    with pytest.raises(ValueError, match="same items"):
        fuzzy_reordering_score([0], [1])


def test_text_that_looks_tokenised_makes_sacrebleu_say_nothing(caplog):
    """A final full stop with a space before it: tokenised text, where raw text is expected."""
    lines = ["a b c d ."] * 200
    for tokenize, lowercase in (("13a", False), ("none", True), ("none", False)):
        caplog.clear()
        metric = make_metric("bleu", tokenize=tokenize, lowercase=lowercase)
        assert metric.score(metric.rows(lines, [lines]).sum(axis=0)) == pytest.approx(100)
        assert "tokenized period" not in caplog.text


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "ribes"])
def test_case_counts_unless_told(name):
    for lowercase, same in ((False, False), (True, True)):
        metric = make_metric(name, lowercase=lowercase)
        rows = metric.rows(["A B C D E", "a b c d e"], [["a b c d e"] * 2])
        assert (rows[0].tolist() == rows[1].tolist()) == same
    assert make_metric(name).higher_is_better == (name != "ter")


def test_what_there_is_nothing_of_scores_nothing():
    assert make_metric("ribes").score(np.zeros(2)) == 0
