"""The same training and translation here and on a Dask cluster: bytes, time, what travels, faults.

    python bench/cluster.py [--pairs 29000] [--workers 1 2 3] [--threads 2] [--kills 5]
                            [--corpus multi30k] [--rounds 8] [--only train]

Trains on the first pairs of a corpus (joined: sentences of Tatoeba, joined as in scale.py) with
threads of this process, then with local:N for each N, then with the last N while workers are
killed (kill -9) at random moments, and compares every file of the models. Then translates the
corpus's source side here and there, again with kills. Prints wall seconds, processor seconds of
all processes, those of the caller for each stage, and for each kind of work how many it took the
workers and how many bytes went to them and came back. Little work stays with the caller, and what
its threads do as well; --all sends it, too.
Data: DRAGOMAN_DATA or ../shared/data beside the checkout.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import random
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import dragoman.cluster.crew
from dragoman.cluster import crew_for
from dragoman.cluster.crew import DaskCrew
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.crew import Crew
from dragoman.model.directory import ModelDirectory
from dragoman.training import pipeline
from dragoman.training.config import Config
from dragoman.training.plan import Material, training_stages
from dragoman.translation.job import Job, run
from dragoman.translation.translator import Translator
from dragoman.tuning.config import TuneConfig
from scale import joined_pairs

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("DRAGOMAN_DATA", ROOT.parent / "shared" / "data"))
LANGUAGES = ("de", "en")


def main() -> None:
    parser = argparse.ArgumentParser()
    corpora = ["multi30k", "tatoeba", "joined"]
    parser.add_argument("--corpus", default="multi30k", choices=corpora)
    parser.add_argument("--only", choices=["train", "translate"], nargs="+")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--pairs", type=int, default=29_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--kills", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.all:
        dragoman.cluster.crew.SEND_ALL = True
    with tempfile.TemporaryDirectory(prefix="dragoman-bench-") as scratch:
        Bench(Path(scratch), arguments).run()


class Bench:
    def __init__(self, place: Path, arguments: argparse.Namespace) -> None:
        self.place, self.arguments = place, arguments
        corpus = arguments.corpus
        if corpus == "joined":
            corpus = "tatoeba"
            write_joined(place, arguments.pairs)
        else:
            for language in LANGUAGES:
                with (DATA / corpus / f"train.{language}").open("rb") as file:
                    lines = b"".join(islice(file, arguments.pairs))
                (place / language).write_bytes(lines)
        dev = [DATA / corpus / f"dev.{language}" for language in LANGUAGES]
        self.material = Material(
            [ParallelFile.plain(*(place / language for language in LANGUAGES))],
            ParallelFile.plain(*dev),
        )
        self.config = Config(
            prepare=PrepareConfig(source_language=LANGUAGES[0], target_language=LANGUAGES[1]),
            tune=TuneConfig(max_iterations=arguments.rounds),
        )
        self.wanted: dict[str, Any] = {}

    def run(self) -> None:
        threads, last = self.arguments.threads, f"local:{self.arguments.workers[-1]}"
        for what in self.arguments.only or ("train", "translate"):
            self.measure(what, f"--threads {threads}", None, threads, 0)
            for workers in self.arguments.workers:
                self.measure(what, f"local:{workers}", f"local:{workers}", threads, 0)
            if self.arguments.kills:
                self.measure(what, f"{last}, killing", last, threads, self.arguments.kills)

    def measure(self, what: str, name: str, cluster: str | None, threads: int, kills: int) -> None:
        before, begun = os.times(), time.perf_counter()
        place = self.place / f"{what} {name}"
        with (
            crew_for(cluster, self.place, threads=threads) as crew,
            killing(crew, kills) as killed,
        ):
            working = time.perf_counter()
            work = self.train if what == "train" else self.translate
            found = work(place, threads, crew)
            seconds = time.perf_counter() - working
            deeds = crew.deeds if isinstance(crew, DaskCrew) else []
        start = time.perf_counter() - begun - seconds
        after = os.times()
        processor = sum(after[:4]) - sum(before[:4])
        same = "the same" if found == self.wanted.setdefault(what, found) else "DIFFERENT"
        print(
            f"{what:9} {name:18} {seconds:7.1f} s + {start:4.1f} s to start and end, "
            f"{processor:7.1f} s of processors, {len(killed)} killed: {same}"
        )
        by_work: dict[str, list[float]] = {}
        for deed in deeds:
            sums = by_work.setdefault(deed.work, [0, 0, 0, 0])
            for at, value in enumerate((1, deed.sent, deed.received, deed.processor)):
                sums[at] += value
        for work_name, (parts, sent, received, worked) in by_work.items():
            print(
                f"    {work_name:22} {parts:6.0f} parts {worked:8.1f} s "
                f"{sent / self.arguments.pairs:8.1f} B/pair out "
                f"{received / self.arguments.pairs:8.1f} B/pair back"
            )
        if deeds:
            peak = max(deed.peak_memory for deed in deeds)
            print(f"    most memory of a worker: {peak / 1e6:.0f} MB")

    def train(self, place: Path, threads: int, crew: Crew) -> dict[str, str]:
        directory = ModelDirectory(place)
        stages = training_stages(self.config, directory, self.material)
        outcomes = pipeline.run(directory, stages, whole=True, threads=threads, crew=crew)
        own = "  ".join(f"{outcome.stage} {outcome.processor:.2f}" for outcome in outcomes)
        print(f"processor seconds of the caller: {own}")
        return {
            path.relative_to(place).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(place.rglob("*"))
            if path.is_file() and path.name not in (".lock", "cluster.html")
        }

    def translate(self, place: Path, threads: int, crew: Crew) -> str:
        model = self.place / f"train --threads {self.arguments.threads}"
        translator = Translator.open(model, threads=threads)
        output = place.with_suffix(".out")
        run(translator, Job(self.place / LANGUAGES[0], output), crew)
        return hashlib.sha256(output.read_bytes()).hexdigest()


def write_joined(place: Path, pairs: int) -> None:
    with contextlib.ExitStack() as stack:
        files = [
            stack.enter_context((place / language).open("w", encoding="utf-8"))
            for language in LANGUAGES
        ]
        for pair in joined_pairs(pairs, 2):
            for file, text in zip(files, pair, strict=True):
                file.write(f"{text}\n")


@contextlib.contextmanager
def killing(crew: Crew, times: int) -> Iterator[list[int]]:
    """Kills workers at random moments, a second or two apart, while the context lasts."""
    killed: list[int] = []
    if not times or not isinstance(crew, DaskCrew):
        yield killed
        return
    ended, moments = threading.Event(), random.Random(1)

    def kill() -> None:
        while len(killed) < times and not ended.wait(moments.uniform(0.5, 2.0)):
            with contextlib.suppress(Exception):
                killed.append(moments.choice(sorted(crew.client.run(os.getpid).values())))
                os.kill(killed[-1], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield killed
    finally:
        ended.set()
        killer.join()


if __name__ == "__main__":
    main()
