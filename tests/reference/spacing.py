"""White space between tokens, from the definition: every share is counted anew from all pairs of
neighbours. A neighbour is (left token, right token, gap), marks and items by their keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

ALIKE = "\"'`”"
OPENING = {"(", "[", "{", "«", "“", "„", "‘", "‹"}
Pair = tuple[str, str, str]


def keys(tokens: Sequence[str]) -> list[str]:
    """A mark that opens and closes alike closes when an odd number of them went before."""
    found = []
    for place, token in enumerate(tokens):
        if token in ALIKE and len(token) == 1:
            found.append(token + ("(" if tokens[:place].count(token) % 2 == 0 else ")"))
        elif token.startswith("⟨"):
            found.append("⟨" + token.strip("⟨⟩").rstrip("0123456789") + "⟩")
        else:
            found.append(token)
    return found


def kind(key: str, side: int) -> str:
    if key.startswith("⟨") or key[0] in ALIKE or key == "@-@":
        return key
    letter = key[side]
    if letter.isdigit():
        return "digit"
    if letter.isalpha():
        return "unspaced" if "一" <= letter <= "鿿" or "぀" <= letter <= "ヿ" else "letter"
    return letter


def opens(kind_: str) -> bool:
    return kind_ in OPENING or (kind_.endswith("(") and not kind_.startswith("⟨"))


class Counted:
    """What is between tokens, when these pairs were seen."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.pairs = list(pairs)
        self.unspaced = not pairs or any(
            "unspaced" in (kind(left, -1), kind(right, 0)) for left, right, _ in pairs
        )

    def count(self, fits: Callable[[str, str], bool]) -> Counter[str]:
        return Counter(gap for left, right, gap in self.pairs if fits(left, right))

    def guess(self, one: str, two: str) -> dict[str, float]:
        close = self.unspaced and "unspaced" in (one, two)
        start = {"": 0.9, " ": 0.1} if close else {"": 0.1, " ": 0.9}
        first = mixed(
            self.count(lambda a, b: kind(a, -1) == one and opens(kind(b, 0)) == opens(two)), start
        )
        second = mixed(
            self.count(lambda a, b: opens(kind(a, -1)) == opens(one) and kind(b, 0) == two), start
        )
        apart = (1 - first[""]) * (1 - second[""])
        sums = {gap: first.get(gap, 0) + second.get(gap, 0) for gap in {**first, **second}}
        some = sum(value for gap, value in sums.items() if gap)
        return {gap: apart * v / some if gap else 1 - apart for gap, v in sums.items()}

    def by_kinds(self, one: str, two: str) -> Counter[str]:
        return self.count(lambda a, b: (kind(a, -1), kind(b, 0)) == (one, two))

    def token(self, key: str, other: str, *, left: bool) -> Counter[str]:
        """What a token has shown beside a kind; nothing where the kinds say it anyway."""
        if left:
            own = self.count(lambda a, b: a == key and kind(b, 0) == other)
            below = self.by_kinds(kind(key, -1), other)
        else:
            own = self.count(lambda a, b: b == key and kind(a, -1) == other)
            below = self.by_kinds(other, kind(key, 0))
        if not own:
            return own
        gap = max(sorted(below), key=lambda one: (below[one], one))
        sure = below[gap] >= 0.95 * below.total() and own[gap] >= 0.95 * own.total()
        return Counter() if sure else own

    def without_pair(self, left: str, right: str) -> dict[str, float]:
        one, two = kind(left, -1), kind(right, 0)
        below = mixed(self.by_kinds(one, two), self.guess(one, two))
        sides = [
            mixed(self.token(left, two, left=True), below),
            mixed(self.token(right, one, left=False), below),
        ]
        weights = [max(side.values()) ** 4 for side in sides]
        return {
            gap: sum(w * side.get(gap, 0) for w, side in zip(weights, sides, strict=True))
            / sum(weights)
            for gap in {**sides[0], **sides[1]}
        }

    def shares(self, left: str, right: str) -> dict[str, float]:
        below = self.without_pair(left, right)
        own = self.count(lambda a, b: (a, b) == (left, right))
        gap = max(below, key=lambda one: (below[one], one))
        agrees = below[gap] >= 0.8 and own[gap] >= 0.8 * own.total()
        return below if own.total() < 2 or agrees else mixed(own, below)


def mixed(counts: Counter[str], below: dict[str, float]) -> dict[str, float]:
    total = counts.total() + 1
    return {gap: (counts[gap] + below.get(gap, 0)) / total for gap in {**below, **counts}}
