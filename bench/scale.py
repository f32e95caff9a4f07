"""What each stage of training costs a pair, from a hundred thousand pairs on.

    python bench/scale.py [--pairs 100000 300000 1000000] [--threads 1] [--memory 2G]
                          [--cluster local:2 [--all]] [--join 2] [--rounds 2] [--hashes]

Pairs are made by joining sentences of Tatoeba, German and English, drawn at random: so phrases are
real, and however many are asked for, no two are alike. A stage is linear when a pair costs the
same at any size; its growth is the exponent of the last two sizes, and one above 1.1 is marked.
Prints microseconds of processor a pair (of the caller: workers of a cluster are counted apart) and
the most memory of each stage: all that was resident, mapped files included, as the summary of
train has it; what was no file, of the largest process; and the disk that files took, model and
text included, unnamed files too. The last two are looked at four times a second. With --cluster,
what each process held at most, too, and with --hashes the SHA-256 of the whole model.
Data: DRAGOMAN_DATA or ../shared/data beside the checkout.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import math
import os
import random
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from programs import run

DATA = Path(
    os.environ.get("DRAGOMAN_DATA", Path(__file__).resolve().parents[1].parent / "shared" / "data")
)
# The program, but all work is sent that can be.
SENDING = """
import dragoman.cluster.crew
from dragoman.__main__ import main
dragoman.cluster.crew.SEND_ALL = True
main()
"""
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


class Watch:
    """Looks at what the programs that this one has started hold, stage by stage."""

    def __init__(self, place: Path, model: Path) -> None:
        self._place, self._unfinished = place, model / ".unfinished"
        self.own: dict[str, int] = defaultdict(int)  # bytes that are no file, of one process
        self.disk: dict[str, int] = defaultdict(int)  # bytes of files
        self.workers: dict[int, int] = {}  # the same as own, by process

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        ended = threading.Event()

        def watch() -> None:
            while not ended.wait(0.25):
                self._look()

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()

    def _look(self) -> None:
        with contextlib.suppress(OSError):
            found = [p.name for p in self._unfinished.iterdir() if not p.name.endswith(".resume")]
            stage = found[0] if len(found) == 1 else ""
            files: dict[tuple[int, int], int] = {}
            for path in self._place.rglob("*"):
                with contextlib.suppress(OSError):
                    _note(files, path.lstat())
            for process in _offspring(os.getpid()):
                with contextlib.suppress(OSError):
                    own = _own_memory(process)
                    self.workers[process] = max(own, self.workers.get(process, 0))
                    self.own[stage] = max(own, self.own[stage])
                    for link in Path(f"/proc/{process}/fd").iterdir():
                        with contextlib.suppress(OSError):
                            status = link.stat()
                            if status.st_nlink == 0 and link.readlink().is_absolute():
                                _note(files, status)
            self.disk[stage] = max(sum(files.values()), self.disk[stage])


def _note(files: dict[tuple[int, int], int], status: os.stat_result) -> None:
    files[status.st_dev, status.st_ino] = status.st_blocks * 512


def _own_memory(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text("ascii").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def _offspring(process: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):
            for child in map(int, (task / "children").read_text("ascii").split()):
                found += [child, *_offspring(child)]
    return found


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
    watch = Watch(place, model)
    program = ["-c", SENDING] if arguments.all else ["-m", "dragoman"]
    with watch.watching():
        took = run(
            [
                *(sys.executable, *program, "train", "-s", texts[0], "-t", texts[1]),
                *("--from", LANGUAGES[0], "--to", LANGUAGES[1], "-o", model, *options),
            ],
            stdout=[report],
        )
    print(
        f"{count:>10,} pairs {took.cpu:9.1f} s of all processors {took.wall:9.1f} s "
        f"{took.peak / 1e6:7,.0f} MB at most"
    )
    outcomes: list[dict[str, Any]] = json.loads(report.read_text("utf-8"))
    for outcome in outcomes:
        outcome |= {"own": watch.own[outcome["stage"]], "disk": watch.disk[outcome["stage"]]}
    if arguments.cluster:
        held = ", ".join(f"{own / 1e6:,.0f}" for own in watch.workers.values())
        print(f"{'':>10} most MB of their own of all processes, in order of their start: {held}")
    if arguments.hashes:
        print(f"{'':>10} the model: {_hash(model)}")
    return outcomes


def _hash(model: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(model.rglob("*")):
        if path.is_file() and path.name not in (".lock", "cluster.html"):
            whole.update(f"{path.relative_to(model)}\0".encode())
            with path.open("rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


def show(sizes: list[int], runs: list[list[dict[str, Any]]]) -> None:
    print(
        f"{'stage':12}"
        + "".join(f"{size:>12,} us/pair{'MB':>7}{'own':>7}{'disk':>7}" for size in sizes)
        + "  growth"
    )
    for stages in zip(*runs, strict=True):
        row = f"{stages[0]['stage']:12}"
        for size, stage in zip(sizes, stages, strict=True):
            each = stage["processor"] / size * 1e6
            row += f"{each:20.1f}"
            for what in ("peak_memory", "own", "disk"):
                row += f"{stage[what] / 1e6:7,.0f}"
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
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--hashes", action="store_true")
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
