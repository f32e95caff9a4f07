"""Decoders on the same tables, language model and weights: speed beside model score and BLEU.

    python bench/decode.py MODEL SOURCE REFERENCE [--threads 1 2] [--sentences N] [--repeat N]
        [--without moses-stack] [--picture FILE] [--json FILE]

The model goes to Moses through `dragoman export moses`. It may have reordering models that look
at neighbouring phrases ("word", "phrase"), but not "hierarchical", of which Moses' decoder makes
something else. `moses`, `moses2`, `CreateProbingPT2` and KenLM's `build_binary` are taken from
PATH or from the directory MOSES_BIN; what is missing is left out and said so.

Every decoder returns derivations, and one function scores them all (bench/decode_score.py). What
a peer says it scored is compared with that: `off` is the mean difference, with its first
setting. (Moses agrees. Moses2 reports about 0.015 less, and why is not known; a phrase penalty
left out for unknown words does not fit the numbers.) Loading is measured apart, as
the time for an empty input, and taken off (translate so much that it matters little;
nan: it was all there is). Words per second are of wall time, and of processor time, which other
work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from pathlib import Path

from decode_score import Phrase, Scorer, bleu
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.search.options import SearchOptions
from dragoman.search.stack import PhraseSearch
from programs import Cost, find_moses, in_own_process, run

INFINITE = float("inf")
DISTORTION_LIMIT = 6
TTABLE_LIMIT = 20
# Settings of ours: search, t-table threshold, beam threshold, beam limit.
OWN: list[tuple[str, float, float, int]] = [
    *(("early", threshold, INFINITE, 50) for threshold in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)),
    *(("early", threshold, INFINITE, 200) for threshold in (1.5, 2.0, 2.5)),
    # Short stacks, which are as good where text is easy; and the default.
    *(("early", threshold, INFINITE, 15) for threshold in (0.75, 1.0, 1.25, 1.5)),
    ("early", 2.1, INFINITE, 20),
    ("early", 2.0, INFINITE, 60),
    *(("estimate", INFINITE, INFINITE, beam) for beam in (10, 50, 200)),
    *(("pharaoh", INFINITE, INFINITE, beam) for beam in (50, 200)),
    *(("cube", INFINITE, INFINITE, pops) for pops in (30, 100, 500)),
]
# Settings of the peers: search, stack size or pop limit. A stack of 200 is Moses' default.
MOSES = [("cube", 100), ("cube", 500), ("stack", 100), ("stack", 200)]
MOSES2 = [("cube", 30), ("cube", 100), ("cube", 500), ("cube", 1000)]
SEGMENT = re.compile(r"\s*\|(\d+)-(\d+)\|\s*")


@dataclass(frozen=True)
class Row:
    """One decoder with one setting."""

    decoder: str
    setting: str
    threads: int
    words_per_second: float
    cpu_words_per_second: float
    model_score: float
    bleu: float
    load_seconds: float
    peak_mb: float
    off: float = 0.0  # of the peer's own total from model_score
    hypotheses_per_second: float = 0.0


@dataclass(frozen=True)
class Text:
    """What is translated."""

    source: list[str]
    references: list[str]

    @property
    def words(self) -> int:
        return sum(len(line.split()) for line in self.source)


def text_of(derivations: Sequence[Sequence[Phrase]]) -> list[str]:
    return [" ".join(phrase[2] for phrase in phrases) for phrases in derivations]


def own_rows(model: Path, text: Text, threads: int, repeat: int, scorer: Scorer) -> list[Row]:
    """Ours, in a process of its own each, so that peak memory is that of one setting."""
    rows = []
    for setting in OWN:
        found = in_own_process(__file__, [str(model), setting, text.source, threads, repeat])
        search, ttable_threshold, _, beam_limit = setting
        derivations = found["derivations"]
        rows.append(
            Row(
                "dragoman",
                f"{search} {ttable_threshold:g} {beam_limit}",
                threads,
                text.words / found["seconds"],
                text.words / found["cpu"],
                scorer.score(text.source, derivations),
                bleu(text_of(derivations), text.references),
                found["load"],
                found["peak_mb"],
                hypotheses_per_second=found["evaluated"] / found["cpu"],
            )
        )
        print_row(rows[-1])
    return rows


def child(path: str) -> None:
    """Measure one of our settings, phrases not looked up before, as the peers are measured."""
    model, setting, source, threads, repeat = json.loads(Path(path).read_text())
    search, ttable_threshold, beam_threshold, beam_limit = setting
    begun = time.perf_counter()
    bundle = Bundle.open(model)
    options = SearchOptions(
        search=search,
        ttable_threshold=ttable_threshold,
        beam_threshold=beam_threshold,
        ttable_limit=TTABLE_LIMIT,
        beam_limit=beam_limit,
        distortion_limit=DISTORTION_LIMIT,
    )
    PhraseSearch(bundle, options, threads=threads)
    load = time.perf_counter() - begun
    best_seconds = best_cpu = INFINITE
    for _ in range(repeat):
        decoder = PhraseSearch(bundle, options, threads=threads)
        begun, cpu = time.perf_counter(), time.process_time()
        results = list(decoder.decode(source, features=False))
        best_cpu = min(best_cpu, time.process_time() - cpu)
        best_seconds = min(best_seconds, time.perf_counter() - begun)
    print(
        json.dumps(
            {
                "load": load,
                "seconds": best_seconds,
                "cpu": best_cpu,
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "evaluated": sum(result.stats.evaluated for result in results),
                "derivations": [
                    [(*step.source, step.target) for step in result.best.steps]
                    for result in results
                ],
            }
        )
    )


@dataclass(frozen=True)
class Peer:
    """Moses or Moses2, with the model it was given."""

    name: str
    program: str
    ini: str
    place: Path
    settings: list[tuple[str, int]]

    def rows(self, text: Text, threads: int, repeat: int, scorer: Scorer) -> list[Row]:
        (self.place / f"{self.name}.ini").write_text(self.ini)
        (self.place / "source").write_text("\n".join(text.source) + "\n")
        (self.place / "empty").write_text("")
        rows: list[Row] = []
        off = 0.0
        for search, limit in self.settings:
            pruning = (
                f"-search-algorithm 1 -cube-pruning-pop-limit {limit} -s {max(limit, 200)}"
                if search == "cube"
                else f"-search-algorithm 0 -s {limit}"
            )
            command = f"{self.program} -f {self.name}.ini -threads {threads} {pruning} -v 0 -t"
            # Just before, so that both see the machine as busy.
            load = self.timed(command, "empty", repeat)
            whole = self.timed(command, "source", repeat)
            derivations = [
                read_segments(line) for line in (self.place / "output").read_text().splitlines()
            ]
            score = scorer.score(text.source, derivations)
            if not rows:  # what is counted does not depend on the search
                off = self.reported(command) - score
            rows.append(
                Row(
                    self.name,
                    f"{search} {limit}",
                    threads,
                    text.words / (whole.wall - load.wall) if whole.wall > load.wall else math.nan,
                    text.words / (whole.cpu - load.cpu) if whole.cpu > load.cpu else math.nan,
                    score,
                    bleu(text_of(derivations), text.references),
                    load.wall,
                    whole.peak / 2**20,
                    off=off,
                )
            )
            print_row(rows[-1])
        return rows

    def timed(self, command: str, text: str, repeat: int) -> Cost:
        """The least of several runs."""
        runs = [
            run(
                command.split(),
                stdin=self.place / text,
                stdout=[self.place / "output"],
                cwd=self.place,
            )
            for _ in range(repeat)
        ]
        return reduce(Cost.best, runs)

    def reported(self, command: str) -> float:
        """The mean total that the peer itself says."""
        with (self.place / "source").open() as lines:
            subprocess.run(
                [*command.split(), "-n-best-list", "nbest", "1"],
                stdin=lines,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self.place,
                check=True,
            )
        lists = (self.place / "nbest").read_text().splitlines()
        return sum(float(line.split(" ||| ")[3]) for line in lists) / len(lists)


def read_segments(line: str) -> list[Phrase]:
    """What -report-segmentation prints: target words, then |first-last| source word."""
    pieces = SEGMENT.split(line)
    return [
        (int(pieces[i + 1]), int(pieces[i + 2]) + 1, " ".join(pieces[i].split()))
        for i in range(0, len(pieces) - 2, 3)
    ]


def export(model: Path, place: Path) -> str:
    """The model in Moses' formats; returns the moses.ini with faster files where there are
    programs that make them."""
    subprocess.run(
        [sys.executable, "-m", "dragoman", "export", "moses", str(model), "-o", place, "--quiet"],
        check=True,
    )
    for table in place.glob("*-table*.gz"):
        subprocess.run(
            f"gzip -dc {table.name} | LC_ALL=C sort | gzip -1 > sorted && mv sorted {table.name}",
            shell=True,
            cwd=place,
            check=True,
        )
    ini = (place / "moses.ini").read_text()
    ini = re.sub(r"(?<=\[distortion-limit\]\n)\d+", str(DISTORTION_LIMIT), ini)
    ini = ini.replace("path=phrase-table.gz", f"path=phrase-table.gz table-limit={TTABLE_LIMIT}")
    builder = find_moses("build_binary")
    if builder is not None:
        subprocess.run(
            [builder, "probing", "lm.arpa.gz", "lm.binary"],
            cwd=place,
            check=True,
            capture_output=True,
        )
        ini = ini.replace("path=lm.arpa.gz", "path=lm.binary")
    return ini


def peers(model: Path, place: Path, without: Sequence[str]) -> list[Peer]:
    """The peers that are there."""
    programs = {name: find_moses(name) for name in ("moses", "moses2", "CreateProbingPT2")}
    for program, path in programs.items():
        if path is None:
            print(f"{program} was not found on PATH or in MOSES_BIN and is left out")
    if programs["moses"] is None and programs["moses2"] is None:
        return []
    ini = export(model, place)
    found = []

    def wanted(name: str, settings: list[tuple[str, int]]) -> list[tuple[str, int]]:
        return [one for one in settings if not {name, f"{name}-{one[0]}"} & set(without)]

    if programs["moses"]:
        settings = wanted("moses", MOSES)
        found.append(Peer("moses", programs["moses"], ini, place, settings))
    if programs["moses2"] and programs["CreateProbingPT2"] and "LexicalReordering" not in ini:
        subprocess.run(
            f"{programs['CreateProbingPT2']} --input-pt phrase-table.gz --output-dir probing "
            "--num-scores 4 --log-prob",
            shell=True,
            cwd=place,
            check=True,
            capture_output=True,
        )
        ini = ini.replace("PhraseDictionaryMemory", "ProbingPT")
        ini = ini.replace("path=phrase-table.gz", "path=probing")
        settings = wanted("moses2", MOSES2)
        found.append(Peer("moses2", programs["moses2"], ini, place, settings))
    return found


HEADING = (
    "decoder  setting        thr    words/s  /cpu-s      score      off   BLEU   load  RSS MB  "
    "Mhyp/cpu-s"
)


def print_row(row: Row) -> None:
    print(
        f"{row.decoder:8} {row.setting:14} {row.threads:3d} {row.words_per_second:10,.0f} "
        f"{row.cpu_words_per_second:7,.0f} {row.model_score:10.4f} {row.off:8.4f} "
        f"{row.bleu:6.2f} {row.load_seconds:6.2f} {row.peak_mb:7.0f} "
        f"{row.hypotheses_per_second / 1e6:11.2f}",
        flush=True,
    )


def compare(rows: list[Row]) -> None:
    """For each setting of a peer: the fastest of ours that scores at least as high."""
    for peer in rows:
        if peer.decoder == "dragoman":
            continue
        good = [
            row
            for row in rows
            if row.decoder == "dragoman"
            and row.threads == peer.threads
            and row.model_score >= peer.model_score
        ]
        where = f"{peer.decoder} {peer.setting}, threads {peer.threads}"
        if not good:
            print(f"{where}: none of ours scores as high")
            continue
        best = max(good, key=lambda row: row.cpu_words_per_second)
        print(
            f"{where}: {best.setting} scores {best.model_score - peer.model_score:+.4f} at "
            f"{best.cpu_words_per_second / peer.cpu_words_per_second:.1f} times the speed "
            f"(wall {best.words_per_second / peer.words_per_second:.1f})"
        )


def draw(rows: list[Row], path: Path) -> None:
    """Average model score over words per second, as decoders are compared in the field."""
    from matplotlib.figure import Figure

    threads = min(row.threads for row in rows)
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    kinds = sorted({(row.decoder, row.setting.split()[0]) for row in rows})
    for kind in kinds:
        chosen = [
            row
            for row in rows
            if (row.decoder, row.setting.split()[0]) == kind and row.threads == threads
        ]
        chosen.sort(key=lambda row: row.cpu_words_per_second)
        axes.plot(
            [row.cpu_words_per_second for row in chosen],
            [row.model_score for row in chosen],
            "o-" if kind[0] == "dragoman" else "s--",
            markersize=4,
            label=" ".join(kind),
        )
    axes.set_xscale("log")
    axes.set_xlabel("words per second of processor time, one thread")
    axes.set_ylabel("average model score")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=100)


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sentences", type=int, default=None)
    parser.add_argument("--repeat", type=int, default=3, help="the fastest counts")
    parser.add_argument("--without", nargs="+", default=[], help="peers, e.g. moses-stack")
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    text = Text(
        options.source.read_text("utf-8").splitlines()[: options.sentences],
        options.reference.read_text("utf-8").splitlines()[: options.sentences],
    )
    bundle = Bundle.open(options.model)
    if any(name.startswith("reorder.hierarchical") for name in bundle.features):
        parser.error("the model has a hierarchical reordering model; take one without")
    scorer = Scorer(ModelDirectory(options.model))
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        others = peers(options.model, Path(name), options.without)
        print(f"{len(text.source)} sentences, {text.words} words")
        print(HEADING)
        for threads in options.threads:
            rows += own_rows(options.model, text, threads, options.repeat, scorer)
            for peer in others:
                rows += peer.rows(text, threads, options.repeat, scorer)
    compare(rows)
    if options.picture:
        draw(rows, options.picture)
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
