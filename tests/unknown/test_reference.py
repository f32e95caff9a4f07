"""What the sources offer, against trying everything (tests/reference/unknown_words.py), and what
they learn, counted by hand and pair by pair."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path

import pytest
from tests.reference.unknown_words import Offering, meanings_of
from tests.unknown.test_sources import NAMES

from dragoman._core import (
    Lexicon,
    MosesImporter,
    PhraseTableFile,
    SourceKnowledge,
    Vocabulary,
    WordSources,
)
from dragoman.rules.table import PhraseTable


def random_word(chance: random.Random, longest: int = 7) -> str:
    # Now and then a letter of several bytes, a capital, a hyphen.
    word = "".join(chance.choices("abäc", k=chance.randint(1, longest)))
    if chance.random() < 0.15:
        at = chance.randrange(len(word))
        word = word[:at] + chance.choice("A-/B") + word[at:]
    return word.capitalize() if chance.random() < 0.1 else word


def random_table(chance: random.Random, place: Path) -> PhraseTable:
    """Few letters, so that words are parts, relatives and neighbours of each other."""
    targets = ["x", "y", "z", "xy", "yx", "the x", "x of z", "zz"]
    lines = []
    for word in sorted({random_word(chance, 5) for _ in range(40)}):
        for target in sorted(chance.sample(targets, chance.choice((1, 1, 2, 4)))):
            scores = " ".join(str(chance.choice((0.01, 0.1, 0.4, 0.5, 0.9))) for _ in range(4))
            lines.append(f"{word} ||| {target} ||| {scores}\n")
    # Known only in company.
    lines += ["ca ab ||| x y ||| 1 1 1 1\n", "ccc bbb ||| y ||| 1 1 1 1\n"]
    importer = MosesImporter("table")
    importer.add_phrases("".join(sorted(set(lines))).encode())
    paths = [place / name for name in ("table", "source.vocab", "target.vocab")]
    importer.finish(*map(str, paths), [0.2] * 4)
    return PhraseTable.open(*paths)


def random_knowledge(chance: random.Random) -> dict[str, dict]:
    def changes(longest: int, count: int) -> list[tuple[str, str, float]]:
        rows = {}
        for _ in range(count):
            old, new = (
                "".join(chance.choices("abäc", k=chance.randint(0, longest))) for _ in "xy"
            )
            if old != new:
                rows[old, new] = round(chance.uniform(0.02, 1), 4)
        return [(*change, good) for change, good in sorted(rows.items())]

    def factors(count: int) -> list[float]:
        return [round(chance.uniform(0.2, 1.6), 3) for _ in range(chance.randint(0, count))]

    links = {
        (chance.choice(("", "", "a", "c")), gained) for gained in ("", "-", "a", "ä", "ab", "/")
    }
    edits = {tuple(chance.choices(["a", "b", "ä", ""], k=2)) for _ in range(6)}
    patterns = chance.sample(["1 2", "2 of 1", "12", "1", "2", "2 1"], 4)
    return {
        "relative": {
            "ends": changes(2, 12),
            "beginnings": changes(2, 8),
            "stems": factors(3),
            "shortest_stem": chance.randint(1, 2),
        },
        "parts": {
            "links": [(*link, round(chance.uniform(0.05, 1), 3)) for link in sorted(links)],
            "sizes": factors(3),
            "shortest_part": chance.randint(1, 3),
            "patterns": [(pattern, round(chance.uniform(0.05, 0.6), 3)) for pattern in patterns],
            "ends": factors(3),
            "beginnings": factors(3),
        },
        "spelling": {
            "edits": [
                (old, new, round(chance.uniform(0.05, 0.9), 3))
                for old, new in sorted(edits)
                if old != new
            ],
            "other": round(chance.uniform(0.05, 0.5), 3),
            "sizes": factors(3),
            "shortest": chance.randint(1, 4),
        },
    }


@pytest.mark.parametrize("seed", range(12))
def test_offers_are_those_of_trying_everything(seed, tmp_path):
    chance = random.Random(seed)
    table = random_table(chance, tmp_path)
    spelt = table.source_vocabulary.word
    words = [spelt(number) for number in range(3, len(table.source_vocabulary))]
    meanings = {}
    lexicon = Lexicon(table.file, table.source_vocabulary, table.target_vocabulary)
    for number, word in enumerate(words, 3):
        rows = [(one.target, one.scores) for one in table.translations(word)]
        meanings[word] = meanings_of(rows) if rows else []
        if rows:
            found = lexicon.meanings(number)
            assert [one for one, _ in found] == [one for one, _ in meanings[word]]
            assert [p for _, p in found] == pytest.approx([p for _, p in meanings[word]])
    target_words = {
        table.target_vocabulary.word(number) for number in range(3, len(table.target_vocabulary))
    }
    asked: Counter[str] = Counter()
    for _ in range(4):
        knowledge = random_knowledge(chance)
        copied = [round(chance.uniform(0.01, 1), 3) for _ in range(12)]
        native = SourceKnowledge()
        native.set_relatives(**knowledge["relative"])
        native.set_parts(**knowledge["parts"])
        native.set_spelling(**knowledge["spelling"])
        native.set_copied(copied)
        sources = WordSources(
            PhraseTableFile(str(tmp_path / "table")),
            Vocabulary.open(str(tmp_path / "source.vocab")),
            Vocabulary.open(str(tmp_path / "target.vocab")),
            native,
        )
        reference = Offering(words, meanings, target_words, knowledge, copied)
        queries = [(random_word(chance, 9), False) for _ in range(30)]
        queries += [(word, True) for word in chance.sample(words, 12)]
        queries += [
            (first + second, False) for first, second in zip(words, words[5:], strict=False)
        ]
        queries += [
            ("xy", False),
            ("12", False),
            ("…", False),
            ("a" * 65, False),
            ("B" * 64, True),
        ]
        for word, left_out in queries:
            found = [
                (NAMES[one.source], one.target, math.exp(one.log_prob), one.why)
                for one in sources.offers(word, left_out)
            ]
            wanted = reference.offers(word, left_out)
            asked.update(one[0] for one in wanted)
            # Of equally probable ones either may come first, by the last bit.
            assert sorted(one[:2] for one in found) == sorted(one[:2] for one in wanted), word
            by_place = {one[:2]: one[2:] for one in wanted}
            for name, target, probability, why in found:
                assert probability == pytest.approx(by_place[name, target][0], rel=1e-5), word
                assert why == by_place[name, target][1]
    assert min(asked[name] for name in NAMES[:4]) >= 10, asked
