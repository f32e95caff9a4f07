"""What the sources learn from known words: pair by pair, and counted by hand."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest
from tests.unknown.test_sources import table_of

from dragoman._core import build_vocabulary
from dragoman.rules.table import PhraseTable
from dragoman.unknown import copying, letters, parts
from dragoman.unknown.held_out import held_out
from dragoman.unknown.known import KnownWords
from dragoman.unknown.parts import learn_parts
from dragoman.unknown.relatives import learn_rewrites
from dragoman.unknown.sources import NEVER_SEEN
from dragoman.unknown.spelling import learn_edits


class FakeLexicon:
    """How often words were seen, said outright."""

    def __init__(self, counts: dict[int, int], targets: dict[str, int]) -> None:
        self.count, self._targets = counts.__getitem__, targets

    def target_count(self, word: str) -> int:
        return self._targets.get(word, 0)


class Said:
    """Known words whose meanings are said outright: no table rounds them."""

    def __init__(self, words: dict[str, dict[str, float]], shortest: int = 3) -> None:
        self.ids = {word: number for number, word in enumerate(words, 3)}
        self._meanings = {self.ids[word]: list(means.items()) for word, means in words.items()}
        self.shortest = shortest
        self.lexicon = self

    def form_of(self, word: str) -> int:
        return self.ids.get(word, 0)

    def meanings(self, number: int) -> list[tuple[str, float]]:
        return self._meanings[number]

    def short_meanings(self, number: int) -> dict[str, float]:
        return {target: p for target, p in self._meanings[number] if " " not in target}

    def overlap(self, one: int, two: int) -> float:
        other = dict(self._meanings[two])
        return sum(min(p, other.get(target, 0.0)) for target, p in self._meanings[one])


def random_words(chance: random.Random, alphabet: str, longest: int, count: int) -> Said:
    found = {}
    for _ in range(count):
        word = "".join(chance.choices(alphabet, k=chance.randint(2, longest)))
        targets = chance.sample("uvwxyz", chance.choice((1, 1, 2)))
        found[word] = dict.fromkeys(targets, 1 / len(targets))
    return Said(found, chance.randint(1, 3))


def rewrites_pair_by_pair(known: Said, reverse: bool) -> tuple[list, list[list[float]]]:
    turned = {(word[::-1] if reverse else word): number for word, number in known.ids.items()}

    def cuts(word: str) -> range:
        return range(max(known.shortest, len(word) - 5), len(word) + 1)

    families: dict[str, int] = defaultdict(int)
    for word in turned:
        for cut in cuts(word):
            families[word[:cut]] += 1
    totals = [[0.0, 0.0] for _ in range(6)]
    seen: dict[tuple[str, str], list[float]] = defaultdict(list)
    for one, two in combinations(turned, 2):
        for cut in set(cuts(one)) & set(cuts(two)):
            stem, ends = one[:cut], (one[cut:], two[cut:])
            if two[:cut] != stem or families[stem] > 60 or not stem.isalpha():
                continue
            if ends[0][:1].lower() == ends[1][:1].lower():
                continue
            alike = known.overlap(turned[one], turned[two])
            total = totals[min(cut - known.shortest, 5)]
            total[0] += alike
            total[1] += 1
            seen[ends].append(alike)
            seen[ends[::-1]].append(alike)
    rows = [
        (*ends, round(sum(alike) / (len(alike) + 2), 4))
        for ends, alike in seen.items()
        if len(alike) >= 3 and sum(alike) / (len(alike) + 2) >= 0.04
    ]
    rows.sort(key=lambda row: (row[0], -row[2], row[1]))
    best = [row for row in rows if sum(r[0] == row[0] for r in rows[: rows.index(row)]) < 25]
    return best, totals


@pytest.mark.parametrize("seed", range(6))
def test_rewrites_pair_by_pair(seed):
    known = random_words(random.Random(seed), "aAbc", 6, 400)
    learnt = learn_rewrites(known)
    ends, totals = rewrites_pair_by_pair(known, reverse=False)
    beginnings, _ = rewrites_pair_by_pair(known, reverse=True)
    assert learnt["ends"] == ends and len(ends) > 10
    turned = [(old[::-1], new[::-1], good) for old, new, good in beginnings]
    assert learnt["beginnings"] == turned and len(turned) > 10
    assert learnt["shortest_stem"] == known.shortest
    average = (sum(alike for alike, _ in totals) + 1) / (sum(pairs for _, pairs in totals) + 10)
    stems = [(alike + 10 * average) / (pairs + 10) / average for alike, pairs in totals]
    assert learnt["stems"] == pytest.approx(stems, abs=1e-4)


def test_rewrites_by_hand():
    def learnt(*words: str) -> dict[tuple[str, str], float]:
        known = Said({word: {word[0]: 1.0} for word in words})
        return {(old, new): good for old, new, good in learn_rewrites(known)["ends"]}

    three = ("rund", "runde", "bunt", "bunte", "kalt", "kalte")
    # Three pairs that mean the same, against two that are believed not to.
    assert learnt(*three) == {("", "e"): 0.6, ("e", ""): 0.6}
    assert learnt(*three[:4]) == {}  # two pairs are too few
    # Stems that so many words begin with are none: 60 are allowed, 61 are not.
    many = [f"abc{chr(0x100 + 2 * number)}" for number in range(58)]
    assert ("", "e") in learnt(*three, *many, "abc", "abce")
    assert learnt(*three, *many, "abc", "abce")["", "e"] == round(4 / 6, 4)
    assert learnt(*three, *many, "abcz", "abc", "abce")["", "e"] == 0.6
    # What changes is at most five letters, of a stem of three.
    long = [f"{stem}{end}" for stem in ("rot", "gut", "alt") for end in ("", "12345", "123456")]
    assert learnt(*long) == {("", "12345"): 0.6, ("12345", ""): 0.6}


def edits_pair_by_pair(known: Said) -> tuple[dict[tuple[str, str], list[float]], dict]:
    words = [word for word in known.ids if len(word) >= 5 and word.isalpha()]
    buckets: dict[tuple[int, str], list[str]] = defaultdict(list)
    for word in words:
        for place in range(len(word) - 2):
            buckets[place, word[:place] + word[place + 1 :]].append(word)
    edits: dict[tuple[str, str], list[float]] = defaultdict(list)
    sizes: dict[int, list[float]] = defaultdict(list)
    for (place, rest), bucket in buckets.items():
        if len(bucket) > 40:
            continue
        pairs = [(one[place], two[place], one, two) for one, two in combinations(bucket, 2)]
        pairs += [(one[place], "", one, rest) for one in bucket if rest in words]
        for old, new, one, two in pairs:
            alike = known.overlap(known.ids[one], known.ids[two])
            edits[old, new].append(alike)
            edits[new, old].append(alike)
            sizes[min(len(one), 12)].append(alike)
    return edits, sizes


@pytest.mark.parametrize("seed", range(6))
def test_edits_pair_by_pair(seed):
    chance = random.Random(seed)
    known = random_words(chance, "ab", 14 if seed % 2 else 7, 120)
    learnt = learn_edits(known)
    edits, sizes = edits_pair_by_pair(known)
    told = [sizes[length] for length in range(5, 13)]
    average = (sum(map(sum, told)) + 0.5) / (sum(map(len, told)) + 10)

    def rate(alike: list[float]) -> float:
        return (sum(alike) + 3 * average) / (len(alike) + 3)

    assert [edit[:2] for edit in learnt["edits"]] == sorted(edits)
    for old, new, good in learnt["edits"]:
        assert good == pytest.approx(rate(edits[old, new]), abs=1e-4)
    assert learnt["sizes"] == pytest.approx([rate(one) / average for one in told], abs=1e-4)
    assert learnt["other"] == pytest.approx(average, abs=1e-4)
    assert learnt["shortest"] == 5


def alike(words: Iterable[str]) -> Said:
    """Words that all mean the same."""
    return Said({word: {"x": 1.0} for word in words})


def test_edits_by_hand():
    # One pair that means the same; the average is (1 + 0.5) / (1 + 10).
    learnt = learn_edits(Said({"hallo": {"x": 1.0}, "hollo": {"x": 1.0}}))
    average = 1.5 / 11
    good = round((1 + 3 * average) / 4, 4)
    assert learnt["edits"] == [("a", "o", good), ("o", "a", good)]
    assert learnt["other"] == round(average, 4)
    # Strangers, so many that nothing is left but the least.
    other = {"".join(pair) + "zzz": {f"{pair}": 1.0} for pair in combinations("abcdefghij", 2)}
    assert learn_edits(Said(other))["other"] == 0.02
    # Of 41 words that differ in one letter nothing is learnt, of 40 it is.
    letters = [chr(0x3B1 + number) for number in range(17)] + list("abcdefghijklmnopqrstuvwx")
    bucket = [f"{letter}äöüz" for letter in letters]
    assert learn_edits(alike(bucket))["edits"] == []
    assert len(learn_edits(alike(bucket[1:]))["edits"]) == 40 * 39
    # Differences in the last two letters are for relatives, and so are words of four letters.
    assert learn_edits(alike(("abcde", "abcdx", "abcxe")))["edits"] == []
    assert learn_edits(alike(("abcd", "xbcd")))["edits"] == []
    assert learn_edits(alike(("ab3de", "xb3de")))["edits"] == []


# Five compounds, so that a link is seen often enough, and what they are made of.
FIRST = {"holz": "wood", "glas": "glass", "gold": "gold", "eis": "ice", "stein": "stone"}


def compounds(made: dict[str, dict[str, float]]) -> Said:
    words = {word: {target: 1.0} for word, target in FIRST.items()}
    return Said(words | {"haus": {"house": 0.5, "home": 0.5}} | made)


def test_links_sizes_and_patterns_by_hand():
    made = {
        "holzhaus": {"wood house": 1.0},
        "glashaus": {
            "glass home": 0.75,
            "glass": 0.25,
        },  # one alone beside both counts for nothing
        "goldhaus": {"house of gold": 1.0},
        "eishaus": {"icehouse": 1.0},
        "steinhaus": {"castle": 1.0},
    }
    learnt = learn_parts(compounds(made))
    # 1 + 1 + 1 + 1 + 0 of 5, against two that are believed to be wrong.
    assert learnt["links"] == [("", "", round(4 / 7, 4))]
    total = 1 + 0.75 + 1 + 1
    assert learnt["patterns"] == [
        ("1 2", round(1.75 / total, 4)),
        ("12", round(1 / total, 4)),
        ("2 of 1", round(1 / total, 4)),
    ]
    # The shorter part has three letters once, and four in the four others.
    average = 5 / (5 + 5)
    sizes = [(1, 1), (3, 4), (0, 0), (0, 0), (0, 0)]
    assert learnt["sizes"] == [
        round((right + 5 * average) / (tried + 5) / average, 4) for right, tried in sizes
    ]
    assert learnt["shortest_part"] == 3
    # No word that cannot be split has a known part.
    assert learnt["ends"] == learnt["beginnings"] == [0.0] * 5


def test_one_part_alone_counts_a_quarter():
    made = {f"{first}haus": {target: 1.0} for first, target in FIRST.items()}
    made["glashaus"] = {"house": 1.0}
    learnt = learn_parts(compounds(made))
    assert learnt["patterns"] == [("1", 0.25 * 0.8), ("2", 0.25 * 0.2)]


def test_first_parts_lose_and_gain_letters():
    first = {
        "blume": "flower",
        "schule": "school",
        "sonne": "sun",
        "seite": "page",
        "kirche": "church",
    }
    words = {word: {target: 1.0} for word, target in first.items()} | {"haus": {"house": 1.0}}
    made = {f"{word[:-1]}nhaus": {f"{target} house": 1.0} for word, target in first.items()}
    learnt = learn_parts(Said(words | made))
    assert learnt["links"] == [("e", "n", round(5 / 7, 4))]
    made = {f"{word}nhaus": {f"{target} house": 1.0} for word, target in first.items()}
    assert learn_parts(Said(words | made))["links"] == [("", "n", round(5 / 7, 4))]
    # Four are too few.
    del made["blumenhaus"]
    assert learn_parts(Said(words | made))["links"] == []
    # A word that is less than twice as long as the shortest part is no compound.
    short = {"ab": {"x": 1.0}, "cd": {"y": 1.0}, "abcd": {"x y": 1.0}}
    assert learn_parts(Said(short, shortest=2))["sizes"] != learn_parts(Said(short))["sizes"]


def test_the_longest_known_part_may_stand_for_the_whole():
    words = {"haus": {"house": 1.0}, "aus": {"out": 1.0}, "garten": {"garden": 1.0}}
    made = {"xxhaus": {"house": 0.6, "x": 0.4}, "gartenx": {"garden": 1.0}}
    learnt = learn_parts(Said(words | made, shortest=2))
    # "haus", of two letters more than the shortest, is looked at, and "aus" within it is not;
    # but "aus" stands at the end of "haus", where it is the longest.
    assert learnt["ends"] == [0.0, 0.0, round(0.6 / 6, 4), 0.0, 0.0]
    assert learnt["beginnings"] == [0.0, 0.0, 0.0, 0.0, round(1 / 6, 4)]


@pytest.mark.parametrize(
    ("target", "pattern"),
    [
        ("snow table", "1 2"),
        ("table snow", "2 1"),
        ("table of snow", "2 of 1"),
        ("snow", "1"),
        ("table", "2"),
        ("snowtable", "12"),
        ("tablesnow", ""),
        ("other", ""),
        ("snow snow", ""),
        ("a snow table", ""),  # more than the parts at an end
        ("snow on a table", ""),
        ("snow snow table", ""),
    ],
)
def test_patterns(target, pattern):
    assert parts._pattern(target.split(), {"snow": 1.0}, {"table": 1.0}) == pattern


def test_copying_by_hand():
    known = Said({"paris": {"paris": 1.0}, "hund": {"dog": 1.0}, "12": {"12": 0.5, "13": 0.5}})
    known.lexicon = FakeLexicon(
        dict(zip(known.ids.values(), (3, 1, 4), strict=True)), {"paris": 4, "hund": 1, "12": 9}
    )
    expected = [0.2] * 12
    # Paris is known to the target side from elsewhere, since it was seen there more often; the
    # number was seen too often to say anything of words never seen.
    expected[6 + 4] = round((1 + 4 * 0.2) / (1 + 4), 4)
    expected[4] = round((0 + 4 * 0.2) / (1 + 4), 4)
    assert copying.learn_copying(known) == expected
    known.lexicon = FakeLexicon(dict.fromkeys(known.ids.values(), 3), {"paris": 3})
    expected = [0.2] * 12
    expected[4] = round((1 + 4 * 0.2) / (2 + 4), 4)
    expected[0] = round((0.5 + 4 * 0.2) / (1 + 4), 4)
    assert copying.learn_copying(known) == expected


def test_shares_by_hand():
    known = Said({"moskwa": {}, "hund": {}, "katze": {}, "Rom": {}})
    counts = dict(zip(known.ids.values(), (1, 3, 4, 2), strict=True))
    known.lexicon = FakeLexicon(counts, {})
    mined = [("moskwa", "moscow"), ("katze", "cat")]
    # Of two rare words in small letters one is spelt anew; the third is not rare.
    assert letters.shares(known, mined) == [0, 0, 0, 0, round(1 / 3, 4), 0]
    assert letters.shares(known, [("Rom", "Roma")]) == [0, 0, 0, 0.5, 0, 0]


def test_candidates_by_hand():
    means = {"moscow": 0.5, "at moscow": 0.3, "msk": 0.25, "mw": 0.3, "m0scow": 0.4, "moskwa": 1.0}
    known = Said(
        {"a": {"aaa": 1.0}, "ab": {"abc": 1.0}, "moskwa": means, "x" * 24: {"y" * 24: 1.0}}
        | {"x" * 25: {"yyy": 1.0}, "z3": {"zzz": 1.0}, "zzz": {"y" * 25: 1.0, "yyy": 0.2}}
    )
    assert list(letters.candidates(known)) == [
        ("x" * 24, "y" * 24),
        ("moskwa", "moscow"),
        ("moskwa", "msk"),
        ("ab", "abc"),
    ]


def test_letters_are_explained_by_those_near_their_place():
    near, place = letters._band(4, 4)
    # Give or take a quarter of the word, and half a letter.
    assert near.tolist() == [0, 0, 1, 1, 1, 2, 2, 2, 3, 3]
    assert place.tolist() == [0, 1, 0, 1, 2, 1, 2, 3, 2, 3]
    assert [one.tolist() for one in letters._band(1, 3)] == [[0, 0, 0], [0, 1, 2]]


def gains_by_hand(pairs: list[tuple[str, str]]) -> list[float]:
    """IBM Model 1 of letters near each other, in dictionaries."""
    letters_of = sorted({c for _, target in pairs for c in target})
    count = {c: sum(target.count(c) for _, target in pairs) for c in letters_of}
    chance = {c: count[c] / sum(count.values()) for c in letters_of}

    def near(source: str, target: str, j: int) -> list[int]:
        slack = 0.25 + 0.5 / min(len(source), len(target))
        at = (j + 0.5) / len(target)
        return [i for i in range(len(source)) if abs((i + 0.5) / len(source) - at) <= slack]

    table = {(s, t): 1 / len(letters_of) for p, _ in pairs for s in p for t in letters_of}
    for _ in range(4):
        counts = {(s, t): 0.5 * chance[t] for s, t in table}
        for source, target in pairs:
            for j, t in enumerate(target):
                total = sum(table[source[i], t] for i in near(source, target, j))
                for i in near(source, target, j):
                    counts[source[i], t] += table[source[i], t] / total
        sums: dict[str, float] = defaultdict(float)
        for (s, _), value in counts.items():
            sums[s] += value
        table = {(s, t): value / sums[s] for (s, t), value in counts.items()}
    gains = []
    for source, target in pairs:
        logs = []
        for j, t in enumerate(target):
            places = near(source, target, j)
            mean = sum(table[source[i], t] for i in places) / len(places)
            logs.append(math.log(mean / chance[t]))
        gains.append(sum(logs) / len(logs))
    return gains


def test_gains_by_hand():
    chance = random.Random(4)
    pairs = []
    for _ in range(30):
        word = "".join(chance.choices("abc", k=chance.randint(2, 6)))
        pairs.append((word, word.translate(str.maketrans("abc", "xyz"))[: chance.randint(1, 6)]))
    assert letters._gains(pairs) == pytest.approx(gains_by_hand(pairs))


def test_mining_keeps_what_gains_enough_each_time(monkeypatch):
    pairs = [(f"a{number}", "b") for number in range(150)]
    asked = []

    def gains(kept):
        asked.append(len(kept))
        return [{0: 0.2, 1: 0.5, 2: 0.8}.get(int(source[1:]), 1.0) for source, _ in kept]

    monkeypatch.setattr(letters, "_gains", gains)
    assert letters.mine(pairs) == pairs[3:]
    # A third of what is wanted is enough at first, then two thirds: a0, a1 and a2 go in turn.
    assert asked == [150, 149, 148]
    assert letters.mine(pairs[:103]) == pairs[3:103]
    assert letters.mine(pairs[:102]) == []
    assert letters.mine(pairs[3:102]) == []
    asked.clear()
    assert letters.mine(pairs[:99]) == [] and asked == []


def test_known_words_are_the_most_frequent_that_mean_something(tmp_path: Path):
    paths = table_of(tmp_path, [("aaa", "x"), ("Aaa", "y"), ("bbb", "z"), ("c d", "w")])
    table = PhraseTable.open(*paths)
    spelt = [table.source_vocabulary.word(n) for n in range(3, len(table.source_vocabulary))]
    known = KnownWords(table, 1000)
    # "c" and "d" are known in company alone.
    assert sorted(known.ids) == ["Aaa", "aaa", "bbb"]
    assert all(table.source_vocabulary.word(number) == word for word, number in known.ids.items())
    assert list(KnownWords(table, 2).ids) == [w for w in spelt[:2] if w in known.ids]
    assert KnownWords(table, len(spelt)).ids == known.ids


@pytest.mark.parametrize(
    ("words", "shortest"), [(["aaaa", "aaaaa"], 3), (["aaaa", "bbbb"], 1), ([], 1)]
)
def test_the_shortest_part_depends_on_how_long_words_are(words, shortest, tmp_path):
    known = KnownWords(PhraseTable.open(*table_of(tmp_path, [("x", "x")])), 10)
    known.ids = dict.fromkeys(words, 3)
    assert known.shortest == shortest


def test_words_seen_twice_are_held_out_and_those_seen_thrice_are_not():
    vocabulary = build_vocabulary(["a b b c c c"])
    assert held_out(["c", "b", "a", "x"], vocabulary, 3) == [
        (1, f"b{NEVER_SEEN}"),
        (2, f"a{NEVER_SEEN}"),
    ]
    # One is unknown already, so that one more is enough.
    assert held_out(["c", "b", "a", "x"], vocabulary, 2) == [(1, f"b{NEVER_SEEN}")]
