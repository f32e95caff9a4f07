"""Hierarchical rules against the definition, by hand and on random alignments."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import hiero
from tests.rules.corpora import make_bitext

from dragoman import _core
from dragoman.alignment.lexical import lexical_table_from_links
from dragoman.alignment.links import Links
from dragoman.errors import ConfigError, InputError
from dragoman.rules.config import HieroConfig
from dragoman.rules.hiero import extract_rules
from dragoman.rules.table import GAPS, PhraseTable, open_file


def array(links):
    return np.array(sorted(links), dtype=np.uint16).reshape(-1, 2)


def read_table(path, bitext):
    """Source and target symbols of every rule, with counts and scores."""
    table = open_file(path)
    assert table.hierarchical
    sources = table.sources(0, table.first_words)
    offsets = sources.offsets

    def spell(vocabulary, symbols):
        return tuple(GAPS.get(int(s)) or vocabulary.decode(np.array([s])) for s in symbols)

    rules = {}
    for number, (begin, end) in enumerate(sources.rows.tolist()):
        symbols = sources.ids[offsets[number] : offsets[number + 1]]
        source = spell(bitext.source_vocabulary, symbols)
        for row in range(begin, end):
            target = spell(bitext.target_vocabulary, table.target(row))
            assert (source, target) not in rules
            counts = table.counts(row)
            rules[source, target] = (
                (counts.joint, counts.source, counts.target),
                table.scores(row, row + 1)[0].tolist(),
                table.alignment(row),
            )
    return rules


def extract(directory, pairs, config=None, threads=1, **options):
    bitext, links = make_bitext(directory, pairs)
    path = directory / "hiero.table"
    report = extract_rules(bitext, links, path, config, threads=threads, **options)
    return read_table(path, bitext), report, path


CAT = (
    ["die", "Katze", "sieht", "den", "Hund", "nicht"],
    ["the", "cat", "does", "not", "see", "the", "dog"],
    {(0, 0), (1, 1), (2, 4), (3, 5), (4, 6), (5, 3)},
)


def test_a_sentence_by_hand(tmp_path):
    rules, report, _ = extract(tmp_path, [CAT], HieroConfig(max_options=0))
    found = {" ".join(s) + " | " + " ".join(t) for s, t in rules}
    assert "sieht [1] nicht | not see [1]" in found
    assert "[1] sieht [2] nicht | [1] does not see [2]" in found
    assert "die [1] | the [1]" in found
    assert "sieht den Hund nicht | not see the dog" in found
    # "does" has no link: never at an edge, and no rule of its own.
    assert not any(rule.endswith(("| does", " does")) for rule in found)
    assert not any("| does" in rule for rule in found)
    # Gaps side by side on the source side, more than five symbols, no linked word.
    assert not any("[1] [2]" in rule.split(" | ")[0] for rule in found)
    assert max(len(s) for s, _ in rules) == 5
    assert report.sentence_pairs == 1
    assert report.rules == report.written == len(rules)
    assert rules.keys() == hiero.count([CAT]).keys()
    assert report.rules_with_gaps == sum("[1]" in s for s, _ in rules)
    # Links by place among the symbols.
    assert rules[("sieht", "[1]", "nicht"), ("not", "see", "[1]")][2] == [(0, 1), (2, 0)]


def test_rules_can_be_looked_up(tmp_path):
    _, _, path = extract(tmp_path, [CAT])
    table = PhraseTable.open(path, tmp_path / "source.vocab", tmp_path / "target.vocab")
    [translation] = table.translations("sieht [1] nicht")
    assert translation.target == "not see [1]"
    assert [t.target for t in table.translations("[1] sieht [2] nicht")] == [
        "[1] does not see [2]"
    ]
    assert table.translations("[2] sieht") == []


def test_a_phrase_pair_shares_its_count(tmp_path):
    pair = (["a", "b"], ["x", "y"], {(0, 0), (1, 1)})
    rules, _, _ = extract(tmp_path, [pair])
    counts = {key: values[0][0] for key, values in rules.items()}
    third = pytest.approx(1 / 3)
    assert counts == {
        (("a",), ("x",)): 1,
        (("b",), ("y",)): 1,
        (("a", "b"), ("x", "y")): third,
        (("a", "[1]"), ("x", "[1]")): third,
        (("[1]", "b"), ("[1]", "y")): third,
    }


@st.composite
def corpora(draw):
    pairs = []
    for _ in range(draw(st.integers(1, 3))):
        n, m = draw(st.integers(1, 7)), draw(st.integers(1, 7))
        links = draw(
            st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, m - 1)), max_size=n + m)
        )
        source = draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
        target = draw(st.lists(st.sampled_from("xyz"), min_size=m, max_size=m))
        pairs.append((source, target, links))
    return pairs


@settings(max_examples=60, deadline=None)
@given(
    corpora(),
    st.integers(2, 10),
    st.integers(1, 5),
    st.integers(0, 2),
    st.integers(1, 2),
    st.booleans(),
)
def test_the_same_rules_and_counts_as_the_definition(
    tmp_path_factory, pairs, max_span, max_symbols, max_gaps, min_gap, tight
):
    limits = {
        "max_span": max_span,
        "max_symbols": max_symbols,
        "max_gaps": max_gaps,
        "min_gap": min_gap,
        "tight": tight,
    }
    expected = hiero.count(pairs, **limits)
    directory = tmp_path_factory.mktemp("hiero")
    bitext, links = make_bitext(directory, pairs)
    lexical = tuple(
        lexical_table_from_links(bitext, links, side) for side in ("forward", "backward")
    )
    config = HieroConfig(max_options=0, lexical_weights="links", discount=0.0, **limits)
    extract_rules(bitext, links, directory / "t", config, lexical=lexical)
    found = read_table(directory / "t", bitext)
    assert found.keys() == expected.keys()
    by_source, by_target = {}, {}
    for (source, target), number in expected.items():
        by_source[source] = by_source.get(source, Fraction(0)) + number
        by_target[target] = by_target.get(target, Fraction(0)) + number
    for (source, target), (counts, scores, _) in found.items():
        number = expected[source, target]
        assert counts == pytest.approx(
            (float(number), float(by_source[source]), float(by_target[target])), rel=1e-5
        )
        assert scores[:2] == pytest.approx(
            np.log([float(number / by_source[source]), float(number / by_target[target])]),
            abs=1e-5,
        )


def test_lexical_weights_leave_gaps_out(tmp_path):
    from tests.reference.phrases import link_lexicon, link_weight, viterbi_weight

    pairs = [CAT, (["die", "Katze"], ["the", "cat"], {(0, 0), (1, 1)})]
    forward, backward = link_lexicon(pairs)
    for weighting in ("links", "viterbi"):
        config = HieroConfig(max_options=0, lexical_weights=weighting)
        bitext, links = make_bitext(tmp_path, pairs)
        lexical = tuple(
            lexical_table_from_links(bitext, links, side) for side in ("forward", "backward")
        )
        extract_rules(bitext, links, tmp_path / "t", config, lexical=lexical)
        for (source, target), (_, scores, inner) in read_table(tmp_path / "t", bitext).items():
            sides = [[s for s in side if s not in GAPS.values()] for side in (source, target)]
            places = [
                {at: sum(s not in GAPS.values() for s in side[:at]) for at in range(len(side))}
                for side in (source, target)
            ]
            compact = [(places[0][i], places[1][j]) for i, j in inner]
            if weighting == "links":
                expected = [
                    link_weight(forward, *map(tuple, sides), compact),
                    link_weight(
                        backward, *map(tuple, reversed(sides)), [(j, i) for i, j in compact]
                    ),
                ]
            else:
                expected = [
                    viterbi_weight(forward, *map(tuple, sides)),
                    viterbi_weight(backward, *map(tuple, reversed(sides))),
                ]
            assert scores[2:] == pytest.approx(expected, abs=1e-4)


def random_pairs(seed, size):
    chance = random.Random(seed)
    pairs = []
    for _ in range(size):
        n = chance.randint(1, 15)
        links = {(i, max(0, min(n - 1, i + chance.choice((-1, 0, 0, 0, 0, 1))))) for i in range(n)}
        pairs.append((chance.choices("abcdefg", k=n), chance.choices("tuvwxyz", k=n), links))
    return pairs


def test_the_same_bytes_for_any_number_of_threads_and_any_memory(tmp_path):
    pairs = random_pairs(3, 150)
    contents = set()
    for threads, memory in ((1, 2 << 30), (3, 2 << 30), (2, 0)):
        directory = tmp_path / f"{threads}-{memory}"
        directory.mkdir()
        _, report, path = extract(directory, pairs, threads=threads, memory=memory)
        contents.add(path.read_bytes())
        assert (report.spilled_bytes > 0) == (memory == 0)
    assert len(contents) == 1


def test_filters_change_no_probability(tmp_path):
    pairs = random_pairs(5, 20)
    every, report, _ = extract(tmp_path, pairs, HieroConfig(max_options=0))
    assert report.rules == report.written
    frequent, _, _ = extract(tmp_path, pairs, HieroConfig(max_options=0, min_count=0.2))
    assert frequent == {
        key: values
        for key, values in every.items()
        if "[1]" not in key[0] or values[0][0] >= np.float32(0.2)
    }
    best, _, _ = extract(tmp_path, pairs, HieroConfig(max_options=2))
    sides = [source for source, _ in best]
    assert max(map(sides.count, sides)) == 2
    assert all(every[key] == values for key, values in best.items())
    rounded, _, _ = extract(tmp_path, pairs, HieroConfig(max_options=0, quantise=True))
    assert rounded.keys() == every.keys()


def test_smoothing_spreads_what_it_takes(tmp_path):
    pairs, discount = random_pairs(6, 30), 0.6
    plain, _, _ = extract(tmp_path, pairs, HieroConfig(max_options=0, discount=0.0))
    smooth, _, _ = extract(tmp_path, pairs, HieroConfig(max_options=0, discount=discount))
    counts = {rule: values[0][0] for rule, values in plain.items()}
    # How many different rules each side is in; a count below one is a part of one.
    partners = [{}, {}]
    totals = [{}, {}]
    for rule, count in counts.items():
        for side in (0, 1):
            partners[side][rule[side]] = partners[side].get(rule[side], 0) + min(1, count)
            totals[side][rule[side]] = totals[side].get(rule[side], 0) + count
    every = sum(min(1, count) for count in counts.values())
    for rule, (_, scores, _) in smooth.items():
        for column, given_side in ((0, 0), (1, 1)):
            given, wanted = rule[given_side], rule[1 - given_side]
            kept = counts[rule] - discount * min(1, counts[rule])
            shared = partners[given_side][given] * partners[1 - given_side][wanted] / every
            expected = (kept + discount * shared) / totals[given_side][given]
            assert scores[column] == pytest.approx(np.log(expected), abs=1e-4)
    assert smooth != plain


def test_real_sentences(data, tmp_path):
    def lines(name):
        return data(name).read_text("utf-8").splitlines()[:40]

    pairs = []
    for source, target, links in zip(
        lines("gold/kftt.ja"), lines("gold/kftt.en"), lines("gold/kftt.links"), strict=True
    ):
        sure = {tuple(map(int, link.split("-"))) for link in links.split() if "-" in link}
        pairs.append((source.split(), target.split(), sure))
    for (source, target, links), number in zip(pairs, range(8), strict=False):
        phrases = hiero.initial_phrases(len(source), len(target), links, 10, True)
        expected = sorted(
            ((*s, *t), [(*a, *b) for a, b in gaps], len(rules))
            for s, t in phrases
            for rules in [hiero.rules_of((s, t), phrases, links)]
            for gaps in rules
        )
        found = _core.extract_rules(len(source), len(target), array(links))
        assert sorted(found) == expected, number


def test_bad_links_are_named(tmp_path):
    bitext, _ = make_bitext(tmp_path, [CAT, CAT])
    outside = Links.of([CAT[2], {(0, 7)}])
    with pytest.raises(InputError, match="sentence pair 2: the link 0-7 points outside"):
        extract_rules(bitext, outside, tmp_path / "t")
    with pytest.raises(InputError, match="equally many"):
        extract_rules(bitext, Links.of([CAT[2]]), tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_sides_without_words_or_links_give_no_rules(tmp_path):
    rules, report, _ = extract(tmp_path, [(["a"], ["x"], {(0, 0)}), (["b", "c"], ["y"], set())])
    assert rules.keys() == {(("a",), ("x",))}
    assert report.instances == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_span", 16),
        ("max_symbols", 0),
        ("max_gaps", 3),
        ("min_gap", 0),
        ("min_count", -1.0),
        ("discount", 1.0),
    ],
)
def test_limits_out_of_range(name, value):
    with pytest.raises(ConfigError, match=f"hiero.{name}"):
        HieroConfig(**{name: value})
