"""What each stage of training costs a pair, from a hundred thousand pairs on.

    python bench/scale.py [--pairs 100000 300000 1000000] [--threads 1] [--memory 2G]
                          [--cluster local:2] [--join 2] [--rounds 2]

Pairs are made by joining sentences of Tatoeba, German and English, drawn at random: so phrases are
real, and however many are asked for, no two are alike. A stage is linear when a pair costs the
same at any size; its growth is the exponent of the last two sizes, and one above 1.1 is marked.
Prints processor seconds of this process (workers of a cluster are counted apart), microseconds a
pair, and the most memory each stage held. Data: DRAGOMAN_DATA or ../shared/data beside the
checkout.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from programs import run

DATA = Path(
    os.environ.get("DRAGOMAN_DATA", Path(__file__).resolve().parents[1].parent / "shared" / "data")
)
LANGUAGES = ("de", "en")
STEEP = 1.1


def joined_pairs(count: int, join: int, seed: int = 26) -> Iterator[tuple[str, str]]:
    """So many pairs, each of 1 to 2 * join - 1 pairs of Tatoeba."""
    sides = [
        (DATA / "tatoeba" / f"train.{language}").read_text("utf-8").split("\n")[:-1]
        for language in LANGUAGES
    ]
    chance = random.Random(seed)
    size = len(sides[0])
    for _ in range(count):
        chosen = [chance.randrange(size) for _ in range(chance.randint(1, 2 * join - 1))]
        source, target = (" ".join(side[place] for place in chosen) for side in sides)
        yield source, target


def write_text(place: Path, count: int, join: int) -> list[Path]:
    paths = [place / f"{count}.{language}" for language in LANGUAGES]
    with (
        paths[0].open("w", encoding="utf-8") as source,
        paths[1].open("w", encoding="utf-8") as target,
    ):
        for one, other in joined_pairs(count, join):
            source.write(f"{one}\n")
            target.write(f"{other}\n")
    return paths


def train(place: Path, count: int, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    texts = write_text(place, count, arguments.join)
    config = place / "config.toml"
    config.write_text(f"[tune]\nmax_iterations = {arguments.rounds}\n", "utf-8")
    report = place / "report.json"
    options = ["--threads", arguments.threads, "--config", config, "--json"]
    if arguments.memory:
        options += ["--memory", arguments.memory]
    if arguments.cluster:
        options += ["--cluster", arguments.cluster]
    model = place / f"model.{count}"
    took = run(
        [
            *(sys.executable, "-m", "dragoman", "train", "-s", texts[0], "-t", texts[1]),
            *("--from", LANGUAGES[0], "--to", LANGUAGES[1], "-o", model, *options),
        ],
        stdout=[report],
    )
    print(
        f"{count:>10,} pairs {took.cpu:9.1f} s of all processors {took.wall:9.1f} s "
        f"{took.peak / 1e6:7,.0f} MB at most"
    )
    outcomes: list[dict[str, Any]] = json.loads(report.read_text("utf-8"))
    return outcomes


def show(sizes: list[int], runs: list[list[dict[str, Any]]]) -> None:
    print(
        f"{'stage':12}" + "".join(f"{size:>12,} us/pair{'MB':>7}" for size in sizes) + "  growth"
    )
    for stages in zip(*runs, strict=True):
        row = f"{stages[0]['stage']:12}"
        for size, stage in zip(sizes, stages, strict=True):
            each = stage["processor"] / size * 1e6
            row += f"{each:20.1f}{stage['peak_memory'] / 1e6:7,.0f}"
        if len(stages) > 1 and stages[-2]["processor"] > 0:
            ratio = stages[-1]["processor"] / stages[-2]["processor"]
            growth = math.log(ratio) / math.log(sizes[-1] / sizes[-2])
            row += f"{growth:8.2f}{' steep' if growth > STEEP else ''}"
        print(row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, nargs="+", default=[100_000, 300_000, 1_000_000])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", default="")
    parser.add_argument("--cluster", default="")
    parser.add_argument("--join", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    runs = []
    with tempfile.TemporaryDirectory(prefix="dragoman-bench-") as scratch:
        for count in arguments.pairs:
            runs.append(train(Path(scratch), count, arguments))
            show(arguments.pairs[: len(runs)], runs)


if __name__ == "__main__":
    main()
