"""White space between the tokens of a translation, as the target side of the training text has it.

For each two tokens that stand side by side it is counted what was between them: nothing, a space,
a non-breaking one. What two tokens have never shown is told by what each of them has shown beside
others, and that by the kinds of characters that meet. Marks that open and close alike, as "
does, are told apart by whether an even or an odd number of them went before.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from dragoman.errors import ModelError
from dragoman.files import number_within
from dragoman.text.items import item_kind

# So much of a level's say comes from the one below it, in observations.
_PRIOR = 1.0
# Pairs seen fewer times say no more than their parts do.
_LEAST_PAIRS = 2
# The hyphen inside a word, as models have it: another thing than a dash.
HYPHEN = "@-@"
_ALIKE = frozenset("\"'`”")  # they close what they have opened
_LEFT, _RIGHT, _KINDS, _PAIR = "left", "right", "kinds", "pair"
Counts = dict[str, dict[str, int]]
# Keys of two parts; no token holds white space.
_BETWEEN = " "


class Spacing:
    """Says what belongs between tokens."""

    def __init__(self, levels: Mapping[str, Counts] | None = None) -> None:
        self._levels: dict[str, Counts] = {
            name: dict((levels or {}).get(name, {})) for name in (_PAIR, _LEFT, _RIGHT, _KINDS)
        }
        self._known: dict[tuple[str, str], dict[str, float]] = {}
        # What a kind has shown beside all kinds of one class.
        self._by_class: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        # Whether the text has scripts without spaces; who knows, as long as there is none.
        self._unspaced = not self._levels[_KINDS]
        for key, counts in self._levels[_KINDS].items():
            left, _, right = key.partition(_BETWEEN)
            classes = _class(left), _class(right)
            for beside in ((left, classes[1]), (classes[0], right)):
                self._by_class[beside].update(counts)
            self._unspaced |= "unspaced" in (left, right)

    def shares(self, tokens: Sequence[str]) -> list[dict[str, float]]:
        """What may stand between each two tokens, and with what probability."""
        return [self._between(left, right) for left, right in pairwise(_keys(tokens))]

    def gaps(self, tokens: Sequence[str]) -> list[str]:
        """What most likely stands between each two tokens."""
        return [likeliest(shares) for shares in self.shares(tokens)]

    def _between(self, left: str, right: str) -> dict[str, float]:
        found = self._known.get((left, right))
        if found is None:
            found = self._known[left, right] = self._shares(left, right)
        return found

    def _shares(self, left: str, right: str) -> dict[str, float]:
        kinds = _kind(left, last=True), _kind(right, last=False)
        below = _mixed(self._levels[_KINDS].get(_BETWEEN.join(kinds), {}), self._guess(*kinds))
        by_left = _mixed(self._levels[_LEFT].get(f"{left}{_BETWEEN}{kinds[1]}", {}), below)
        by_right = _mixed(self._levels[_RIGHT].get(f"{kinds[0]}{_BETWEEN}{right}", {}), below)
        # The one that is surer of itself has the greater say: "l'" knows, whatever follows.
        weights = [max(shares.values()) ** 4 for shares in (by_left, by_right)]
        both = {
            gap: (weights[0] * by_left.get(gap, 0.0) + weights[1] * by_right.get(gap, 0.0))
            / sum(weights)
            for gap in {**by_left, **by_right}
        }
        return _mixed(self._levels[_PAIR].get(f"{left}{_BETWEEN}{right}", {}), both)

    def _guess(self, left: str, right: str) -> dict[str, float]:
        """What characters that never met would have between them: nothing, if one of them is
        wont to have that beside the likes of the other (a word beside closing marks, but not
        beside opening ones)."""
        close = self._unspaced and "unspaced" in (left, right)
        classes = _class(left), _class(right)
        unknown = {"": 0.9, " ": 0.1} if close else {"": 0.1, " ": 0.9}
        first = _mixed(self._by_class.get((left, classes[1]), {}), unknown)
        second = _mixed(self._by_class.get((classes[0], right), {}), unknown)
        spaced = (1 - first[""]) * (1 - second[""])
        shares = {gap: first.get(gap, 0.0) + second.get(gap, 0.0) for gap in {**first, **second}}
        total = sum(share for gap, share in shares.items() if gap)
        return {
            gap: spaced * share / total if gap else 1 - spaced for gap, share in shares.items()
        }

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {name: dict(sorted(counts.items())) for name, counts in self._levels.items()}

    @classmethod
    def from_json(cls, value: Any) -> Spacing:
        """From what `to_json` gave."""
        try:
            return cls(
                {
                    level: {
                        _two_parts(key): {
                            gap: int(number_within(count, 1, 1 << 53))
                            for gap, count in counts.items()
                        }
                        for key, counts in entries.items()
                    }
                    for level, entries in value.items()
                }
            )
        except (AttributeError, TypeError, ValueError) as problem:
            raise ModelError(f"the spacing of the target text is damaged: {problem}") from problem


class SpacingLearner:
    """Counts what stands between tokens."""

    def __init__(self) -> None:
        self._pairs: Counter[tuple[str, str, str]] = Counter()

    def update(self, tokens: Sequence[str], gaps: Sequence[str]) -> None:
        """Learn from a line; `gaps` are what stands between its tokens."""
        keys = _keys(tokens)
        self._pairs.update(zip(keys, keys[1:], gaps, strict=False))

    def add(self, other: SpacingLearner, times: int = 1) -> None:
        """Learn what another has learnt; -1 times: forget it."""
        for key, count in other._pairs.items():
            self._pairs[key] += times * count

    def finish(self) -> Spacing:
        """What was learnt; what the levels below would say anyway is left out."""
        levels: dict[str, defaultdict[str, Counter[str]]] = {
            name: defaultdict(Counter) for name in (_PAIR, _LEFT, _RIGHT, _KINDS)
        }
        # Sorted, since the order in which they were met depends on who has counted.
        for (left, right, gap), count in sorted(self._pairs.items()):
            if count == 0:
                continue
            kinds = _kind(left, last=True), _kind(right, last=False)
            levels[_KINDS][_BETWEEN.join(kinds)][gap] += count
            levels[_LEFT][f"{left}{_BETWEEN}{kinds[1]}"][gap] += count
            levels[_RIGHT][f"{kinds[0]}{_BETWEEN}{right}"][gap] += count
            levels[_PAIR][f"{left}{_BETWEEN}{right}"][gap] += count
        kept: dict[str, Counts] = {_KINDS: _plain(levels[_KINDS].items())}
        for name in (_LEFT, _RIGHT):
            kept[name] = _plain(
                (key, counts)
                for key, counts in levels[name].items()
                if not self._said_by_kinds(key, counts, kept[_KINDS], left=name == _LEFT)
            )
        below = Spacing(kept)
        kept[_PAIR] = _plain(
            (key, counts)
            for key, counts in levels[_PAIR].items()
            if counts.total() >= _LEAST_PAIRS and not _agrees(counts, below, key)
        )
        return Spacing(kept)

    @staticmethod
    def _said_by_kinds(key: str, counts: Counter[str], kinds: Counts, *, left: bool) -> bool:
        first, _, second = key.partition(_BETWEEN)
        pair = (_kind(first, last=True), second) if left else (first, _kind(second, last=False))
        below = kinds[_BETWEEN.join(pair)]
        gap = max(below, key=lambda one: (below[one], one))
        # A kind that nearly always does the same needs no witness of each token.
        return below[gap] >= 0.95 * sum(below.values()) and counts[gap] >= 0.95 * counts.total()


def _two_parts(key: str) -> str:
    if len(key.split(_BETWEEN)) != 2 or len(key.split()) != 2:
        raise ValueError(f"{key[:40]!r} is not what meets what")
    return key


def _agrees(counts: Counter[str], below: Spacing, key: str) -> bool:
    left, _, right = key.partition(_BETWEEN)
    shares = below._between(left, right)
    gap = likeliest(shares)
    return shares[gap] >= 0.8 and counts[gap] >= 0.8 * counts.total()


def likeliest(shares: Mapping[str, float]) -> str:
    """The gap with the greatest share."""
    return max(shares, key=lambda gap: (shares[gap], gap))


def _plain(entries: Iterable[tuple[str, Counter[str]]]) -> Counts:
    return {key: dict(sorted(counts.items())) for key, counts in entries}


def _mixed(counts: Mapping[str, int], below: Mapping[str, float]) -> dict[str, float]:
    total = sum(counts.values()) + _PRIOR
    return {
        gap: (counts.get(gap, 0) + _PRIOR * below.get(gap, 0.0)) / total
        for gap in {**below, **counts}
    }


def _keys(tokens: Sequence[str]) -> list[str]:
    """Tokens as they are counted: items by their kind, marks that open and close alike by
    which of the two they do."""
    keys = []
    opened: set[str] = set()
    for token in tokens:
        if token in _ALIKE:
            keys.append(f"{token}{')' if token in opened else '('}")
            opened ^= {token}
        elif token[0] == "⟨" and (kind := item_kind(token)):
            keys.append(f"⟨{kind}⟩")
        else:
            keys.append(token)
    return keys


@lru_cache(1 << 16)
def _kind(key: str, *, last: bool) -> str:
    """The kind of the character of a token that meets the other one."""
    if item_kind(key) or key[:1] in _ALIKE or key == HYPHEN:
        return key
    character = key[-1] if last else key[0]
    category = unicodedata.category(character)
    if category[0] == "M":
        category = "Lo"
    if category == "Nd":
        return "digit"
    if category[0] in "LN":
        return "unspaced" if unspaced(character) else "letter"
    return character


def _class(kind: str) -> str:
    """Marks that open stand otherwise beside words than all else."""
    word = item_kind(kind) or kind in ("letter", "digit", "unspaced")
    opens = kind.endswith("(") or unicodedata.category(kind[0]) in ("Ps", "Pi")
    return "<opening>" if opens and not word else "<other>"


def unspaced(character: str) -> bool:
    """Whether a letter is of a script that puts no spaces between words."""
    code = ord(character)
    return (
        0x0E00 <= code <= 0x0FFF  # Thai, Lao, Tibetan
        or 0x1000 <= code <= 0x109F  # Burmese
        or 0x1780 <= code <= 0x17FF  # Khmer
        or 0x2E80 <= code <= 0x31FF
        or 0x3400 <= code <= 0x4DBF
        or 0x4E00 <= code <= 0x9FFF
        or 0xF900 <= code <= 0xFAFF
        or 0xFF66 <= code <= 0xFF9D
        or 0x20000 <= code <= 0x3FFFF
    )
