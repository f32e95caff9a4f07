"""Alignment error rate, time and memory of `dragoman align` and of the aligners on PATH.

    python bench/align.py [--threads 2] [--sets kftt hansards] [--pairs 1000000]

Data: DRAGOMAN_DATA or ../shared/data beside the checkout; hand-made links of the `gold` folder,
appended to the training text that its README names (`roen` and `zhen` have none and are aligned
alone). The phrasebook of examples/ is aligned whole. Peers, when found: fast_align (both
directions at once, then atools) and eflomal-align (default settings, then atools).

With --pairs, instead: time and peak memory on that many made-up pairs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus import write_text
from dragoman.alignment import Links, read_gold, score

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("DRAGOMAN_DATA", ROOT.parent / "shared" / "data"))
PHRASEBOOK = ROOT / "examples" / "phrasebook"

# Name: training text without its language suffix (or None), gold, languages, lower-case?
GOLD_SETS: dict[str, tuple[str | None, str, str, bool]] = {
    "kftt": ("kftt/train", "ja", "en", True),
    "hansards": ("libreoffice/train", "en", "fr", False),
    "roen": (None, "ro", "en", False),
    "zhen": (None, "zh", "en", False),
}
PHRASEBOOK_SETS = {"phrasebook-fr": "fr", "phrasebook-ja": "ja"}


@dataclass
class Usage:
    """What a process and its children took."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def run(commands: Sequence[Sequence[str]], outputs: Sequence[Path | None], threads: int) -> Usage:
    """Run commands at the same time and wait for all."""
    environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
    start = time.perf_counter()
    processes = []
    for command, output in zip(commands, outputs, strict=True):
        target = output.open("w") if output is not None else subprocess.DEVNULL
        processes.append(
            subprocess.Popen(command, stdout=target, stderr=subprocess.DEVNULL, env=environment)
        )
    cpu, peak = 0.0, 0
    for process, command in zip(processes, commands, strict=True):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{command[0]} failed with {process.returncode}")
        cpu += usage.ru_utime + usage.ru_stime
        peak += usage.ru_maxrss * 1024
    return Usage(time.perf_counter() - start, cpu, peak)


def add(*usages: Usage) -> Usage:
    """One after the other: times add up, the peak is the highest."""
    return Usage(
        sum(usage.seconds for usage in usages),
        sum(usage.cpu_seconds for usage in usages),
        max(usage.peak_bytes for usage in usages),
    )


def dragoman(source: Path, target: Path, out: Path, threads: int, symmetry: str) -> Usage:
    command = [sys.executable, "-m", "dragoman", "align", "-s", source, "-t", target, "-o", out]
    command += ["--threads", str(threads), "--symmetry", symmetry, "--quiet"]
    return run([list(map(str, command))], [None], threads)


def combine(forward: Path, backward: Path, out: Path) -> Usage:
    command = ["atools", "-i", str(forward), "-j", str(backward), "-c", "grow-diag-final-and"]
    return run([command], [out], 1)


def fast_align(source: Path, target: Path, out: Path, threads: int) -> Usage:
    joined = out.with_suffix(".joined")
    with joined.open("w", encoding="utf-8") as file:
        pairs = zip(_lines(source), _lines(target), strict=True)
        file.writelines(f"{left} ||| {right}\n" for left, right in pairs)
    command = ["fast_align", "-d", "-o", "-v", "-i", str(joined)]
    directions = [out.with_suffix(".forward"), out.with_suffix(".backward")]
    each = max(1, threads // 2)
    return add(run([command, [*command, "-r"]], directions, each), combine(*directions, out))


def eflomal(source: Path, target: Path, out: Path, threads: int) -> Usage:
    directions = [out.with_suffix(".forward"), out.with_suffix(".backward")]
    command = ["eflomal-align", "--overwrite", "-s", str(source), "-t", str(target)]
    command += ["-f", str(directions[0]), "-r", str(directions[1])]
    return add(run([command], [None], threads), combine(*directions, out))


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


def write_set(name: str, place: Path) -> tuple[Path, Path, Path] | None:
    """The two sides of a set and its gold links; None when the data are not there."""
    source, target = place / f"{name}.source", place / f"{name}.target"
    if name in PHRASEBOOK_SETS:
        language = PHRASEBOOK_SETS[name]
        splits = ("train", "dev", "test")
        for side, path in (("en", source), (language, target)):
            path.write_text("".join((PHRASEBOOK / f"{s}.{side}").read_text() for s in splits))
        gold = place / f"{name}.gold"
        gold.write_text(
            "".join((PHRASEBOOK / f"{s}.en-{language}.links").read_text() for s in splits)
        )
        return source, target, gold
    training, left, right, lower = GOLD_SETS[name]
    gold = DATA / "gold" / f"{name}.links"
    if not gold.exists():
        return None
    for language, path in ((left, source), (right, target)):
        text = (DATA / f"{training}.{language}").read_text("utf-8") if training else ""
        text = text.lower() if lower else text
        path.write_text(text + (DATA / "gold" / f"{name}.{language}").read_text("utf-8"), "utf-8")
    return source, target, gold


def bench_set(name: str, threads: int, place: Path) -> None:
    files = write_set(name, place)
    if files is None:
        print(f"\n{name}: no data in {DATA}; set DRAGOMAN_DATA")
        return
    source, target, gold_path = files
    gold = read_gold(gold_path)
    rows: list[tuple[str, Usage, Path]] = []
    for symmetry in ("grow-diag-final-and", "posterior"):
        out = place / f"dragoman.{symmetry}"
        rows.append(
            (f"dragoman {symmetry}", dragoman(source, target, out, threads, symmetry), out)
        )
    for peer, program, needs in (
        ("fast_align", fast_align, ("fast_align", "atools")),
        ("eflomal", eflomal, ("eflomal-align", "atools")),
    ):
        if all(map(shutil.which, needs)):
            out = place / peer
            rows.append(
                (f"{peer} grow-diag-final-and", program(source, target, out, threads), out)
            )
        else:
            print(f"({peer} is not on PATH)")
    ours = rows[0][1]
    print(f"\n{name}: {len(_lines(source)):,} pairs, {len(gold):,} with hand-made links")
    print(f"{'':32}     AER  precision  recall  seconds  CPU s  peak MB  ours is faster by")
    for label, usage, out in rows:
        links = Links.read(out)
        result = score(links.slice(len(links) - len(gold), len(links)), gold)
        ratio = "" if label.startswith("dragoman") else f"{usage.seconds / ours.seconds:17.2f}"
        print(
            f"{label:32}  {result.aer:6.4f}     {result.precision:6.4f}  {result.recall:6.4f}"
            f"  {usage.seconds:7.1f}  {usage.cpu_seconds:5.1f}  {usage.peak_bytes / 1e6:7.0f}"
            f"{ratio}"
        )


def bench_size(pairs: int, words: int, threads: int, place: Path) -> None:
    """Memory and time on made-up text; the links mean nothing."""
    sides = [place / "source", place / "target"]
    for seed, side in enumerate(sides):
        write_text(side, pairs, words, seed)
    usage = dragoman(sides[0], sides[1], place / "links", threads, "grow-diag-final-and")
    print(f"\n{pairs:,} made-up pairs of about {words} words, {threads} threads")
    print(
        f"{usage.seconds:.0f} s ({pairs / usage.seconds:,.0f} pairs/s), "
        f"CPU {usage.cpu_seconds:.0f} s, peak RSS {usage.peak_bytes / 1e9:.2f} GB"
    )


def main() -> None:
    every = [*GOLD_SETS, *PHRASEBOOK_SETS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sets", nargs="+", choices=every, default=every, metavar="SET")
    parser.add_argument("--pairs", type=int, help="made-up pairs, instead of the sets")
    parser.add_argument("--words", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if options.pairs is not None:
            bench_size(options.pairs, options.words, options.threads, Path(name))
            return
        for one in options.sets:
            bench_set(one, options.threads, Path(name))


if __name__ == "__main__":
    main()
