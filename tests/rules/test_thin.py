"""Sorting anew, filtering, quantising, and bilingual tokens."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.corpora import make_bitext

from dragoman._core import build_vocabulary, negative_log_p_value
from dragoman.errors import InputError, UsageError
from dragoman.rules.bilingual import attach_bilingual, bilingual_text
from dragoman.rules.config import RulesConfig
from dragoman.rules.extract import extract_table
from dragoman.rules.table import PhraseTable, open_file
from dragoman.rules.thin import rewrite, significant

PAIRS = [
    (["das", "haus"], ["the", "house"], {(0, 0), (1, 1)}),
    (["das", "haus"], ["the", "house"], {(0, 0), (1, 1)}),
    (["das", "buch"], ["this", "book"], {(0, 0), (1, 1)}),
    (["ne", "va", "pas"], ["does", "not", "go"], {(0, 1), (2, 1), (1, 2)}),
]


@pytest.fixture
def made(tmp_path):
    bitext, links = make_bitext(tmp_path, PAIRS)
    extract_table(
        bitext, links, tmp_path / "table", RulesConfig(reordering=("word", "hierarchical"))
    )
    return tmp_path, bitext, links


def reopen(directory, name, bitext):
    return PhraseTable(
        open_file(directory / name),
        bitext.source_vocabulary,
        bitext.target_vocabulary,
    )


def test_sorting_twice_leads_back(made):
    directory, bitext, _ = made
    first = directory / "table"
    weights = dict.fromkeys(["tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd"], 0.2)
    rewrite(open_file(first), directory / "worst", weights={"tm.fwd": -1.0})
    worst = reopen(directory, "worst", bitext)
    assert [t.target for t in worst.translations("das")] == ["this", "the"]
    assert worst.file.sort_weights == [-1.0, 0, 0, 0]
    rewrite(worst.file, directory / "again", weights=weights)
    assert (directory / "again").read_bytes() == first.read_bytes()
    # In place.
    rewrite(worst.file, directory / "worst", weights=weights)
    assert (directory / "worst").read_bytes() == first.read_bytes()


def test_a_limit_keeps_the_best(made):
    directory, bitext, _ = made
    rewrite(open_file(directory / "table"), directory / "one", limit=1)
    one = reopen(directory, "one", bitext)
    assert [t.target for t in one.translations("das")] == ["the"]
    assert len(one) == one.file.source_phrases


def test_further_columns(made):
    directory, bitext, _ = made
    table = open_file(directory / "table")
    column = np.arange(len(table), dtype=np.float32)
    rewrite(table, directory / "wide", columns={"lm.estimate": column}, weights={"lm.estimate": 1})
    wide = reopen(directory, "wide", bitext)
    assert wide.features[4] == "lm.estimate"
    assert [t.target for t in wide.translations("das")] == ["this", "the"]
    rewrite(wide.file, directory / "same", columns={"tm.fwd": np.zeros(len(table), np.float32)})
    assert reopen(directory, "same", bitext).translations("das")[0].scores["tm.fwd"] == 0
    with pytest.raises(InputError, match="lm.estimate has 1 values"):
        rewrite(table, directory / "bad", columns={"lm.estimate": column[:1]})
    with pytest.raises(UsageError, match="no weight for any"):
        rewrite(table, directory / "bad", weights={"lm": 1.0})
    with pytest.raises(InputError, match="choice of phrase pairs has 1"):
        rewrite(table, directory / "bad", keep=np.ones(1, np.uint8))
    assert not (directory / "bad").exists()


def test_quantised_scores_are_close(made):
    directory, bitext, _ = made
    rewrite(open_file(directory / "table"), directory / "bytes", quantise=True)
    small, whole = reopen(directory, "bytes", bitext), reopen(directory, "table", bitext)
    assert small.file.quantised
    assert (directory / "bytes").stat().st_size != (directory / "table").stat().st_size
    # With fewer than 256 different values nothing is lost.
    for row in range(len(whole)):
        assert small.translation(row) == whole.translation(row)


def test_quantising_many_values(made):
    directory, _, _ = made
    pairs = [([f"s{k}"], [f"t{k}"], {(0, 0)}) for k in range(3000)]
    many = directory / "many"
    many.mkdir()
    extract_table(*make_bitext(many, pairs), many / "table")
    table = open_file(many / "table")
    values = np.random.default_rng(1).normal(-5, 3, len(table)).astype(np.float32)
    rewrite(table, many / "bytes", columns={"noise": values}, quantise=True)
    stored = open_file(many / "bytes").scores(0, len(table))[:, 4]
    assert len(np.unique(stored)) <= 256
    # Bins of equal population are wide only in the tails.
    assert np.median(np.abs(stored - values)) < 0.05


def hypergeometric_tail(both, source, target, pairs):
    ways = sum(
        math.comb(source, k) * math.comb(pairs - source, target - k)
        for k in range(both, min(source, target) + 1)
    )
    return ways / math.comb(pairs, target)


@given(st.integers(1, 40), st.data())
def test_p_values(pairs, data):
    source = data.draw(st.integers(0, pairs))
    target = data.draw(st.integers(0, pairs))
    both = data.draw(st.integers(0, min(source, target)))
    expected = hypergeometric_tail(both, source, target, pairs)
    assert negative_log_p_value(both, source, target, pairs) == pytest.approx(
        -math.log(expected), rel=1e-9, abs=1e-9
    )


def test_p_values_of_large_corpora():
    assert negative_log_p_value(1, 1, 1, 10**6) == pytest.approx(math.log(10**6))
    assert negative_log_p_value(500, 1000, 1000, 10**6) > 1000
    with pytest.raises(InputError, match="more sentences"):
        negative_log_p_value(2, 1, 1, 10)


def test_significance_counts_sentences_of_phrases(made):
    directory, bitext, _ = made
    table = reopen(directory, "table", bitext)
    values = table.file.significances(bitext.native, 2)
    found = range(*table.file.find(table.ids("das")))
    rows = {table.translation(row).target: row for row in found}
    assert values[rows["the"]] == pytest.approx(negative_log_p_value(2, 3, 2, 4))
    assert values[rows["this"]] == pytest.approx(negative_log_p_value(1, 3, 1, 4))
    strict = significant(table.file, bitext, "strict")
    lenient = significant(table.file, bitext, "lenient")
    assert (strict <= lenient).all()
    buch = table.file.find(table.ids("buch"))[0]
    assert (strict[buch], lenient[buch]) == (0, 1)
    rewrite(table.file, directory / "few", keep=significant(table.file, bitext, 1.0))
    assert 0 < len(open_file(directory / "few")) < len(table)


def test_the_filter_is_part_of_extraction(made):
    directory, bitext, links = made
    report = extract_table(
        bitext, links, directory / "kept", RulesConfig(significance="strict", quantise=True)
    )
    assert report.written < report.phrase_pairs
    assert open_file(directory / "kept").quantised


def test_bilingual_tokens_of_text_and_table_are_the_same(made):
    directory, bitext, links = made
    lines = [line for batch in bilingual_text(bitext, links) for line in batch]
    assert lines[0] == "the|das house|haus"
    assert lines[3] == "does| not|ne|pas go|va"
    vocabulary = build_vocabulary(lines)
    missing = attach_bilingual(
        open_file(directory / "table"),
        directory / "with",
        bitext.source_vocabulary,
        bitext.target_vocabulary,
        vocabulary.find,
        len(vocabulary),
    )
    assert missing == 0
    table = reopen(directory, "with", bitext)
    assert table.file.bilingual_words == len(vocabulary)
    # Every phrase pair's tokens are those of the sentences that it came from.
    for source, target, _ in PAIRS:
        for (i, j), (k, m) in (
            (a, b)
            for a in combinations(range(len(source) + 1), 2)
            for b in combinations(range(len(target) + 1), 2)
        ):
            begin, end = table.file.find(table.ids(" ".join(source[i:j])))
            for row in range(begin, end):
                if table.translation(row).target == " ".join(target[k:m]):
                    tokens = vocabulary.decode(table.file.bilingual(row))
                    assert tokens in lines[PAIRS.index((source, target, _))]
    # They survive further stages.
    rewrite(table.file, directory / "sorted", weights={"tm.fwd": 1.0})
    again = open_file(directory / "sorted")
    assert sorted(again.bilingual(r).tolist() for r in range(len(again))) == sorted(
        table.file.bilingual(r).tolist() for r in range(len(again))
    )
