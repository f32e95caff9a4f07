"""Permutation trees: how a permutation is composed of smaller ones, by the smallest rank.

>>> str(permutation_tree([7, 1, 4, 6, 3, 5, 8, 2]))
'(7 1 (4 6 3 5) 8 2)'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import InputError

Form = Literal["left-branching", "canonical"]
Method = Literal["auto", "linear", "sorting"]
Kind = Literal["straight", "inverted", "simple"]
KINDS: tuple[Kind, ...] = ("straight", "inverted", "simple")


@dataclass(frozen=True, eq=False)
class PermutationTree:
    """A tree over the positions 0..n-1; inner nodes in post-order, the root last.

    Children below n are leaves (positions), the others inner nodes, numbered from n. Beside each
    child, `order` says which place it takes among its siblings when they are sorted by value.
    """

    permutation: NDArray[np.int32]  # counted from 0
    base: int  # 1 if it was given as 1..n
    child_offsets: NDArray[np.uint32]
    children: NDArray[np.int32]
    order: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    begins: NDArray[np.int32]
    ends: NDArray[np.int32]
    rank: int

    def __len__(self) -> int:
        """The number of inner nodes."""
        return len(self.kinds)

    def children_of(self, node: int) -> NDArray[np.int32]:
        """The children of an inner node, counted from 0."""
        return self.children[self.child_offsets[node] : self.child_offsets[node + 1]]

    def sizes(self) -> NDArray[np.int64]:
        """How many children each inner node has."""
        offsets = self.child_offsets.astype(np.int64)
        return offsets[1:] - offsets[:-1]

    def nodes(self) -> Iterator[dict[str, Any]]:
        """The inner nodes as plain values, for JSON; positions [begin, end) from 0."""
        for node in range(len(self)):
            start, end = int(self.child_offsets[node]), int(self.child_offsets[node + 1])
            yield {
                "kind": KINDS[self.kinds[node]],
                "begin": int(self.begins[node]),
                "end": int(self.ends[node]),
                "order": (self.order[start:end] + self.base).tolist(),
                "children": self.children[start:end].tolist(),
            }

    def __str__(self) -> str:
        """The permutation with a pair of brackets for each node; any depth."""
        leaves = len(self.permutation)
        opened = np.zeros(leaves, dtype=np.int64)
        closed = np.zeros(leaves, dtype=np.int64)
        np.add.at(opened, self.begins, 1)
        np.add.at(closed, self.ends - 1, 1)
        return " ".join(
            "(" * before + str(value) + ")" * after
            for value, before, after in zip(
                (self.permutation + self.base).tolist(),
                opened.tolist(),
                closed.tolist(),
                strict=True,
            )
        )


def permutation_tree(
    permutation: Sequence[int] | NDArray[Any],
    form: Form = "left-branching",
    method: Method = "auto",
) -> PermutationTree:
    """The tree of smallest rank of a sequence that holds 1..n (or 0..n-1), each once.

    Trees differ only in runs of equal binary nodes: `form` draws them left-branching, or
    canonical, each run as one wide node (the tree of strong intervals). `method` is the linear
    one unless "sorting" asks for the merge sort of Gildea, Satta & Zhang (2006), O(n log n);
    both give the same tree.
    """
    if form not in ("left-branching", "canonical"):
        raise ValueError(f"form is left-branching or canonical, not {form!r}")
    if method not in ("auto", "linear", "sorting"):
        raise ValueError(f"method is auto, linear or sorting, not {method!r}")
    values = _as_integers(permutation)
    found = _core.permutation_tree(values, form == "canonical", method == "sorting")
    base = 0 if int(values.min()) == 0 else 1
    return PermutationTree(
        found.permutation,
        base,
        found.child_offsets,
        found.children,
        found.order,
        found.kinds,
        found.begins,
        found.ends,
        found.rank,
    )


def rank(permutation: Sequence[int] | NDArray[Any]) -> int:
    """The width of the widest node in the best tree; 1 for a single element."""
    return permutation_tree(permutation, "canonical").rank


def is_simple(permutation: Sequence[int] | NDArray[Any]) -> bool:
    """Whether no part of it, but single elements and the whole, is an interval of values."""
    tree = permutation_tree(permutation, "canonical")
    wide = len(tree.permutation) > 2
    return len(tree) <= 1 and (not wide or KINDS[tree.kinds[0]] == "simple")


def compose(tree: PermutationTree) -> NDArray[np.int32]:
    """The permutation, from 0, that the orders at the nodes of the tree compose."""
    return _core.compose_tree(len(tree.permutation), tree.child_offsets, tree.children, tree.order)


def _as_integers(permutation: Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
    try:
        values = np.asarray(permutation)
    except ValueError as problem:
        raise InputError(f"not a permutation: {problem}") from problem
    if values.ndim != 1:
        raise InputError(f"a permutation has one dimension, not {values.ndim}")
    if values.size and not np.issubdtype(values.dtype, np.integer):
        raise InputError(f"a permutation holds whole numbers, not {values.dtype}")
    if values.dtype == np.uint64:
        # Values beyond int64 would wrap round to negative ones; they are out of range anyway.
        values = np.minimum(values, np.uint64(np.iinfo(np.int64).max))
    return np.ascontiguousarray(values, dtype=np.int64)
