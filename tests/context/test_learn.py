"""A lexicon that looks at the context: against its definition, and on a text made for it."""

import math
import random

import pytest
from tests.reference.context import SlowLexicon
from tests.search.tiny import make

from dragoman._core import (
    AlignedText,
    ContextLexicon,
    ContextOptions,
    ContextTrainer,
    TranslationModel,
)
from dragoman.alignment.aligner import bitext_of
from dragoman.alignment.links import Links
from dragoman.context.config import ContextConfig
from dragoman.context.learn import learn, places
from dragoman.errors import InputError
from dragoman.files import sha256

# A bank of a river is a Ufer, one of money is a Bank; "the" has no translation half of the time.
RIVER = ("the bank of the river", "das Ufer Fluss", [(0, 0), (1, 1), (4, 2)])
MONEY = ("the bank with the money", "die Bank mit Geld", [(0, 0), (1, 1), (2, 2), (4, 3)])


def text(pairs):
    made = bitext_of([source for source, _, _ in pairs], [target for _, target, _ in pairs])
    return made, Links.of([links for _, _, links in pairs])


def lexicon_of(tmp_path, pairs, **settings):
    made, links = text(pairs)
    config = ContextConfig(**{"bits": 14} | settings)
    learnt = learn(made, links, tmp_path / "lexicon.bin", config)
    lexicon = ContextLexicon(str(tmp_path / "lexicon.bin"))

    def probabilities(line):
        return [
            {word: math.exp(value) for word, value in found}
            for found in lexicon.log_probs(made.source_vocabulary, made.target_vocabulary, line)
        ]

    return learnt, probabilities


def random_pair(seed):
    chance = random.Random(seed)
    source = chance.choices(["a", "b", "c", "d"], k=12)
    target = chance.choices(["u", "v", "w", "x", "y", "z"], k=12)
    links = sorted({(chance.randrange(12), chance.randrange(12)) for _ in range(14)})
    return source, target, links


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("window", [0, 2, 20])
def test_learns_what_the_definition_says(tmp_path, seed, window):
    source, target, links = random_pair(seed)
    made, linked = text([(" ".join(source), " ".join(target), links)])
    slow = SlowLexicon(translations=9, window=window, rate=0.2, decay=0.01)
    slow.count([(source, target, links)])
    trainer = ContextTrainer(
        AlignedText(made.native, linked.native),
        len(made.source_vocabulary),
        len(made.target_vocabulary),
        bits=20,
        window=window,
        options=ContextOptions(translations=9, rate=0.2, decay=0.01),
    )
    assert len(trainer) == 1
    for _ in range(4):
        trainer.begin_round()
        log_prob, words = trainer.learn(0, 1)
        assert words == sum(len(slow.counts[word]) > 1 for word in source)
        assert log_prob == pytest.approx(slow.learn(source, target, links), abs=1e-3)
    path = str(tmp_path / "lexicon.bin")
    trainer.save(path)
    for line in (source, source[3:9], ["a"], ["d", "a"]):
        found = ContextLexicon(path).log_probs(
            made.source_vocabulary, made.target_vocabulary, " ".join(line)
        )
        for place, translations in enumerate(found):
            expected = slow.log_probs(line, place)
            assert dict(translations) == pytest.approx(expected, abs=5e-3)


def test_without_steps_translations_are_as_frequent_as_they_were(tmp_path):
    pairs = [("a", "u", [(0, 0)])] * 3 + [("a", "v", [(0, 0)]), ("a b", "w w", [(1, 0)])]
    _, probabilities = lexicon_of(tmp_path, pairs, rate=1e-9)
    [found] = probabilities("a")
    # 3, 1 and 1 of 5, with 0.1 added to each.
    assert found == pytest.approx({"u": 3.1 / 5.3, "v": 1.1 / 5.3, "": 1.1 / 5.3}, rel=1e-3)
    assert probabilities("b") == [{"w": 1.0}]  # the only one that there is
    assert probabilities("stranger") == [{}]


def test_keeps_the_most_frequent_translations(tmp_path):
    pairs = [("a", word, [(0, 0)]) for word in "uuuvvwxyz"]
    _, probabilities = lexicon_of(tmp_path, pairs, translations=2, rate=1e-9)
    assert probabilities("a") == [pytest.approx({"u": 3.1 / 5.2, "v": 2.1 / 5.2}, rel=1e-3)]


def test_the_words_around_decide(tmp_path):
    learnt, probabilities = lexicon_of(tmp_path, [RIVER, MONEY] * 40, passes=5)
    assert learnt.pairs == 80
    assert learnt.words == 80 * 3  # "the" twice and "bank"
    assert probabilities("the bank of the river")[1]["Ufer"] > 0.95
    assert probabilities("the bank with the money")[1]["Bank"] > 0.95
    assert probabilities("a bank : the river")[1]["Ufer"] > 0.7  # not beside it
    assert probabilities("the bank of the river")[3][""] > 0.9


def test_a_window_of_nothing_sees_the_neighbours_only(tmp_path):
    _, probabilities = lexicon_of(tmp_path, [RIVER, MONEY] * 40, passes=5, window=0)
    assert probabilities("the bank of it")[1]["Ufer"] > 0.95
    assert probabilities("bank : : river")[0] == probabilities("bank : : money")[0]


def test_large_texts_are_seen_in_part_and_another_part_each_time(tmp_path):
    learnt, probabilities = lexicon_of(tmp_path, [RIVER, MONEY] * 40, most=100, passes=8)
    assert learnt.pairs == 20
    assert probabilities("the bank of the river")[1]["Ufer"] > 0.8


def test_same_bytes_for_the_same_seed(tmp_path):
    made, links = text([RIVER, MONEY] * 40)
    sums = []
    for name, seed in (("one", 1), ("again", 1), ("two", 2)):
        learn(made, links, tmp_path / name, ContextConfig(bits=14, seed=seed))
        sums.append(sha256(tmp_path / name))
    assert sums[0] == sums[1] != sums[2]


def test_every_pair_is_seen_once_in_a_round(tmp_path):
    made, links = text([RIVER] * 300)
    native = AlignedText(made.native, links.native)
    sizes = len(made.source_vocabulary), len(made.target_vocabulary)
    trainer = ContextTrainer(native, *sizes, bits=12, window=3, options=ContextOptions())
    trainer.begin_round()
    parts = [trainer.learn(begin, begin + 100) for begin in range(0, 300, 100)]
    assert sum(words for _, words in parts) == 600
    assert trainer.learn(300, 400) == (0.0, 0)


def test_what_does_not_belong_together_is_refused(tmp_path):
    made, _ = text([RIVER])
    sizes = len(made.source_vocabulary), len(made.target_vocabulary)
    outside = Links.of([[(0, 7)]])
    with pytest.raises(InputError, match="sentence pair 1: a link points outside"):
        ContextTrainer(
            AlignedText(made.native, outside.native),
            *sizes,
            bits=10,
            window=1,
            options=ContextOptions(),
        )


def test_empty_text_gives_a_lexicon_that_knows_nothing(tmp_path):
    made = bitext_of([], [])
    learnt = learn(made, Links.of([]), tmp_path / "lexicon.bin")
    assert learnt.words == 0
    assert learnt.log_prob == 0
    lexicon = ContextLexicon(str(tmp_path / "lexicon.bin"))
    assert lexicon.log_probs(made.source_vocabulary, made.target_vocabulary, "a b") == [[], []]


def test_a_lexicon_of_another_model_is_refused(tmp_path):
    tiny = tmp_path / "tiny"
    tiny.mkdir()
    make(tiny, 1, context=True)
    lexicon_of(tmp_path, [RIVER, MONEY])
    paths = [str(tiny / name) for name in ("phrases.table", "source.vocab", "target.vocab")]
    TranslationModel(*paths, [], context=str(tiny / "context.bin"))
    with pytest.raises(InputError, match=r"lexicon\.bin"):
        TranslationModel(*paths, [], context=str(tmp_path / "lexicon.bin"))


@pytest.mark.parametrize(
    ("words", "bits"), [(10, 12), (256, 12), (257, 13), (4096, 16), (10**9, 16)]
)
def test_the_table_is_as_large_as_the_text_needs(words, bits):
    """16 places for each word, 2¹² at least, and no more than allowed."""
    assert places(words, 16) == bits
