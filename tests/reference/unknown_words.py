"""What is offered for a word never seen, from the definitions: every change, every split, every
known word is tried."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman._core import word_kind

Meanings = list[tuple[str, float]]
LEAST_KINSHIP, LEAST_TOGETHER = 0.03, 0.2
LEAST_LIKENESS, MOST_EDITS = 0.1, 2
LEAST_SPLIT, ITSELF = 0.08, 0.5
KINDS = 6


def meanings_of(rows: Sequence[tuple[str, dict[str, float]]]) -> Meanings:
    """Of the rows of a word, in the order of the table: (target, natural logs by column)."""
    trust = {"tm.fwd": 0.5, "tm.bwd": 0.25, "lex.fwd": 0.25, "lex.bwd": 0.25}
    worth = [
        (sum(trust.get(name, 0) * value for name, value in scores.items()), -number, target)
        for number, (target, scores) in enumerate(rows)
        if target
    ]
    best = sorted(worth, reverse=True)[:12]
    kept = [(target, math.exp(one - best[0][0])) for one, _, target in best]
    kept = [(target, share) for target, share in kept if share >= 0.02]
    total = sum(share for _, share in kept)
    return [(target, share / total) for target, share in kept]


@dataclass
class Offering:
    """Known words by falling frequency, what they mean, and what was learnt."""

    words: list[str]
    meanings: dict[str, Meanings]
    target_words: set[str]
    knowledge: dict[str, dict]
    copied: list[float]
    hidden: str = ""  # a word that is treated as if it were not known

    def form_of(self, word: str) -> str:
        """The word itself, or in small letters, or the most frequent one that is like it."""
        lower = word.lower()
        known = [one for one in self.words if self.meanings.get(one) and one != self.hidden]
        if word in known:
            return word
        if lower in known:
            return lower
        alike = [one for one in self.words if one.lower() == lower and one != lower]
        return alike[0] if alike and alike[0] in known else ""

    def _ranked(self, found: dict[str, float], most: int) -> list[tuple[str, float]]:
        order = sorted(found.items(), key=lambda item: (-item[1], self.words.index(item[0])))
        return order[:most]

    def relatives(self, word: str, most: int = 8) -> list[tuple[str, float]]:
        how = self.knowledge["relative"]
        shortest = how["shortest_stem"]
        found: dict[str, float] = {}

        def stem_factor(letters: int) -> float:
            if letters < shortest or not how["stems"]:
                return 0.0
            return how["stems"][min(letters - shortest, len(how["stems"]) - 1)]

        def guess(changed: str, goodness: float) -> None:
            known = self.form_of(changed)
            if known and goodness >= LEAST_KINSHIP:
                found[known] = max(found.get(known, 0.0), min(1.0, goodness))

        for old, new, goodness in how["ends"]:
            stem = word.removesuffix(old) if old else word
            if word.endswith(old) and len(stem) >= shortest:
                guess(stem + new, goodness * stem_factor(len(stem)))
        for old, new, first in how["beginnings"]:
            rest = word[len(old) :]
            if not word.startswith(old) or len(rest) < shortest:
                continue
            begun, goodness = new + rest, first * stem_factor(len(rest))
            guess(begun, goodness)
            for end, other, second in how["ends"]:
                stem = begun[: len(begun) - len(end)]
                if not begun.endswith(end) or len(stem) < len(new) + shortest:
                    continue
                if second >= LEAST_TOGETHER / first:
                    guess(stem + other, goodness * second)
        return self._ranked(found, most)

    def near(self, word: str, most: int = 4) -> list[tuple[str, float]]:
        how = self.knowledge["spelling"]
        costs = {(old, new): -math.log(good) for old, new, good in how["edits"]}
        if len(word) < how["shortest"] or not how["sizes"]:
            return []
        factor = how["sizes"][min(len(word) - how["shortest"], len(how["sizes"]) - 1)]

        def cost(old: str, new: str) -> float:
            return 0.0 if old == new else costs.get((old, new), -math.log(how["other"]))

        def distance(known: str) -> float:
            table = {(0, 0): 0.0}
            for i in range(len(word) + 1):
                for d in range(len(known) + 1):
                    if (i, d) == (0, 0) or abs(i - d) > MOST_EDITS:
                        continue
                    table[i, d] = min(
                        table.get((i - 1, d), math.inf) + (cost(word[i - 1], "") if i else 0),
                        table.get((i, d - 1), math.inf) + (cost("", known[d - 1]) if d else 0),
                        table.get((i - 1, d - 1), math.inf)
                        + (cost(word[i - 1], known[d - 1]) if i and d else 0),
                    )
            return table.get((len(word), len(known)), math.inf)

        found = {}
        for known in self.words:
            goodness = factor * math.exp(-distance(known))
            fits = len(known) >= how["shortest"] and self.form_of(known) == known
            if fits and goodness >= LEAST_LIKENESS:
                found[known] = min(1.0, goodness)
        return self._ranked(found, most) if factor > LEAST_LIKENESS else []

    def _short(self, known: str) -> Meanings:
        short = [(target, p) for target, p in self.meanings[known] if " " not in target][:4]
        total = sum(p for _, p in short)
        return [(target, p / total) for target, p in short]

    def _last(self, word: str, hyphened: bool, depth: int) -> tuple[Meanings, float, str]:
        how = self.knowledge["parts"]
        known = self.form_of(word)
        if known:
            return self._short(known), 1.0, word
        means, goodness, spelt = [], 0.0, word
        if len(word) > how["shortest_part"] and (like := self.relatives(word, 1)):
            means, goodness = self._short(like[0][0]), like[0][1]
        if depth > 1 and (again := self._splits(word, depth - 1)) and again[0][2] > goodness:
            one, two, good = again[0]
            mixed = Mixture()
            self._together(again[0], mixed)
            means, goodness = [(t, p / good) for t, p, _ in mixed.best(4)], good
            spelt = f"{one[1]} + {two[2]}"
        if hyphened and goodness < ITSELF:
            means, goodness = [(word, 1.0)], ITSELF
        return means, goodness, spelt

    def _splits(self, word: str, depth: int) -> list[tuple]:
        """(meanings and spelling of the first part, the second part, goodness), three at most."""
        how = self.knowledge["parts"]
        shortest, sizes, found = how["shortest_part"], how["sizes"], []
        for place in range(shortest, len(word) - shortest + 1):
            before, after = word[:place], word[place:]
            for lost, gained, good in how["links"]:
                stem = before[: len(before) - len(gained)]
                if len(stem) < shortest or not before.endswith(gained):
                    continue
                shorter = min(len(stem), len(after)) - shortest
                factor = sizes[min(shorter, len(sizes) - 1)] if sizes else 0.0
                trust = min(1.0, good * factor)
                known = self.form_of(stem + lost)
                itself = not known and gained in ("-", "/")
                if trust < LEAST_SPLIT or not (known or itself):
                    continue
                second = self._last(after, before[-1] in "-/", depth)
                goodness = trust * second[1] * (ITSELF if itself else 1)
                first = [(stem + lost, 1.0)] if itself else self._short(known)
                if goodness >= LEAST_SPLIT and first and second[0]:
                    found.append(((first, before), second, goodness))
        return sorted(found, key=lambda split: -split[2])[:3]

    def _together(self, split: tuple, mixture: Mixture) -> None:
        (first, spelt), (second, _, other), goodness = split
        why = f"{spelt} + {other}"
        for pattern, share in self.knowledge["parts"]["patterns"]:
            for number, part in (("1", first), ("2", second)):
                if pattern == number:
                    for target, p in part:
                        mixture.add(target, share * goodness * p, why)
            if pattern in ("1", "2"):
                continue
            for one, p in first:
                for two, q in second:
                    if pattern == "12":
                        target = one + two
                        if target not in self.target_words:
                            continue
                    else:
                        pieces = {"1": one, "2": two}
                        target = " ".join(pieces.get(x, x) for x in pattern.split())
                    mixture.add(target, share * goodness * math.sqrt(p * q), why)

    def parts(self, word: str, alone: bool) -> Mixture:
        how, mixture = self.knowledge["parts"], Mixture()
        splits, told = self._splits(word, 2), set()
        for split in splits:
            if split[0][1] not in told:
                self._together(split, mixture)
            told.add(split[0][1])
        if splits or not alone or len(word) <= 2:
            return mixture
        for side in ("ends", "beginnings"):
            for size in range(len(word) - 1, how["shortest_part"], -1):
                part = word[-size:] if side == "ends" else word[:size]
                at = min(size - how["shortest_part"], len(how[side]) - 1)
                good = how[side][at] if how[side] else 0.0
                known = self.form_of(part) if good >= LEAST_SPLIT else ""
                if known:
                    why = f"… + {part}" if side == "ends" else f"{part} + …"
                    for target, p in self._short(known):
                        mixture.add(target, good * p, why)
                    break
        return mixture

    def offers(self, word: str, left_out: bool = False) -> list[tuple[str, str, float, str]]:
        """(source, target, probability, why), as the sources answer."""
        kind = word_kind(word)
        self.hidden = word if left_out else ""
        found: list[tuple[str, str, float, str]] = []

        def add(name: str, mixture: Mixture) -> None:
            for target, p, why in mixture.best(5):
                if p >= 1e-3:
                    found.append((name, target, min(1.0, p), why))

        def like(known: list[tuple[str, float]]) -> Mixture:
            mixture = Mixture()
            total = sum(goodness for _, goodness in known)
            for one, goodness in known:
                for target, p in self.meanings[one]:
                    mixture.add(target, p * goodness * known[0][1] / total, f"like {one}")
            return mixture

        if len(word) <= 64 and kind not in (0, 2):
            relatives = self.relatives(word)
            strange = not relatives or relatives[0][1] < 0.3
            add("parts", self.parts(word, strange))
            add("relative", like(relatives))
            if strange:
                add("spelling", like(self.near(word)))
        self.hidden = ""
        known = KINDS if word in self.target_words else 0
        found.append(("copy", word, self.copied[known + kind], "copied"))
        return found


class Mixture:
    """Meanings of several words as one; the first to bring one says why."""

    def __init__(self) -> None:
        self._found: dict[str, list] = {}

    def add(self, target: str, weight: float, why: str) -> None:
        self._found.setdefault(target, [0.0, why])[0] += weight

    def best(self, most: int) -> list[tuple[str, float, str]]:
        order = sorted(self._found.items(), key=lambda item: -item[1][0])
        return [(target, p, why) for target, (p, why) in order[:most]]
