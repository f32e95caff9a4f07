"""The translation memory against comparing with everything, and its edges by hand."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.reference import memory as reference
from tests.translation.test_memory import best, made

from dragoman.corpus.memory import MemoryWriter, Segment, items_of
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm
from dragoman.translation.config import MemoryOptions
from dragoman.translation.memory import Memory, MemoryUse
from dragoman.translation.source import Source

FORM = TextForm(TextConfig(source_language="en", target_language="fr"))


def source(text: str) -> Source:
    return Source.of_line(text, FORM.protection)


def random_text(chance: random.Random, longest: int = 6) -> str:
    words = ["a", "b", "c", "A", "dd", "3", "4", "15"]
    return " ".join(chance.choices(words, k=chance.randint(1, longest)))


@pytest.mark.parametrize("seed", range(8))
def test_matches_are_those_of_comparing_with_everything(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    # No more different pairs than are looked up, so that none is left out for speed.
    different = [(random_text(chance), random_text(chance)) for _ in range(18)]
    pairs = different + chance.choices(different, k=12)
    memory = made(tmp_path, pairs)
    tried = 0
    for _ in range(100):
        text = random_text(chance) if chance.random() < 0.7 else chance.choice(pairs)[0]
        least, most = chance.choice((30, 50, 70, 75, 100)), chance.choice((1, 2, 3, 9))
        prefer = chance.choice(("frequent", "latest"))
        found = memory.matches(source(text), least=least, most=most, prefer=prefer)  # type: ignore[arg-type]
        told = [(one.score, one.source, one.target, one.count, one.adapted) for one in found]
        assert told == reference.matches(pairs, text, least, most, prefer), (text, least, most)
        tried += len(told)
    assert tried > 60


def test_scores_are_rounded_down(tmp_path: Path) -> None:
    memory = made(tmp_path, [("a b c d e f", "x")])
    # 4 of 6 are the same: 66.67 percent.
    assert best(memory, "a b c d x y", least=60).score == 66
    assert memory.matches(source("a b c d x y"), least=66)[0].score == 66
    assert memory.matches(source("a b c d x y"), least=67) == []


def test_what_is_lost_with_an_item_counts_as_a_wrong_word(tmp_path: Path) -> None:
    memory = made(tmp_path, [("page 3 of 4 here", "page trois of 4 ici")])
    found = best(memory, "page 5 of 6 here")
    assert (found.score, found.target) == (80, "page trois of 6 ici")
    # The same number is not missed.
    assert best(memory, "page 3 of 6 here").score == 100


def test_an_item_that_is_there_twice_is_exchanged_in_its_turn(tmp_path: Path) -> None:
    memory = made(tmp_path, [("from 2 to 2", "de 2 à 2")])
    assert best(memory, "from 7 to 8").target == "de 7 à 8"
    once = made(tmp_path, [("from 2 to 2", "de 2")])
    assert (best(once, "from 7 to 8").target, best(once, "from 7 to 8").score) == ("de 7", 75)


def test_a_word_that_looks_like_the_name_of_an_item_is_a_word(tmp_path: Path) -> None:
    form = TextForm(TextConfig(tokeniser="whitespace"))
    memory = made(tmp_path, [("⟨num⟩ on page 3", "⟨num⟩ en page 3")], form=form)
    found = memory.matches(Source.of_line("⟨num⟩ on page 4"))[0]
    assert (found.score, found.target, found.adapted) == (100, "⟨num⟩ en page 4", True)
    other = memory.matches(Source.of_line("⟨url⟩ on page 4"))[0]
    assert (other.score, other.target) == (75, "⟨num⟩ en page 4")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("page 12 of 3.", ["12", "3"]),
        ("v1 a2b 3c", []),  # parts of words
        ("5 % of 7!", ["5", "7"]),
        ("1" * 20 + " " + "2" * 21, ["1" * 20]),
        ("see https://a.b/c?d=12 , 9", ["https://a.b/c?d=12", "9"]),
        ("10-12", []),
        ("3/4", []),
    ],
)
def test_items(text: str, found: list[str]) -> None:
    items = items_of(text, FORM)
    assert [one.text for one in items] == found
    assert all(text[one.begin : one.end] == one.text for one in items)


def test_segments() -> None:
    segment = Segment.of("Open Page 3 now", FORM)
    assert segment.written == ("Open", "Page", "3", "now")
    assert segment.words == ("open", "page", "⟨num⟩", "now")
    assert segment.mask == "Open Page ⟨num⟩ now"
    assert Segment.of("Open", FORM) == Segment("Open", (), ("Open",), ("open",))


def test_pairs_without_words_or_translation_are_not_kept(tmp_path: Path) -> None:
    memory = made(tmp_path, [("", "x"), ("a", ""), ("b", "y")])
    assert len(memory) == 1
    writer = MemoryWriter(FORM, tmp_path, 2)
    for text in ("a", "b", "c"):
        writer.add(text, text)
    files = [tmp_path / "index2", tmp_path / "vocabulary2"]
    writer.write(files)
    few = Memory(files, FORM)
    assert len(few) == 1 and best(few, "c").target == "c"


def test_what_is_told(tmp_path: Path) -> None:
    memory = made(tmp_path, [("a b 3", "x 3")] * 2)
    assert best(memory, "a c 4", least=50).told() == {
        "score": 66,
        "source": "a b 3",
        "target": "x 4",
        "count": 2,
        "adapted": True,
        "differences": [["same", "a"], ["gone", "b 3"], ["new", "c 4"]],
    }


def test_how_a_memory_is_used(tmp_path: Path) -> None:
    memory = made(tmp_path, [("a b c", "x"), ("a b c", "y"), ("a b c", "y"), ("a b d", "z")])

    def told(**options: object) -> list[str]:
        use = MemoryUse(memory, MemoryOptions(**options))  # type: ignore[arg-type]
        return [one.target for one in use.matches(source("a b c"))]

    assert told(memory_matches="fuzzy", memory_least=60) == ["y", "x", "z"]
    assert told(memory_matches="fuzzy", memory_least=67) == ["y", "x"]
    assert told(memory_matches="exact", memory_least=60) == ["y", "x"]
    assert told(memory_matches="exact", memory_prefer="latest", memory_most=1) == ["y"]
    assert told(memory_matches="fuzzy", memory_least=60, memory_most=1) == ["y"]
    use = MemoryUse(memory, MemoryOptions())
    assert use.knows(source("a b c")) and not use.knows(source("a b e"))
    assert use.text_of(source(" a  b c")) == "a b c"
