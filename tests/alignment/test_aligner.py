"""The aligner against a slow one, on odd corpora, and on real ones."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import ROOT
from tests.reference import aligner as reference

from dragoman._core import AlignmentExamples, AlignmentParameters, AlignTrainer, ParallelText
from dragoman.alignment import (
    NULL_WORD,
    Aligner,
    GoldLinks,
    Links,
    lexical_table_from_links,
    read_gold,
    score,
    train,
    train_model1_table,
)
from dragoman.alignment.aligner import bitext_of
from dragoman.alignment.config import AlignConfig
from dragoman.corpus.bitext import SentenceIds
from dragoman.errors import InputError, ModelError

PHRASEBOOK = ROOT / "examples" / "phrasebook"
SPLITS = ("dev", "train", "test")


def ids_of(sentences):
    return SentenceIds(
        np.array([word for s in sentences for word in s], dtype=np.int32),
        np.cumsum([0, *map(len, sentences)], dtype=np.uint64),
    )


def small_corpus(seed, pairs=12):
    """Words translated by adding 10, some swapped, some lost."""
    dice = random.Random(seed)
    source, target = [], []
    for _ in range(pairs):
        sentence = [dice.randint(3, 9) for _ in range(dice.randint(0, 5))]
        translation = [word + 10 for word in sentence if dice.random() < 0.8]
        if dice.random() < 0.3:
            translation.reverse()
        source.append(sentence)
        target.append(translation)
    return source, target


def random_links(source, target, seed):
    """Sets of sure and of possible links of the first pairs."""
    dice = random.Random(seed)
    examples = []
    for s, t in zip(source[:4], target[:4], strict=True):
        cells = [(i, j) for i in range(len(s)) for j in range(len(t))]
        chosen = [cell for cell in cells if dice.random() < 0.4]
        examples.append((set(chosen[::2]), set(chosen[1::2])))
    return examples


@pytest.mark.parametrize("seed", range(8))
def test_training_agrees_with_the_reference(seed):
    source, target = small_corpus(seed)
    examples = random_links(source, target, seed) if seed % 2 else []
    slow = reference.Reference(source, target, examples=examples, weight=3)
    left, right = ids_of(source), ids_of(target)
    known = [Links.of(one[part] for one in examples) for part in (0, 1)]
    fast = AlignTrainer(
        ParallelText(left.native, right.native),
        AlignmentParameters(),
        AlignmentExamples(known[0].native, known[1].native, 3),
        2,
    )
    for stage in ("model1", "model1", "hmm", "hmm", "hmm"):
        slow.sweep(stage)
        fast.sweep(stage, 0, len(source), 2)
        fast.finish_sweep(stage)
        forward = fast.model(0).lexical_table("forward")
        for (s, t), count in slow.counts.items():
            # Rounding to 1 / 32768 may fall either way when the unrounded numbers differ.
            got = forward.prob(s, t) * slow.totals[0][s]
            assert got == pytest.approx(count, abs=2e-3), (stage, s, t)
    threshold = 0.5
    links = Links(*fast.align(0, len(source), "posterior", threshold, 2))
    for n, (s, t) in enumerate(zip(source, target, strict=True)):
        found = {tuple(map(int, link)) for link in links[n]}
        if n < len(examples):
            assert found == examples[n][0]
            continue
        forward, _, backward, _ = slow.posteriors("hmm", n)
        for i in range(len(s)):
            for j in range(len(t)):
                mean = (forward[j][i] * backward[i][j]) ** 0.5
                if abs(mean - threshold) > 0.02:
                    assert ((i, j) in found) == (mean > threshold)


@pytest.mark.parametrize("seed", range(3))
def test_model1_agrees_with_the_reference(seed):
    source, target = small_corpus(seed)
    expected = reference.model1_table(source, target, 4)
    bitext = bitext_of([" ".join(map(str, s)) for s in source], ["" for _ in target])
    left, right = ids_of(source), ids_of(target)
    bitext = type(bitext)(left, right, bitext.source_vocabulary, bitext.target_vocabulary)
    table = train_model1_table(bitext, "forward", iterations=4, min_probability=0, threads=2)
    for (given_word, word), probability in expected.items():
        row = NULL_WORD if given_word is None else given_word
        assert table.prob(row, word) == pytest.approx(probability, abs=1e-5)
    for given_word in {word for s in source for word in s}:
        total = float(table.row(given_word)[1].sum())
        assert total == pytest.approx(1, abs=1e-4) or total == 0


def test_model1_is_the_same_in_little_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.alignment.lexical.PAIRS_AT_ONCE", 7)
    source, target = small_corpus(1)
    bitext = bitext_of(*([" ".join(map(str, s)) for s in side] for side in (source, target)))
    for direction in ("forward", "backward"):
        for memory, name in ((None, "whole"), (0, "little")):
            table = train_model1_table(bitext, direction, memory=memory, threads=2)
            table.save(str(tmp_path / name))
        assert (tmp_path / "whole").read_bytes() == (tmp_path / "little").read_bytes()


words = st.sampled_from(["a", "b", "c", "d", "e"])
sentences = st.lists(words, max_size=12).map(" ".join)


@settings(deadline=None, max_examples=40)
@given(
    pairs=st.lists(st.tuples(sentences, sentences), max_size=8),
    symmetry=st.sampled_from(
        ["grow-diag-final-and", "intersection", "union", "posterior", "forward", "backward"]
    ),
)
def test_any_corpus_gives_links_inside_its_pairs_whatever_the_threads(pairs, symmetry):
    text = ([source for source, _ in pairs], [target for _, target in pairs])
    config = AlignConfig(symmetry=symmetry, model1_iterations=2, hmm_iterations=2)
    trained = train(text, config, threads=1)
    assert len(trained.links) == len(pairs)
    for (source, target), links in zip(pairs, trained.links, strict=True):
        for i, j in links:
            assert i < len(source.split())
            assert j < len(target.split())
    for threads in (2, 4):
        assert train(text, config, threads=threads).links.to_text() == trained.links.to_text()


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ([], []),
        ([""], [""]),
        (["a"], ["b"]),
        (["a", ""], ["", "b"]),
        (["a " * 500], ["b " * 500]),
        (["a"], ["b " * 100]),
        (["x y z"] * 3, ["x"] * 3),
        (["word"] * 50, ["word"] * 50),
        (["a " * 3000], ["b " * 3000]),
    ],
    ids=["none", "empty", "one", "sides", "long", "ratio", "rare", "vocabulary", "too long"],
)
def test_odd_corpora(source, target):
    trained = train((source, target), threads=2)
    assert len(trained.links) == len(source)
    forward, backward = trained.aligner.lexical_tables()
    for table in (forward, backward):
        for given_word in range(-1, 5):
            assert np.isfinite(table.row(given_word)[1]).all()


def test_a_pair_of_single_words_is_linked():
    assert train((["a"], ["b"])).links.to_text() == "0-0\n"


def test_too_long_pairs_are_reported():
    trained = train((["a " * 3000, "a"], ["b " * 3000, "b"]))
    assert trained.skipped == 1
    assert len(trained.links[0]) == 0


def test_unequal_sides_are_refused():
    with pytest.raises(InputError, match="2 source sentences but 1"):
        train((["a", "b"], ["a"]))


def phrasebook(language):
    lines = []
    for side in ("en", language):
        parts = [(PHRASEBOOK / f"{split}.{side}").read_text("utf-8") for split in SPLITS[1:]]
        lines.append("".join(parts).splitlines())
    return lines[0], lines[1]


def test_the_phrasebook_is_aligned_and_the_aligner_used_again(tmp_path):
    text = phrasebook("fr")
    trained = train(text)
    gold = read_gold(PHRASEBOOK / "test.en-fr.links")
    size = len(gold)
    assert score(trained.links.slice(len(text[0]) - size, len(text[0])), gold).aer <= 0.10

    trained.aligner.save(tmp_path / "aligner")
    loaded = Aligner.load(tmp_path / "aligner")
    pairs = list(zip(text[0][-size:], text[1][-size:], strict=True))
    again = Links.concatenate(list(loaded.align_text(pairs, threads=2)))
    assert score(again, gold).aer <= 0.10
    same = Links.concatenate(list(trained.aligner.align_text(pairs, threads=1)))
    assert same.to_text() == again.to_text()


def test_examples_make_the_rest_of_the_phrasebook_better():
    text = [
        [*(PHRASEBOOK / f"dev.{side}").read_text("utf-8").splitlines(), *lines]
        for side, lines in zip(("en", "ja"), phrasebook("ja"), strict=True)
    ]
    examples, *others = (read_gold(PHRASEBOOK / f"{s}.en-ja.links") for s in SPLITS)
    links = train((text[0], text[1]), examples=examples).links
    assert score(links.slice(0, len(examples)), examples).aer == 0
    rest = links.slice(len(examples), len(links))
    assert score(rest, [*others[0], *others[1]]).aer <= 0.10


@settings(deadline=None, max_examples=40)
@given(
    pairs=st.lists(st.tuples(sentences, sentences), min_size=1, max_size=8),
    dice=st.randoms(use_true_random=False),
)
def test_any_examples_are_kept_whatever_the_threads(pairs, dice):
    text = ([source for source, _ in pairs], [target for _, target in pairs])
    examples = []
    for source, target in pairs[: dice.randint(1, len(pairs))]:
        cells = [(i, j) for i in range(len(source.split())) for j in range(len(target.split()))]
        possible = frozenset(cell for cell in cells if dice.random() < 0.5)
        sure = frozenset(cell for cell in sorted(possible) if dice.random() < 0.5)
        examples.append(GoldLinks(sure, possible))
    trained = train(text, examples=examples, threads=1)
    for one, links in zip(examples, trained.links, strict=False):
        assert {(int(i), int(j)) for i, j in links} == one.sure
    for table in trained.aligner.lexical_tables():
        assert all(np.isfinite(table.row(word)[1]).all() for word in range(-1, 8))
    for threads in (2, 4):
        again = train(text, examples=examples, threads=threads)
        assert again.links.to_text() == trained.links.to_text()


def test_lexical_tables_from_links():
    bitext = bitext_of(["the house", "the"], ["la maison", "la"])
    links = Links.parse(["0-0 1-1", ""])
    table = lexical_table_from_links(bitext, links, "forward")
    the, la = bitext.source_vocabulary.find("the"), bitext.target_vocabulary.find("la")
    assert table.prob(the, la) == 1
    assert table.prob(NULL_WORD, la) == 1
    house = bitext.source_vocabulary.find("house")
    backward = lexical_table_from_links(bitext, links, "backward")
    assert backward.prob(bitext.target_vocabulary.find("maison"), house) == 1
    assert list(table.probs(np.array([the], np.int32), np.array([house], np.int32))) == [
        table.prob(the, house)
    ]


def test_a_directory_without_an_aligner_is_refused(tmp_path):
    with pytest.raises(ModelError, match="no aligner"):
        Aligner.load(tmp_path)


def test_a_damaged_aligner_is_refused(tmp_path):
    train((["a b"], ["c d"])).aligner.save(tmp_path)
    path = tmp_path / "aligner"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match="damaged"):
        Aligner.load(tmp_path)


# What eflomal 2.0 reaches with grow-diag-final-and (bench/align.py prints both).
@pytest.mark.parametrize(
    ("name", "languages", "bound"), [("roen", "ro en", 0.3765), ("zhen", "zh en", 0.3301)]
)
def test_gold_sets_alone(data, name, languages, bound):
    source, target = (
        data(f"gold/{name}.{language}").read_text("utf-8").splitlines()
        for language in languages.split()
    )
    trained = train((source, target))
    assert score(trained.links, read_gold(data(f"gold/{name}.links"))).aer <= bound
