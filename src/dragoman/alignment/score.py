"""How good are links? Precision, recall and alignment error rate against hand-made ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.alignment.links import Links
from dragoman.corpus.read import read_lines
from dragoman.errors import InputError

MOST_POSITION = 65_535  # of a word that can be linked
_LINK = re.compile(r"(\d+)([-?])(\d+)\Z")

Link = tuple[int, int]


@dataclass(frozen=True)
class GoldLinks:
    """Of one sentence pair; sure links are possible too."""

    sure: frozenset[Link]
    possible: frozenset[Link]


@dataclass(frozen=True)
class AlignmentScore:
    """As defined by Och & Ney (2003), over all sentence pairs together."""

    links: int
    sure: int
    links_in_sure: int
    links_in_possible: int

    @property
    def precision(self) -> float:
        """Which share of the links is possible; 1 when there are none."""
        return self.links_in_possible / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        """Which share of the sure links was found; 1 when there are none."""
        return self.links_in_sure / self.sure if self.sure else 1.0

    @property
    def aer(self) -> float:
        """Alignment error rate; lower is better."""
        total = self.links + self.sure
        return 1 - (self.links_in_sure + self.links_in_possible) / total if total else 0.0


def parse_gold(lines: Iterable[str], name: str | Path = "gold") -> list[GoldLinks]:
    """Hand-made links: ``i-j`` sure, ``i?j`` possible, a sentence pair a line."""
    gold = []
    for number, line in enumerate(lines, 1):
        sure, possible = set(), set()
        for token in line.split():
            match = _LINK.match(token)
            if match is None:
                raise InputError.at(
                    name, number, f"{token!r} is not a link; write 3-4 (sure) or 3?4 (possible)"
                )
            link = (int(match[1]), int(match[3]))
            if max(link) > MOST_POSITION:
                raise InputError.at(name, number, f"{token!r}: no sentence has that many words")
            possible.add(link)
            if match[2] == "-":
                sure.add(link)
        gold.append(GoldLinks(frozenset(sure), frozenset(possible)))
    return gold


def read_gold(path: str | Path) -> list[GoldLinks]:
    """Hand-made links from a file."""
    return parse_gold(read_lines(Path(path)), path)


def score(links: Links, gold: Sequence[GoldLinks]) -> AlignmentScore:
    """Compare links with hand-made ones of the same sentence pairs."""
    if len(links) != len(gold):
        raise InputError(
            f"{len(links):,} sentence pairs are aligned, but {len(gold):,} have hand-made links"
        )
    found = sure = in_sure = in_possible = 0
    for rows, one in zip(links, gold, strict=True):
        pairs = {(int(source), int(target)) for source, target in rows}
        found += len(pairs)
        sure += len(one.sure)
        in_sure += len(pairs & one.sure)
        in_possible += len(pairs & one.possible)
    return AlignmentScore(found, sure, in_sure, in_possible)
