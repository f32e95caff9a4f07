"""Tables built by the package against counts and formulas done slowly."""

import math
from itertools import islice

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.reference import phrases as reference
from tests.rules.corpora import make_bitext

from dragoman._core import PhraseTableFile, build_vocabulary
from dragoman.alignment.lexical import lexical_table_from_links, train_model1_table
from dragoman.alignment.links import Links
from dragoman.errors import FileError, InputError, ModelError
from dragoman.rules.config import RulesConfig
from dragoman.rules.extract import extract_table
from dragoman.rules.table import PhraseTable, reordering_features

pytestmark = pytest.mark.slow

ALL = RulesConfig(reordering=reference.KINDS, smoothing="none")
HAND = [
    (["das", "haus"], ["the", "house"], {(0, 0), (1, 1)}),
    (["das", "haus"], ["the", "house"], {(0, 0), (1, 1)}),
    (["ein", "haus"], ["a", "house"], {(0, 0), (1, 1)}),
    (["das", "buch", "da"], ["that", "book"], {(0, 0), (1, 1)}),
]


def build(directory, pairs, config=ALL, **options):
    bitext, links = make_bitext(directory, pairs)
    path = directory / "table"
    # The tables of the links, which the slow reference can make too.
    lexical = tuple(lexical_table_from_links(bitext, links, d) for d in ("forward", "backward"))
    report = extract_table(bitext, links, path, config, lexical=lexical, **options)
    return report, PhraseTable(
        PhraseTableFile(str(path), True), bitext.source_vocabulary, bitext.target_vocabulary
    )


def rows_of(table):
    """Every row of the table by its phrase pair."""
    sources = table.file.sources(0, table.file.first_words)
    result = {}
    for number, (begin, end) in enumerate(sources.rows.tolist()):
        words = sources.ids[int(sources.offsets[number]) : int(sources.offsets[number + 1])]
        source = tuple(table.source_vocabulary.decode(words).split())
        assert table.file.find(words) == (begin, end)
        for row in range(begin, end):
            translation = table.translation(row)
            result[source, tuple(translation.target.split())] = translation
    assert len(result) == len(table)
    return result


def test_a_pair_that_counts_twice_is_a_pair_that_stands_there_twice(tmp_path):
    (tmp_path / "once").mkdir()
    _, counted = build(tmp_path / "once", HAND[1:], times=[2, 3, 1])
    _, repeated = build(tmp_path, [HAND[1]] * 2 + [HAND[2]] * 3 + [HAND[3]])
    wanted = rows_of(repeated)
    assert max(row.count for row in wanted.values()) == 5
    for pair, row in rows_of(counted).items():
        same = wanted.pop(pair)
        assert (row.count, row.source_count, row.target_count) == (
            same.count, same.source_count, same.target_count,
        )  # fmt: skip
        for kind in reference.KINDS:
            for name in reordering_features(kind):
                assert row.scores[name] == same.scores[name]
    assert not wanted
    with pytest.raises(InputError, match="2 counts for 3 sentence pairs"):
        build(tmp_path / "once", HAND[1:], times=[2, 3])
    with pytest.raises(InputError, match="at least once"):
        build(tmp_path / "once", HAND[1:], times=[2, 0, 1])


def check_against_reference(table, pairs, config):
    expected = reference.count(pairs, config.max_length)
    probabilities = reference.probabilities(expected, config.smoothing)
    forward, backward = reference.link_lexicon(pairs)
    rows = rows_of(table)
    assert rows.keys() == expected.keys()
    source_totals, target_totals = {}, {}
    for (source, target), entry in expected.items():
        source_totals[source] = source_totals.get(source, 0) + entry.joint
        target_totals[target] = target_totals.get(target, 0) + entry.joint
    for (source, target), entry in expected.items():
        row = rows[source, target]
        assert row.count == entry.joint
        assert row.source_count == source_totals[source]
        assert row.target_count == target_totals[target]
        assert row.alignment == entry.alignment
        links = list(entry.alignment)
        flipped = [(j, i) for i, j in links]
        if config.lexical_weights == "viterbi":
            lexical = (
                reference.viterbi_weight(forward, source, target),
                reference.viterbi_weight(backward, target, source),
            )
        else:
            lexical = (
                reference.link_weight(forward, source, target, links),
                reference.link_weight(backward, target, source, flipped),
            )
        direct, inverse = probabilities[source, target]
        assert [row.scores[name] for name in ("tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd")] == (
            pytest.approx([math.log(direct), math.log(inverse), *lexical], rel=1e-5, abs=1e-6)
        )
        for kind in config.reordering:
            smoothed = [
                math.log(
                    (entry.orientations[kind, direction, orientation] + 0.5) / (entry.joint + 1.5)
                )
                for direction in (reference.BACKWARD, reference.FORWARD)
                for orientation in range(3)
            ]
            assert [row.scores[name] for name in reordering_features(kind)] == pytest.approx(
                smoothed, rel=1e-5
            )


def test_by_hand(tmp_path):
    report, table = build(tmp_path, HAND)
    assert report.sentence_pairs == 4
    assert report.phrase_pairs == report.written == len(table)
    das = table.translations("das")
    assert [t.target for t in das] == ["the", "that"]
    assert das[0].count == 2
    assert das[0].source_count == 3
    assert das[0].scores["tm.fwd"] == pytest.approx(math.log(2 / 3))
    assert das[0].scores["tm.bwd"] == pytest.approx(0)
    # Both stand at the begin of the sentence, and "house" follows in order.
    assert das[0].scores["reorder.hierarchical.backward.monotone"] == pytest.approx(
        math.log(2.5 / 3.5)
    )
    assert das[0].scores["reorder.word.forward.swap"] == pytest.approx(math.log(0.5 / 3.5))
    assert [t.target for t in table.translations("buch da")] == ["book"]
    assert table.translations("das haus")[0].alignment == ((0, 0), (1, 1))
    assert table.translations("nie gesehen") == []
    assert table.translations("") == []
    estimates = [table.estimate(t) for t in das]
    assert estimates == sorted(estimates, reverse=True)


def test_without_tables_viterbi_weights_are_those_of_model_1(tmp_path):
    bitext, links = make_bitext(tmp_path, HAND)
    extract_table(bitext, links, tmp_path / "table")
    table = PhraseTable.open(*(tmp_path / n for n in ("table", "source.vocab", "target.vocab")))
    forward = train_model1_table(bitext, "forward")
    haus, house = bitext.source_vocabulary.find("haus"), bitext.target_vocabulary.find("house")
    best = max(forward.prob(haus, house), forward.prob(-1, house))
    assert table.translations("haus")[0].scores["lex.fwd"] == pytest.approx(math.log(best))


def test_all_spans_of_a_sentence_are_found_together(tmp_path):
    _, table = build(tmp_path, HAND)
    sentence = table.ids("ein haus das buch")
    spans = table.file.spans(sentence)
    assert [(span.begin, span.end) for span in spans] == [
        (0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4)
    ]  # fmt: skip
    for span in spans:
        assert table.file.find(sentence[span.begin : span.end]) == span.rows


WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=6)


@st.composite
def sentence_pairs(draw):
    source, target = draw(WORDS), draw(WORDS)
    places = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return source, target, draw(st.sets(places, max_size=8))


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(sentence_pairs(), min_size=1, max_size=6),
    st.sampled_from(["none", "good-turing", "kneser-ney"]),
    st.sampled_from(["viterbi", "links"]),
    st.sampled_from([1, 2, 3, 7, 10]),
)
def test_random_corpora_agree_with_the_formulas(
    tmp_path_factory, pairs, smoothing, lexical_weights, longest
):
    config = RulesConfig(
        max_length=longest,
        smoothing=smoothing,
        lexical_weights=lexical_weights,
        reordering=reference.KINDS,
    )
    _, table = build(tmp_path_factory.mktemp("corpus"), pairs, config)
    check_against_reference(table, pairs, config)


def gold_pairs(data, count):
    """Real sentences with links made by people."""
    pairs = []
    for name, source, target in (("hansards", "en", "fr"), ("zhen", "zh", "en")):
        files = [data(f"gold/{name}.{end}").open(encoding="utf-8") for end in (source, target)]
        links_file = data(f"gold/{name}.links").open(encoding="utf-8")
        for here, there, links in zip(*files, links_file, strict=True):
            words = here.split(), there.split()
            if max(map(len, words)) <= 30:
                parsed = {tuple(map(int, t.replace("?", "-").split("-"))) for t in links.split()}
                pairs.append((*words, parsed))
        for file in (*files, links_file):
            file.close()
    return list(islice(pairs, count))


def test_500_real_pairs_agree(tmp_path, data):
    pairs = gold_pairs(data, 500)
    assert len(pairs) == 500
    _, table = build(tmp_path, pairs, ALL, threads=2)
    check_against_reference(table, pairs, ALL)


def repeated(pairs, times):
    return [([w + str(k % 7) for w in s], t, links) for k in range(times) for s, t, links in pairs]


@pytest.mark.parametrize("smoothing", ["none", "good-turing"])
def test_same_bytes_for_any_threads_and_memory(tmp_path, smoothing):
    pairs = repeated(HAND, 3000)
    config = RulesConfig(smoothing=smoothing, reordering=reference.KINDS)
    contents = set()
    spilled = []
    for number, (threads, memory) in enumerate([(1, 1 << 30), (2, 1 << 30), (3, 1000)]):
        directory = tmp_path / str(number)
        directory.mkdir()
        report, _ = build(directory, pairs, config, threads=threads, memory=memory)
        contents.add((directory / "table").read_bytes())
        spilled.append(report.spilled_bytes)
        assert not list(directory.glob("spool*"))
    assert len(contents) == 1
    assert spilled[0] == spilled[1] == 0
    assert spilled[2] > 0


def test_empty_alignments_make_an_empty_table(tmp_path):
    report, table = build(tmp_path, [(["a"], ["b"], set())] * 3)
    assert report.phrase_pairs == len(table) == 0
    assert table.translations("a") == []


def test_links_that_do_not_fit_are_refused_and_nothing_is_left(tmp_path):
    bitext, links = make_bitext(tmp_path, HAND)
    before = sorted(tmp_path.iterdir())
    outside = Links(links.array.copy(), links.offsets)
    outside.array[4] = (9, 0)
    with pytest.raises(InputError, match="sentence pair 3: the link 9-0 points outside"):
        extract_table(bitext, outside, tmp_path / "table")
    more = Links(links.array, np.append(links.offsets, links.offsets[-1]))
    with pytest.raises(InputError, match="4 sentence pairs but 5 lines of links"):
        extract_table(bitext, more, tmp_path / "table")
    assert sorted(tmp_path.iterdir()) == before


def test_a_missing_directory_is_a_file_error(tmp_path):
    bitext, links = make_bitext(tmp_path, HAND)
    with pytest.raises(FileError, match="nowhere"):
        extract_table(bitext, links, tmp_path / "nowhere" / "table")


def test_another_vocabulary_is_refused(tmp_path):
    build(tmp_path, HAND)
    build_vocabulary(["something else"]).save(str(tmp_path / "other.vocab"))
    files = (tmp_path / "table", tmp_path / "other.vocab", tmp_path / "target.vocab")
    with pytest.raises(ModelError, match="source vocabulary of 8 words, but the one given has"):
        PhraseTable.open(*files)


@pytest.mark.parametrize("place", [100, 1000, -1])
def test_damage_is_noticed(tmp_path, place):
    build(tmp_path, HAND)
    content = bytearray((tmp_path / "table").read_bytes())
    content[place] ^= 0x55
    (tmp_path / "table").write_bytes(content)
    with pytest.raises(InputError, match="table"):
        PhraseTableFile(str(tmp_path / "table"), True)
    (tmp_path / "table").write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="cut or added to"):
        PhraseTableFile(str(tmp_path / "table"))


def test_rows_outside_the_table(tmp_path):
    _, table = build(tmp_path, HAND)
    for read in (table.file.target, table.file.alignment, table.file.counts):
        with pytest.raises(IndexError):
            read(len(table))
    with pytest.raises(IndexError):
        table.file.scores(0, len(table) + 1)
    with pytest.raises(IndexError):
        table.file.reordering(0, 1, 3)
