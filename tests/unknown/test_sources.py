"""Words never seen: what the sources learn, and what they offer."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman._core import MosesImporter, build_vocabulary, word_kind
from dragoman.alignment.aligner import bitext_of
from dragoman.corpus.bitext import Bitext
from dragoman.errors import ModelError
from dragoman.layout import PIECE_FILES, UNKNOWN_FILES
from dragoman.rules.table import PhraseTable
from dragoman.unknown.config import UnknownConfig
from dragoman.unknown.held_out import held_out
from dragoman.unknown.known import KnownWords
from dragoman.unknown.learn import learn
from dragoman.unknown.letters import mine
from dragoman.unknown.parts import learn_parts
from dragoman.unknown.pieces import new_words, pieces_serve, train_pieces, word_pairs
from dragoman.unknown.piecewise import WordPieces
from dragoman.unknown.relatives import learn_rewrites
from dragoman.unknown.sources import MOST_OFFERS, NAMES, NEVER_SEEN, Offer, Sources, contenders

# Adjectives whose endings say nothing, and compounds of a thing and a place.
STEMS = {"rund": "round", "bunt": "colourful", "klein": "small", "stolz": "proud", "kalt": "cold"}
ENDS = ("e", "en", "es")
THINGS = {"schnee": "snow", "wasser": "water", "holz": "wood", "glas": "glass", "metall": "metal"}
PLACES = {"tisch": "table", "haus": "house", "brett": "board", "rad": "wheel"}


def pairs() -> list[tuple[str, str]]:
    found = [(stem + end, target) for stem, target in STEMS.items() for end in ENDS]
    found += [*THINGS.items(), *PLACES.items()]
    found += [
        (thing + place, f"{THINGS[thing]} {PLACES[place]}")
        for number, thing in enumerate(THINGS)
        for place in list(PLACES)[: 2 + number % 2]
    ]
    return [*found, ("paris", "paris"), ("1999", "1999")]


def table_of(directory: Path, entries: list[tuple[str, str]]) -> tuple[Path, Path, Path]:
    importer = MosesImporter("table")
    lines = (f"{source} ||| {target} ||| 1 1 1 1\n" for source, target in sorted(entries))
    importer.add_phrases("".join(lines).encode())
    paths = tuple(directory / name for name in ("table", "source.vocab", "target.vocab"))
    importer.finish(*map(str, paths), [0.2] * 4)
    return paths


def text_of(entries: list[tuple[str, str]]) -> Bitext:
    # Each word twice: none is expected to be new.
    sides = [[entry[side] for entry in entries for _ in range(2)] for side in (0, 1)]
    return bitext_of(*sides)


def learnt_from(entries: list[tuple[str, str]], directory: Path) -> list[Path]:
    """The files of the sources, before which the paths of the table stand."""
    paths = table_of(directory, entries)
    files = [directory / Path(name).name for name in UNKNOWN_FILES]
    learn(PhraseTable.open(*paths), text_of(entries), UnknownConfig(words=1000), files, 1)
    return [*paths, *files]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> KnownWords:
    return KnownWords(PhraseTable.open(*table_of(tmp_path_factory.mktemp("known"), pairs())), 1000)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    paths = learnt_from(pairs(), tmp_path_factory.mktemp("sources"))
    return Sources.open(paths[3:], *paths[:3])


def best(sources: Sources, word: str, name: str) -> tuple[str, str]:
    own = [one for one in sources.offers(word) if one.name == name]
    return (own[0].target, own[0].why) if own else ("", "")


def test_rewrites_are_learnt_where_words_mean_the_same(known):
    ends = {(old, new): good for old, new, good in learn_rewrites(known)["ends"]}
    # Five pairs that mean exactly the same, against two that are believed not to.
    assert ends["", "n"] == ends["n", "s"] == round(5 / 7, 4)
    assert ("", "tisch") not in ends


def test_compounds_teach_patterns(known):
    learnt = learn_parts(known)
    assert [pattern for pattern, _ in learnt["patterns"]][:1] == ["1 2"]
    assert ("", "") in {(lost, gained) for lost, gained, _ in learnt["links"]}


@pytest.mark.parametrize(
    ("word", "name", "target", "why"),
    [
        ("runder", "relative", "", ""),  # no such ending was seen
        ("metallrad", "parts", "metal wheel", "metall + rad"),
        ("glasbunten", "parts", "glass colourful", "glas + bunten"),
        ("2024", "copy", "2024", "copied"),
    ],
)
def test_offers(sources, word, name, target, why):
    assert best(sources, word, name) == (target, why)


def test_a_word_that_is_held_out_is_translated_by_its_relatives(sources):
    assert best(sources, "kalten" + NEVER_SEEN, "relative") == ("cold", "like kalte")
    assert best(sources, "schneetisch" + NEVER_SEEN, "parts") == ("snow table", "schnee + tisch")


def test_every_word_can_be_copied_and_nothing_is_offered_twice(sources):
    for word in ("x", "10,000", "…", "schnee" * 2000, "рус日本a", "ßẞ"):
        offers = sources.offers(word)
        assert [one.target for one in offers if one.name == "copy"] == [word]
        assert len({(one.name, one.target) for one in offers}) == len(offers)
        assert all(math.isfinite(one.log_prob) and one.log_prob <= 0 for one in offers)


@settings(max_examples=150, deadline=None)
@given(word=st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=80))
def test_any_word_gets_sound_offers(sources, word):
    for one in sources.offers(word):
        assert one.target and one.name in NAMES
        assert math.isfinite(one.log_prob) and one.log_prob <= 0
        assert len(one.bilingual) in (0, len(one.target.split()))


def test_vocabularies_of_one_word(tmp_path):
    paths = learnt_from([("a", "b")], tmp_path)
    offers = Sources.open(paths[3:], *paths[:3]).offers("aa")
    assert [one.name for one in offers] == ["copy"]


def test_a_search_takes_the_most_probable_offers_and_copying():
    offers = [Offer(n % 3, f"t{n}", -float(n), (), "") for n in range(30)]
    copy = Offer(NAMES.index("copy"), "w", -99.0, (), "copied")
    assert contenders([*offers[::-1], copy]) == [*offers[:MOST_OFFERS][::-1], copy]
    assert contenders([]) == []


def test_the_words_of_new_text_that_will_be_new():
    assert new_words(build_vocabulary(["a a a b", "c"])) == pytest.approx(2 / 5)
    assert new_words(build_vocabulary([])) == 0
    many = build_vocabulary([f"w{n}" for n in range(2000)])
    assert pieces_serve(many, 1.0) and not pieces_serve(build_vocabulary(["a b c"]), 0.0)


def test_a_script_of_more_letters_than_pieces_has_no_pieces():
    """Words in characters that they share with few: pieces would be these characters."""
    assert not pieces_serve(build_vocabulary([chr(0x4E00 + n) * 2 for n in range(3000)]), 0.5)


def test_what_is_linked_to_the_pieces_of_one_word_is_its_pair():
    links = [(0, 1), (1, 0), (2, 2), (3, 3), (4, 3)]
    found = list(word_pairs([*"abcde"], [*"BACD"], links, [2, 1, 1, 1]))
    # The last word of the target belongs to two words, so to none.
    assert found == [("a b", "B A", ((0, 1), (1, 0))), ("c", "C", ((0, 0),))]
    assert list(word_pairs(["a"], ["A"], [], [1])) == []


class CutAfterFour:
    """Instead of what SentencePiece learns, which takes more text than a test has."""

    model = b"after four letters"

    @classmethod
    def learn(cls, words: object, size: int, *, roughly: bool) -> CutAfterFour:
        return cls()

    @classmethod
    def load(cls, path: Path) -> CutAfterFour:
        assert path.read_bytes() == cls.model
        return cls()

    def cut(self, word: str) -> list[str]:
        return [piece for piece in (word[:4], word[4:]) if piece]


def test_pieces_translate_stems_with_endings_that_they_never_had(tmp_path, monkeypatch):
    for module in ("pieces", "piecewise"):
        monkeypatch.setattr(f"dragoman.unknown.{module}.Pieces", CutAfterFour)
    stems = [a + b + c + d for a in "kt" for b in "ao" for c in "ln" for d in "aeo"]
    ends = [a + "u" + b for a in "bdgvz" for b in "xqjf"]
    entries = [
        (stem + end, f"the-{end} {stem}")
        for stem in stems
        for end in ends
        if (stem, end) != (stems[0], ends[0])
    ]
    text = bitext_of(*([entry[side] for entry in entries * 2] for side in (0, 1)))
    files = [tmp_path / Path(name).name for name in PIECE_FILES]
    assert train_pieces(text, files, 1) > 0
    translated, why = WordPieces(files).translated(stems[0] + ends[0])
    assert why == f"{stems[0]} + {ends[0]}"
    assert f"the-{ends[0]} {stems[0]}" in {target for target, _ in translated}
    assert sum(share for _, share in translated) <= 1
    # The beginning alone may stand for a word whose end was never seen.
    assert WordPieces(files).translated(stems[0] + "???")[0][0][0] == stems[0]
    assert WordPieces(files).translated("日本")[0] == []
    assert WordPieces(files).translated("x" * 10_000) == ([], "")
    assert WordPieces(files).translated("12") == ([], "")


def test_damage_is_said(tmp_path, sources):
    paths = learnt_from(pairs(), tmp_path)
    files, paths = paths[3:], paths[:3]
    content = json.loads(files[0].read_text("utf-8"))
    for damaged, message in (
        ("{", "damaged"),
        (json.dumps(content | {"version": 99}), "another version"),
        (json.dumps(content | {"parts": {}}), "not what training wrote"),
        (json.dumps(content | {"copy": [0.5] * 11}), "one probability is wanted"),
        (json.dumps(content | {"copy": [-1] * 12}), "a number from 0 on"),
        *(
            (json.dumps(content | {name: content[name] | {key: wrong}}), message)
            for name, key, wrong, message in (
                ("parts", "shortest_part", 0, "between 1 and 64 letters"),
                ("parts", "shortest_part", 1 << 63, "between 1 and 64 letters"),
                ("relative", "shortest_stem", 65, "between 1 and 64 letters"),
                ("spelling", "shortest", 0, "between 1 and 64 letters"),
                ("parts", "links", [["", "", math.nan]], "a number from 0 on"),
                ("parts", "patterns", [["1", -0.5]], "a number from 0 on"),
                ("relative", "stems", [math.inf], "a number from 0 on"),
                ("spelling", "other", math.nan, "a number from 0 on"),
            )
        ),
    ):
        files[0].write_text(damaged, "utf-8")
        with pytest.raises(ModelError, match=message):
            Sources.open(files, *paths)


@pytest.mark.parametrize("shares", [None, [0.5] * 5, [2.0] * 6, ["x"] * 6])
def test_shares_of_sound_are_checked(tmp_path, shares):
    whole = learnt_from(pairs(), tmp_path)
    paths, files = whole[:3], whole[3:]
    content = json.loads(files[0].read_text("utf-8"))
    files[0].write_text(json.dumps(content | {"sound": shares}), "utf-8")
    files[1].write_bytes(b"x")  # as if there were a model of letters
    with pytest.raises(ModelError, match="not what training wrote"):
        Sources.open(files, *paths)


def test_what_is_never_copied_is_offered_all_the_same(tmp_path):
    whole = learnt_from(pairs(), tmp_path)
    paths, files = whole[:3], whole[3:]
    content = json.loads(files[0].read_text("utf-8"))
    files[0].write_text(json.dumps(content | {"copy": [0.0] * 12}), "utf-8")
    (*_, last) = Sources.open(files, *paths).offers("xyzzy")
    assert (last.name, last.log_prob) == ("copy", pytest.approx(math.log(1e-4)))


def test_kinds_of_words():
    kinds = [word_kind(word) for word in ("12", "a1", "…", "Paris", "paris", "grün", "東京")]
    assert kinds == [0, 1, 2, 3, 4, 5, 5]


def test_rare_words_are_held_out_until_there_are_enough():
    vocabulary = build_vocabulary(["a a a b b c", "a"])
    lines = ["a b", "a c", "a"]
    assert held_out(lines, vocabulary, 0) == []
    assert held_out(lines, vocabulary, 1) == [(0, f"a b{NEVER_SEEN}")]
    assert held_out(lines, vocabulary, 9) == [(0, f"a b{NEVER_SEEN}"), (1, f"a c{NEVER_SEEN}")]
    assert held_out(["x a c"], vocabulary, 1) == []


def test_transliterations_are_told_from_translations():
    chance = random.Random(1)
    latin, greek = "abcdefghiklmnoprstuz", "αβξδεφγηικλμνοπρστυζ"
    words = ["".join(chance.choices(latin, k=6)) for _ in range(400)]
    alike = [(word, word.translate(str.maketrans(latin, greek))) for word in words]
    other = [(word, target) for word, (_, target) in zip(words, alike[1:], strict=False)][::2]
    mined = mine([*alike, *other])
    right = len(set(mined) & set(alike))
    assert right > 0.9 * len(mined) > 0.7 * len(alike)
    assert mine(alike[:10]) == []
