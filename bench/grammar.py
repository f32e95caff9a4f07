"""Permutation trees, grammar factoring, synchronous parsing and ranks of real alignments.

    python bench/grammar.py [permutations] [grammar] [parsing] [alignments]

Without arguments all four. Times are CPU seconds, the best of several runs. The C library is told
to keep the memory it has: else, from some size on, every run fetches and clears its pages anew,
and what is measured is the system. The alignments are
the hand-made ones of the shared data (DRAGOMAN_DATA, or ../shared/data beside the checkout) and,
when fast_align and atools are on PATH, its grow-diag-final-and links of the training texts.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.grammar import (
    Parser,
    alignment_ranks,
    factor,
    grammar_of,
    permutation_tree,
    rank,
)

Permutation = NDArray[np.int64]


def seconds(work: Callable[[], object], runs: int) -> float:
    """The least CPU time of several runs."""
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def simple_permutation(n: int) -> Permutation:
    """Two rising halves interleaved, the upper one first: no proper interval (even n)."""
    permutation = np.empty(n, dtype=np.int64)
    permutation[0::2] = np.arange(n // 2, n)
    permutation[1::2] = np.arange(n // 2)
    return permutation


def outward_chain(n: int) -> Permutation:
    """... 4 2 0 1 3 5 ...: reductions grow from the middle, one after the other."""
    return np.concatenate([np.arange(n - 2 + n % 2, -1, -2), np.arange(1, n, 2)])


def one_sided_chain(n: int) -> Permutation:
    """The left half reduces step by step across the middle; the right half joins at the end."""
    half = n // 2
    step = np.arange(half)
    left = half + (step // 2 + 1) * np.where(step % 2 == 0, 1, -1)
    taken = np.zeros(n, dtype=bool)
    taken[left] = taken[half] = True
    others = np.random.default_rng(1).permutation(np.flatnonzero(~taken))
    return np.concatenate([left[::-1], [half], others])


FAMILIES: dict[str, Callable[[int], Permutation]] = {
    "random": lambda n: np.random.default_rng(1).permutation(n),
    "sorted": np.arange,
    "reversed": lambda n: np.arange(n)[::-1],
    "simple": simple_permutation,
    "outward chain": outward_chain,
    "one-sided chain": one_sided_chain,
}


def bench_permutations(runs: int) -> None:
    sizes = [125_000, 250_000, 500_000, 1_000_000]
    print("permutation trees, CPU seconds (and times the figure for half of n)\n")
    print(f"{'family':<16} {'method':<8}" + "".join(f"{n:>17,}" for n in sizes))
    for name, make in FAMILIES.items():
        for method in ("sorting", "linear"):
            row, before = "", None
            for n in sizes:
                permutation = make(n)
                spent = seconds(
                    lambda p=permutation, m=method: permutation_tree(p, method=m), runs
                )
                growth = f"({spent / before:.2f})" if before else ""
                row += f"{spent:>10.3f} {growth:<6}"
                before = spent
            print(f"{name:<16} {method:<8}{row}")


def bench_grammar(runs: int) -> None:
    del runs
    rules = 1_000_000
    chance = np.random.default_rng(1)
    words = chance.integers(0, 50_000, size=(rules, 3))
    orders = [" ".join(f"X[{k + 1}]" for k in chance.permutation(4)) for _ in range(1000)]
    text = "".join(
        f"X -> X[1] s{a} X[2] X[3] s{b} X[4] | t{c} {orders[i % 1000]} | 0.5\n"
        for i, (a, b, c) in enumerate(words.tolist())
    )
    text += "X -> a | b\n"
    start = time.process_time()
    grammar = grammar_of(text)
    read = time.process_time()
    factoring = factor(grammar)
    factored = time.process_time()
    written = factoring.grammar.to_text()
    end = time.process_time()
    report = factoring.report()
    print(f"\ngrammar of {len(grammar):,} rules, {len(text) / 1e6:.0f} MB of text")
    print(
        f"read {read - start:.1f} s, factor {factored - read:.1f} s, write {end - factored:.1f} s"
    )
    print(f"{len(factoring.grammar):,} rules, {len(written) / 1e6:.0f} MB, ", end="")
    print(f"ranks {report['ranks']['after']}, size ratio {report['size_ratio']:.2f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def zigzag(width: int) -> list[int]:
    """width-1, 0, width-2, 1, ...: factors to rank 2."""
    return [width - 1 - k // 2 if k % 2 == 0 else k // 2 for k in range(width)]


def nested_simple(depth: int) -> list[int]:
    """2 4 1 3 with itself in the place of its last element, `depth` times: factors to rank 4."""
    order = [0]
    for _ in range(depth):
        size = len(order)
        order = [1, size + 2, 0, *(value + 2 for value in order)]
    return order


def bench_parsing(runs: int) -> None:
    """One rule of growing rank over constituents of every size, on both sides independently."""
    print("\nsynchronous parsing, whole rule and factored, CPU seconds\n")
    print(f"{'whole rule':>36}{'factored':>31}")
    print(f"{'rule':<14}{'words':>6}{'rank':>6}{'seconds':>10}{'combinations':>15}", end="")
    print(f"{'rank':>6}{'seconds':>10}{'combinations':>15}{'times faster':>14}")
    cases = [("zigzag", words, zigzag(width)) for words in (8, 12) for width in (2, 4, 6, 8, 10)]
    cases += [("2 4 1 3 nested", 8, nested_simple(depth)) for depth in (1, 2, 3)]
    for name, words, order in cases:
        source = target = " ".join(["a"] * words)
        left = " ".join(f"X[{k + 1}]" for k in range(len(order)))
        right = " ".join(f"X[{k + 1}]" for k in np.argsort(order))
        grammar = grammar_of(
            f"S -> {left} | {right}\n"
            "X -> X[1] W[2] | X[1] W[2] | 0.5\nX -> W[1] | W[1] | 0.5\n"
            'W -> a | a | 0.5\nW -> a | "" | 0.25\nW -> "" | a | 0.25\n'
        )
        results = []
        for factored in (False, True):
            parser = Parser(grammar, factored=factored)
            found = parser.parse(source, target)
            spent = seconds(lambda p=parser, s=source, t=target: p.parse(s, t), runs)
            results.append((spent, found))
        (slow, whole), (fast, parts) = results
        assert np.isclose(whole.log_inside, parts.log_inside, rtol=1e-12)
        print(
            f"{name:<14}{words:>6}{len(order):>6}{slow:>10.3f}{whole.combinations:>15,}"
            f"{rank(order):>6}{fast:>10.3f}{parts.combinations:>15,}{slow / fast:>14.1f}"
        )


def read_links(lines: list[str]) -> tuple[NDArray[np.uint16], NDArray[np.uint64]]:
    """Sure links (i-j) of each line."""
    sets = [[link.split("-") for link in line.split() if link.count("-") == 1] for line in lines]
    offsets = np.cumsum([0, *map(len, sets)]).astype(np.uint64)
    flat = [(int(i), int(j)) for links in sets for i, j in links]
    return np.array(flat, dtype=np.uint16).reshape(-1, 2), offsets


def fast_align_links(source: Path, target: Path, place: Path) -> list[str]:
    """fast_align both ways and grow-diag-final-and."""
    with source.open() as left, target.open() as right, (place / "both").open("w") as both:
        for one, other in zip(left, right, strict=True):
            both.write(f"{one.strip()} ||| {other.strip()}\n")
    for name, reverse in (("forward", []), ("backward", ["-r"])):
        with (place / name).open("w") as out:
            subprocess.run(
                ["fast_align", "-i", str(place / "both"), "-d", "-o", "-v", *reverse],
                stdout=out,
                stderr=subprocess.DEVNULL,
                check=True,
            )
    both_ways = ["-i", str(place / "forward"), "-j", str(place / "backward")]
    done = subprocess.run(
        ["atools", *both_ways, "-c", "grow-diag-final-and"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def alignments(data: Path) -> Iterator[tuple[str, list[str]]]:
    for name in ("hansards", "kftt", "roen", "zhen"):
        path = data / "gold" / f"{name}.links"
        if path.exists():
            yield f"{name}, by hand", path.read_text("utf-8").splitlines()
    if not (shutil.which("fast_align") and shutil.which("atools")):
        print("(fast_align and atools are not on PATH: no links of training texts)")
        return
    for name, pair in (("multi30k", "de-en"), ("kftt", "ja-en"), ("libreoffice", "fr-en")):
        source, target = (data / name / f"train.{side}" for side in pair.split("-"))
        if source.exists() and target.exists():
            with tempfile.TemporaryDirectory() as place:
                yield f"{name} {pair}, gdfa", fast_align_links(source, target, Path(place))


def bench_alignments(runs: int) -> None:
    root = Path(__file__).resolve().parents[1]
    data = Path(os.environ.get("DRAGOMAN_DATA", root.parent / "shared" / "data"))
    print("\nranks of word alignments: share of sentence pairs, in percent\n")
    print(f"{'alignments':<24}{'pairs':>8}{'<=2':>8}{'3':>7}{'4':>7}{'5':>7}{'6-9':>7}", end="")
    print(f"{'>=10':>7}{'pairs/s':>12}")
    for name, lines in alignments(data):
        links, offsets = read_links(lines)
        ranks = alignment_ranks(links, offsets).rank
        spent = seconds(lambda k=links, o=offsets: alignment_ranks(k, o), runs)
        shares = [(ranks <= 2).mean(), *((ranks == k).mean() for k in (3, 4, 5))]
        shares += [((ranks >= 6) & (ranks <= 9)).mean(), (ranks >= 10).mean()]
        row = "".join(f"{100 * share:>{8 if i == 0 else 7}.1f}" for i, share in enumerate(shares))
        print(f"{name:<24}{len(ranks):>8,}{row}{len(ranks) / max(spent, 1e-9):>12,.0f}")


PARTS = {
    "permutations": bench_permutations,
    "grammar": bench_grammar,
    "parsing": bench_parsing,
    "alignments": bench_alignments,
}


def keep_memory() -> None:
    """Begin again with the allocator told so; it reads the environment only at the start."""
    kept = dict.fromkeys(("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"), "4000000000")
    if not kept.keys() <= os.environ.keys():
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | kept)


def main() -> None:
    keep_memory()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    for name in options.parts or PARTS:
        PARTS[name](options.runs)


if __name__ == "__main__":
    main()
