"""Preordering as the paper words it, slowly: pairs are counted one by one, features are text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from statistics import median

# A tree is a word, (tag, word), or (label, left, right).


def leaves(tree: tuple) -> list[tuple[str, str]]:
    return [tree] if len(tree) == 2 else leaves(tree[1]) + leaves(tree[2])


def inner(tree: tuple) -> list[tuple]:
    """Inner nodes, children before parents."""
    return [] if len(tree) == 2 else [*inner(tree[1]), *inner(tree[2]), tree]


def positions(links: Sequence[tuple[int, int]], words: int) -> list[float | None]:
    """The median target position of each word; None without links."""
    found: list[float | None] = []
    for word in range(words):
        targets = [target for source, target in links if source == word]
        found.append(median(targets) if targets else None)
    return found


def concordant(values: Sequence[float | None]) -> int:
    """c(x), over what has a position."""
    present = [value for value in values if value is not None]
    return sum(
        present[i] < present[j] for i in range(len(present)) for j in range(i + 1, len(present))
    )


def node_scores(tree: tuple, values: Sequence[float | None]) -> list[int]:
    """s(v) of every inner node, as section 2.2 defines it."""

    def walk(node: tuple, begin: int) -> Iterator[int]:
        if len(node) == 2:
            return
        split = begin + len(leaves(node[1]))
        end = split + len(leaves(node[2]))
        yield from walk(node[1], begin)
        yield from walk(node[2], split)
        left, right = list(values[begin:split]), list(values[split:end])
        yield concordant(left + right) - concordant(right + left)

    return list(walk(tree, 0))


def orders(tree: tuple) -> Iterator[list[int]]:
    """Every order that turning nodes over can reach: 2 to the number of nodes."""

    def walk(node: tuple, begin: int) -> Iterator[list[int]]:
        if len(node) == 2:
            yield [begin]
            return
        split = begin + len(leaves(node[1]))
        for left, right in product(walk(node[1], begin), list(walk(node[2], split))):
            yield left + right
            yield right + left

    return walk(tree, 0)


def brackets(tree: tuple) -> str:
    return f"({' '.join(part if isinstance(part, str) else brackets(part) for part in tree)})"


def features(tree: tuple) -> list[str]:
    """Table 1 for the topmost node; each template names itself."""
    left, right = leaves(tree[1]), leaves(tree[2])
    found = []

    def both(name: str, a: Sequence[tuple[str, str]], b: Sequence[tuple[str, str]]) -> None:
        tags = ("_".join(tag for tag, _ in a), "_".join(tag for tag, _ in b))
        words = ("_".join(word for _, word in a), "_".join(word for _, word in b))
        found.extend([f"{name} tt {tags}", f"{name} ww {words}", f"{name} ttww {tags} {words}"])

    def one(name: str, span: Sequence[tuple[str, str]]) -> None:
        found.append(f"{name} t {'_'.join(tag for tag, _ in span)}")
        found.append(f"{name} w {'_'.join(word for _, word in span)}")

    one("left", left)
    one("right", right)
    both("whole", left, right)
    for first in range(len(left)):
        one("near left", left[first:])
        for r in range(1, len(right) + 1):
            both("near", left[first:], right[:r])
    for r in range(1, len(right) + 1):
        one("near right", right[:r])
    found.append(f"sigma {brackets(tree)}")
    found += relations(tree)
    found.append(f"sigma_t {structure(tree, words=False)}")
    found.append(f"sigma_w {structure(tree, words=True)}")
    return found


def relations(tree: tuple) -> list[str]:
    found = [f"label {tree[0]}"]

    def walk(node: tuple) -> None:
        if len(node) == 2:
            return
        for child in node[1:]:
            found.append(f"label {child[0]}")
            found.append(f"pair {node[0]}_{child[0]}")
            walk(child)

    walk(tree)
    return found


def structure(tree: tuple, words: bool) -> str:
    if len(tree) == 2:
        return f"({tree[1] if words else tree[0]})"
    label = "" if words else tree[0]
    return f"({label}{structure(tree[1], words)}{structure(tree[2], words)})"
