"""Tables counted and scored part by part are those of one builder."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from tests.rules.corpora import Pair, make_bitext
from tests.travelling import Travelling

from dragoman._core import AlignedText, ExtractionOptions, PhraseTableBuilder, WorkResources
from dragoman.corpus.bitext import BitextFiles
from dragoman.errors import InputError
from dragoman.rules.config import HieroConfig, RulesConfig
from dragoman.rules.extract import extract_table
from dragoman.rules.hiero import extract_rules
from dragoman.rules.parts import PartsBuilder, better_in_parts


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr("dragoman.rules.parts.PAIRS", 37)
    monkeypatch.setattr("dragoman.rules.parts.PARTITIONS", 2)


def noise(seed: int, size: int) -> list[Pair]:
    """Sentences of few words, so that phrases recur across parts."""
    chance = random.Random(seed)
    pairs = []
    for _ in range(size):
        source = [f"s{chance.randrange(40)}" for _ in range(chance.randrange(1, 13))]
        target = [f"t{chance.randrange(40)}" for _ in range(chance.randrange(1, 13))]
        links = {
            (min(len(source) - 1, max(0, place + chance.randrange(-1, 2))), place)
            for place in range(len(target))
            if chance.random() < 0.8
        }
        pairs.append((source, target, links))
    return pairs


def files_in(directory: Path) -> BitextFiles:
    return BitextFiles(*(directory / name for name in ("bitext", "source.vocab", "target.vocab")))


PHRASES = [
    RulesConfig(reordering=("word", "phrase", "hierarchical"), smoothing="good-turing"),
    RulesConfig(smoothing="kneser-ney", lexical_weights="links", max_length=3),
    RulesConfig(smoothing="none", reordering=(), significance="lenient"),
]


@pytest.mark.parametrize("config", PHRASES, ids=lambda config: config.smoothing)
def test_phrases(tmp_path, config):
    bitext, links = make_bitext(tmp_path, noise(1, 400))
    whole = extract_table(bitext, links, tmp_path / "whole", config)
    crew = Travelling()
    make = PartsBuilder(crew, files_in(tmp_path), tmp_path / "parts")
    parts = extract_table(bitext, links, tmp_path / "table", config, make=make)
    assert parts == whole
    assert (tmp_path / "table").read_bytes() == (tmp_path / "whole").read_bytes()
    counts = Counter(crew.done)
    assert counts["extract_part"] == 11
    assert counts["count_part"] == counts["total_part"] == counts["score_part"] >= 1


@pytest.mark.parametrize("discount", [0.0, 0.8])
def test_hierarchical_rules(tmp_path, discount):
    bitext, links = make_bitext(tmp_path, noise(2, 400))
    config = HieroConfig(discount=discount, max_span=6)
    whole = extract_rules(bitext, links, tmp_path / "whole", config)
    crew = Travelling()
    make = PartsBuilder(crew, files_in(tmp_path), tmp_path / "parts")
    assert extract_rules(bitext, links, tmp_path / "table", config, make=make) == whole
    assert (tmp_path / "table").read_bytes() == (tmp_path / "whole").read_bytes()
    assert Counter(crew.done)["count_part"] > 1


@pytest.mark.parametrize("step", ["extract_part", "count_part", "total_part", "score_part"])
def test_what_was_interrupted_goes_on(tmp_path, step):
    """Wherever it is stopped, nothing is done twice that was done."""
    bitext, links = make_bitext(tmp_path, noise(3, 500))
    extract_rules(bitext, links, tmp_path / "whole")
    everything = Travelling()
    place = tmp_path / "parts"
    make = PartsBuilder(everything, files_in(tmp_path), tmp_path / "others")
    extract_rules(bitext, links, tmp_path / "table", make=make)

    left = [1]

    def fails(work: str, part: str) -> bool:
        left[0] -= work == step
        return left[0] < 0

    stopped = Travelling(fails)
    with pytest.raises(InterruptedError):
        extract_rules(
            bitext,
            links,
            tmp_path / "table",
            make=PartsBuilder(stopped, files_in(tmp_path), place),
        )
    further = Travelling()
    make = PartsBuilder(further, files_in(tmp_path), place)
    extract_rules(bitext, links, tmp_path / "table", make=make)
    assert (tmp_path / "table").read_bytes() == (tmp_path / "whole").read_bytes()
    assert Counter(stopped.done) + Counter(further.done) == Counter(everything.done)


def test_bad_links_are_told_as_without_parts(tmp_path):
    pairs = [*noise(4, 60), (["a"], ["b"], {(0, 3)})]
    bitext, links = make_bitext(tmp_path, pairs)
    make = PartsBuilder(Travelling(), files_in(tmp_path), tmp_path / "parts")
    problems = []
    for who in (None, make):
        with pytest.raises(InputError, match="^sentence pair 61: the link 0-3") as problem:
            extract_table(bitext, links, tmp_path / "table", make=who)
        problems.append(str(problem.value))
    assert problems[0] == problems[1]


def test_counts_of_other_work_are_refused(tmp_path):
    """Of a text with other partitions, and of another kind of file."""
    builders = []
    for size in (30, 2000):
        (tmp_path / str(size)).mkdir()
        bitext, links = make_bitext(tmp_path / str(size), noise(5, size))
        builder = PhraseTableBuilder(
            AlignedText(bitext.native, links.native),
            ExtractionOptions(),
            "none",
            WorkResources(directory=str(tmp_path)),
        )
        builder.extract(0, 10)
        builders.append((builder, bitext, links))
    path = tmp_path / "counts"
    builders[0][0].put_away_counts(str(path))
    with pytest.raises(InputError, match="counts: not from this work"):
        builders[1][0].take_up_counts(str(path))
    with pytest.raises(InputError, match="bitext"):
        builders[1][0].take_up_counts(str(tmp_path / "30" / "bitext"))


def test_little_is_not_cut():
    assert not better_in_parts(37, Travelling())
    assert better_in_parts(38, Travelling())
