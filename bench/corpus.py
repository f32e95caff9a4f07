"""How fast and how large `dragoman corpus prepare` runs on a million pairs.

    python bench/corpus.py [--pairs 1000000] [--words 20] [--tokeniser whitespace]

The text is made up (Zipf-distributed words), so that nothing has to be fetched.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np


def write_text(path: Path, pairs: int, words: int, seed: int) -> None:
    """Lines of about `words` words from a vocabulary of 200,000 with Zipf's frequencies."""
    random = np.random.default_rng(seed)
    vocabulary = [f"{np.base_repr(n, 26).lower()}ow{n % 7}" for n in range(200_000)]
    weights = 1 / np.arange(1, len(vocabulary) + 1)
    weights /= weights.sum()
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, pairs, 10_000):
            count = min(10_000, pairs - start)
            lengths = random.poisson(words, count) + 1
            ids = random.choice(len(vocabulary), size=int(lengths.sum()), p=weights)
            at = 0
            for length in lengths:
                file.write(" ".join(vocabulary[i] for i in ids[at : at + length]) + "\n")
                at += length


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--words", type=int, default=20)
    parser.add_argument("--tokeniser", default="whitespace")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for seed, side in enumerate(("s", "t")):
            write_text(place / side, options.pairs, options.words, seed)
        size = sum((place / side).stat().st_size for side in ("s", "t"))
        start = time.perf_counter()
        subprocess.run(
            f"{sys.executable} -m dragoman corpus prepare --quiet "
            f"-s s -t t -o model --tokeniser {options.tokeniser}".split(),
            check=True,
            cwd=place,
        )
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(f"pairs            {options.pairs:>12,}")
    print(f"corpus           {size / 1e6:>12,.0f} MB")
    print(f"seconds          {seconds:>12.1f}")
    print(f"pairs/s          {options.pairs / seconds:>12,.0f}")
    print(f"MB/s             {size / 1e6 / seconds:>12.1f}")
    print(f"peak RSS         {peak / 1e6:>12,.0f} MB  ({peak / size:.2f} of the corpus)")


if __name__ == "__main__":
    main()
