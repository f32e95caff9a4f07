"""Counting, mixing and matching, against hand and against slow Python."""

import math
import random
from collections import Counter, defaultdict
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.reference import phrases as reference

from dragoman._core import MosesImporter, derived_text, match_table_rows, table_row_facts
from dragoman.corpus.bitext import Bitext, SentenceIds
from dragoman.errors import InputError
from dragoman.learning.reestimation.config import DeriveConfig
from dragoman.learning.reestimation.derivations import NO_ROW, Derivations, search_options
from dragoman.learning.reestimation.models import (
    TableRows,
    UsedPhrases,
    best_weight,
    confirmed_steps,
    frequent_rows,
    interpolated,
    most_used,
)
from dragoman.learning.reestimation.smoothing import conditionals, good_turing
from dragoman.rules.table import open_file
from dragoman.rules.thin import rewrite
from dragoman.search.options import SearchOptions

ROWS = TableRows(
    sources=np.array([0, 0, 1, 1, 2], dtype=np.uint32),
    targets=np.array([0, 1, 0, 2, 2], dtype=np.uint32),
    source_lengths=np.array([1, 1, 2, 2, 1], dtype=np.uint8),
    counts=np.array([[3, 4, 3], [1, 4, 1], [2, 3, 3], [1, 3, 2], [1, 1, 2]], dtype=np.float32),
)


def derivations(counts, steps, rows):
    """Derivations of which only the rows matter."""
    pairs, total = len(counts), sum(steps)
    return Derivations(
        np.arange(pairs),
        np.zeros(pairs, dtype=np.uint8),
        np.array(counts, dtype=np.uint32),
        np.zeros((pairs, 10)),
        np.zeros((pairs, 10)),
        np.zeros((pairs, 3)),
        np.array(steps, dtype=np.uint32),
        np.zeros(len(steps)),
        np.zeros((total, 3), dtype=np.uint16),
        np.array(rows, dtype=np.uint32),
    )


def test_counts_by_hand():
    # One pair with one derivation of rows 0 and 3, one with two derivations: 0, and 1 and a copy.
    used = UsedPhrases.of(ROWS, derivations([1, 2], [2, 1, 2], [0, 3, 0, 1, NO_ROW]))
    assert used.counts.tolist() == [1.5, 0.5, 0, 1, 0]
    assert used.forward.tolist() == [0.75, 0.25, 0, 1, 0]
    assert used.backward.tolist() == [1, 1, 0, 1, 0]
    assert used.source_counts.tolist() == [2, 2, 1, 1, 0]


def test_smoothed_counts_by_hand():
    rows = TableRows(
        sources=np.array([0, 0, 1], dtype=np.uint32),
        targets=np.array([0, 1, 1], dtype=np.uint32),
        source_lengths=np.ones(3, dtype=np.uint8),
        counts=np.ones((3, 3), dtype=np.float32),
    )
    # Counts 3, 1, 2: one pair occurs once and one twice, so D is 1/3; three pairs in all.
    used = UsedPhrases.of(rows, derivations([1], [6], [0, 0, 0, 1, 2, 2]), "kneser-ney")
    assert used.counts.tolist() == [3, 1, 2]
    third = 1 / 3
    assert used.forward == pytest.approx(
        [
            (3 - third) / 4 + third * 2 / 4 * 1 / 3,
            (1 - third) / 4 + third * 2 / 4 * 2 / 3,
            (2 - third) / 2 + third * 1 / 2 * 2 / 3,
        ]
    )
    assert used.backward[0] == pytest.approx((3 - third) / 3 + third * 1 / 3 * 2 / 3)


@pytest.mark.parametrize("smoothing", ["none", "good-turing", "kneser-ney"])
@pytest.mark.parametrize("seed", range(4))
def test_whole_counts_are_smoothed_as_a_table_is(seed, smoothing):
    chance = random.Random(seed)
    joint = {
        (f"s{chance.randrange(6)}", f"t{chance.randrange(6)}"): int(1 / chance.uniform(0.08, 1))
        for _ in range(30)
    }
    pairs = sorted(joint)
    counts = np.array([joint[pair] for pair in pairs], dtype=float)
    sources, targets = (
        np.unique([pair[side] for pair in pairs], return_inverse=True)[1].astype(np.uint32)
        for side in (0, 1)
    )
    forward, backward = conditionals(counts, sources, targets, smoothing)
    wanted = reference.probabilities(
        {((s,), (t,)): SimpleNamespace(joint=c) for (s, t), c in joint.items()}, smoothing
    )
    for row, (s, t) in enumerate(pairs):
        assert (forward[row], backward[row]) == pytest.approx(wanted[(s,), (t,)])


def test_good_turing_by_hand():
    # Of whole counts one row each has 4 and 2, three rows have 1: log Z over log c is a line
    # through (1, 3 / 1), (2, 1 / 1.5), (4, 1 / 2), whose slope is that of least squares.
    counts = np.array([4.0, 2.0, 1.0, 0.5, 0.5])
    x, y = np.log([1, 2, 4]), np.log([3, 1 / 1.5, 1 / 2])
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    assert slope < -1
    revised, unseen = good_turing(counts)
    assert revised == pytest.approx(
        [5 * 1.25**slope, 3 * 1.5**slope, 2 * 2**slope, 2**slope, 2**slope]
    )
    assert unseen == pytest.approx(2 / 8)
    flat, nothing = good_turing(np.array([3.0, 2.0, 2.0]))  # too few different ones
    assert (flat.tolist(), nothing) == ([3.0, 2.0, 2.0], 0.0)


def test_each_pair_counts_once_however_many_derivations_it_has():
    found = derivations([2, 0, 3, 1, 2], [1] * 8, [0] * 8)
    assert found.shares == pytest.approx([1 / 2] * 2 + [1 / 3] * 3 + [1] + [1 / 2] * 2)
    # The first of the first, the second of the next that has any, the first of one, the second.
    assert found.in_turn.tolist() == [0, 3, 5, 7]


@given(st.lists(st.integers(0, 8), min_size=1, max_size=30))
@settings(deadline=None, max_examples=50)
def test_smoothed_probabilities_add_up(used_rows):
    """Of a table with every pair of three sources and three targets, by parts of a count too."""
    places = np.arange(9, dtype=np.uint32)
    rows = TableRows(
        places // 3, places % 3, np.ones(9, dtype=np.uint8), np.ones((9, 3), dtype=np.float32)
    )
    lists = [1] * len(used_rows)
    for found in (
        derivations(lists, lists, used_rows),
        derivations([len(used_rows)], lists, used_rows),  # one pair: each counts its part
    ):
        used = UsedPhrases.of(rows, found, "kneser-ney")
        for given_side, probabilities in (
            (rows.sources, used.forward),
            (rows.targets, used.backward),
        ):
            for phrase in range(3):
                row = given_side == phrase
                total = 1.0 if used.counts[row].sum() > 0 else 0.0
                assert (probabilities[row] >= 0).all()
                assert probabilities[row].sum() == pytest.approx(total)


def sentences(lists):
    ends = np.cumsum([0, *map(len, lists)]).astype(np.uint64)
    ids = SentenceIds(np.array([word for line in lists for word in line], dtype=np.int32), ends)
    return Bitext(ids, ids, None, None)


IDS = st.lists(st.integers(1, 3), max_size=6)


@given(st.lists(st.tuples(IDS, st.lists(st.lists(IDS, max_size=4), max_size=3)), min_size=1))
@settings(deadline=None, max_examples=100)
def test_steps_are_confirmed_by_their_own_reference(pairs):
    references = [reference for reference, _ in pairs]
    lists = [derivation for _, found in pairs for derivation in found]
    phrases = [phrase for derivation in lists for phrase in derivation]
    spans = [[0, 1, len(phrase)] for phrase in phrases]
    found = replace(
        derivations([len(found) for _, found in pairs], list(map(len, lists)), [0] * len(phrases)),
        spans=np.array(spans, dtype=np.uint16).reshape(-1, 3),
    )
    derived = sentences(
        [[word for phrase in derivation for word in phrase] for derivation in lists]
    )
    slow = [
        bool(phrase)
        and phrase in [reference[begin : begin + len(phrase)] for begin in range(len(reference))]
        for reference, found in pairs
        for derivation in found
        for phrase in derivation
    ]
    assert confirmed_steps(found, derived, sentences(references)).tolist() == slow


def test_only_counted_steps_count():
    found = derivations([1], [3], [0, 0, 1])
    used = UsedPhrases.of(ROWS, found, counted=np.array([True, False, True]))
    assert used.counts.tolist() == [1, 1, 0, 0, 0]
    assert used.forward.tolist() == [0.5, 0.5, 0, 0, 0]


def test_rows_get_new_numbers():
    found = derivations([1], [3], [2, NO_ROW, 0]).with_rows(np.array([5, 7, 9], dtype=np.uint32))
    assert found.rows.tolist() == [9, NO_ROW, 5]


def test_rare_pairs_go_but_not_the_last_of_a_word():
    assert frequent_rows(ROWS, 2, False).tolist() == [True, False, True, False, False]
    assert frequent_rows(ROWS, 2, True).tolist() == [True, False, True, False, True]
    assert frequent_rows(ROWS, 9, True).tolist() == [True, False, False, False, True]
    uncounted = TableRows(ROWS.sources, ROWS.targets, ROWS.source_lengths, ROWS.counts * 0)
    assert frequent_rows(uncounted, 2, True).all()


@pytest.mark.parametrize(
    ("most", "keep_words", "expected"),
    [
        (5, False, [1, 1, 1, 0, 0]),  # not what is never used
        (5, True, [1, 1, 1, 0, 1]),
        (1, False, [1, 0, 0, 0, 0]),  # used as often as the next, but extracted more often
        (2, True, [1, 0, 0, 0, 1]),  # a word's last translation takes the place of another row
        (1, True, [1, 0, 0, 0, 1]),  # and comes before the bound
    ],
)
def test_the_most_used_rows_by_hand(most, keep_words, expected):
    keep = most_used(ROWS, np.array([0.5, 0.5, 0.2, 0, 0]), most, keep_words)
    assert keep.astype(int).tolist() == expected


def test_mixing_by_hand():
    new, old = np.array([1.0, 0.0, 0.0]), np.array([0.5, 0.5, 0.25])
    seen = np.array([True, True, False])
    assert interpolated(new, old, seen, 0.75).tolist() == [0.875, 0.125, 0.25]


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.floats(0.01, 1), st.floats(0, 5)), min_size=1, max_size=12
    )
)
@example([(1.0, 1.0, 1.0), (0.0, 1.0, 5e-324)])  # an event that is next to none
@example([(1.0, 0.5, 5.0), (0.0, 1.0, 1e-200)])
@settings(deadline=None, max_examples=50)
def test_the_best_weight_is_the_best_of_a_grid(events):
    new, old, counts = (np.array(values) for values in zip(*events, strict=True))
    if counts.sum() < 0.1:
        return

    def likelihood(weight):
        mixed = weight * new + (1 - weight) * old
        with np.errstate(divide="ignore"):
            return float((counts[counts > 0] * np.log(mixed[counts > 0])).sum())

    weight = best_weight(new, old, counts)
    assert 0 <= weight <= 1
    best = max(likelihood(step / 50) for step in range(51))
    # The likelihood may be flat; expectation maximisation gets as high, if not to the same place.
    assert likelihood(weight) >= best - 0.05 * counts.sum()


def test_without_events_new_and_old_count_the_same():
    assert best_weight(np.array([1.0]), np.array([0.5]), np.array([0.0])) == 0.5


@pytest.fixture
def make_table(tmp_path):
    def make(name, pairs):
        importer = MosesImporter(name)
        lines = "".join(f"{s} ||| {t} ||| 0.5 0.5 0.5 0.5 ||| 0-0\n" for s, t in sorted(pairs))
        importer.add_phrases(lines.encode())
        paths = [str(tmp_path / f"{name}.{part}") for part in ("table", "source", "target")]
        importer.finish(*paths, [0.2] * 4)
        return open_file(paths[0])

    return make


PAIRS = [("a", "x"), ("a", "y"), ("a b", "x y"), ("b", "y"), ("b", "x"), ("c", "z")]


def test_facts_of_rows(make_table):
    table = make_table("one", PAIRS)
    facts = table_row_facts(table)
    sources, targets, lengths = facts.sources, facts.targets, facts.source_lengths
    assert len(sources) == len(targets) == len(lengths) == len(table) == 6
    assert facts.counts.shape == (6, 3)
    by_source = defaultdict(set)
    by_target = defaultdict(set)
    for row in range(6):
        by_source[sources[row]].add(row)
        by_target[targets[row]].add(tuple(table.target(row)))
    assert sorted(map(len, by_source.values())) == [1, 1, 2, 2]
    assert all(len(different) == 1 for different in by_target.values())
    assert Counter(lengths.tolist()) == {1: 5, 2: 1}


def test_rows_are_matched_by_their_words(make_table):
    table = make_table("one", PAIRS)
    other = make_table("two", [*(set(PAIRS) - {("b", "y")}), ("c", "x")])
    matches = match_table_rows(table, other)
    missing = [row for row in range(6) if matches[row] == NO_ROW]
    assert len(missing) == 1
    for row in range(6):
        if row not in missing:
            assert table.target(row).tolist() == other.target(matches[row]).tolist()
    with pytest.raises(InputError, match="other vocabularies"):
        match_table_rows(table, make_table("three", [("a", "x")]))


def test_derived_text_by_hand(make_table):
    table = make_table("one", PAIRS)
    whole = next(row for row in range(6) if len(table.target(row)) == 2)
    single = next(row for row in range(6) if len(table.target(row)) == 1)
    found = derived_text(
        table,
        np.array([3, 0], dtype=np.uint32),
        np.array([2, 4, 2, 4, 5, 1, 0, 1, 1], dtype=np.uint16),
        np.array([whole, NO_ROW, single], dtype=np.uint32),
    )
    assert found.ids.tolist() == [*table.target(whole), 0, *table.target(single)]
    assert found.offsets.tolist() == [0, 4, 4]
    assert found.links.tolist() == [[0, 3], [2, 0], [4, 2]]
    assert found.link_offsets.tolist() == [0, 3, 3]
    for steps, rows in ([[2], [whole]], [[1], [99]], [[1], [single]]):
        with pytest.raises(InputError):
            derived_text(
                table,
                np.array(steps, dtype=np.uint32),
                np.array([0, 2, 2], dtype=np.uint16),
                np.array(rows, dtype=np.uint32),
            )


def test_counts_of_a_table_can_be_replaced(make_table, tmp_path):
    table = make_table("one", PAIRS)
    counts = np.arange(18, dtype=np.float32).reshape(6, 3)
    column = np.log(np.linspace(0.1, 0.6, 6)).astype(np.float32)
    assert rewrite(table, tmp_path / "new", counts=counts, columns={"tm.fwd": column}) == 6
    new = open_file(tmp_path / "new")
    found = [new.counts(row) for row in range(6)]
    assert [[one.joint, one.source, one.target] for one in found] == counts.tolist()
    place = new.features.index("tm.fwd")
    assert new.scores(0, 6)[:, place].tolist() == column.tolist()
    assert math.isclose(new.scores(0, 6)[0, 1 - place], math.log(0.5), rel_tol=1e-6)
    with pytest.raises(InputError, match="counts for 6 phrase pairs"):
        rewrite(table, tmp_path / "bad", counts=counts[:3])
    with pytest.raises(InputError, match="reordering scores"):
        rewrite(table, tmp_path / "bad", reordering=counts)


def test_the_search_that_derives_by_hand():
    usual = SearchOptions(beam_limit=7, ttable_limit=3, distortion_limit=2, search="cube")
    assert search_options(DeriveConfig(), usual) == usual
    assert search_options(DeriveConfig(stack=9), usual) == replace(usual, beam_limit=9)
    relaxed = SearchOptions(
        search="estimate",
        ttable_threshold=math.inf,
        beam_threshold=math.inf,
        ttable_limit=0,
        beam_limit=100,
        distortion_limit=None,
    )
    assert search_options(DeriveConfig(method="forced"), usual) == relaxed
    assert search_options(DeriveConfig(method="forced", stack=9), usual) == replace(
        relaxed, beam_limit=9
    )


def test_parts_of_both_methods():
    both = DeriveConfig(method="both", nbest=5, mu=0.25)
    assert both.parts() == [
        DeriveConfig(method="oracle", nbest=5, mu=0.25),
        DeriveConfig(method="forced", nbest=1, mu=0.25),
    ]


def test_all_pairs_count_the_same_however_many_derivations_they_have():
    found = derivations([1, 2, 0], [2, 1, 3], [0] * 6)
    assert found.pair_of_derivation.tolist() == [0, 1, 1]
    assert found.step_weights.tolist() == [1, 1, 0.5, 0.5, 0.5, 0.5]
    assert found.derived == 3


def test_bleu_of_derivations_by_hand():
    found = derivations([1], [1], [0])
    # Matches and n-grams of each order, then length and reference length.
    model = np.array([[3, 1, 0, 0, 4, 3, 2, 1, 4, 5]], dtype=float)
    best = np.array([[4, 3, 2, 1, 4, 3, 2, 1, 4, 4]], dtype=float)
    before, after = replace(found, model_bleu=model, best_bleu=best).corpus_bleu()
    smoothed = (3 / 4 * 1 / 3 * (1 / 2) / 2 * (1 / 4) / 1) ** 0.25
    assert before == pytest.approx(100 * smoothed * math.exp(1 - 5 / 4))
    assert after == pytest.approx(100)
