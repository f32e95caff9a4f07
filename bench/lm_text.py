"""What text of the target language alone costs and brings.

    python bench/lm_text.py [--lines 10000000] [--memory 1G] [--order 5] [--threads 1]
                            [--seeds 1 2] [--only cost|worth] [--keep DIRECTORY]

Cost: a compressed text of many lines, each of one or two sentences of the English sides of the
corpora, drawn at random; `dragoman lm estimate` makes a model of it, and `dragoman train` a
translation model of Multi30k that it is mixed into (two rounds of tuning). Processor time, and the
largest of the process's own memory (`RssAnon` in /proc) and of pages of mapped files that
were in memory (`RssFile`), which the system takes back when it needs them.

Worth: Multi30k as people write it, with and without the further captions that lie beside it
(`more.en.gz`). BLEU and chrF are sacrebleu's, cased, with its own tokenisation.

Data: DRAGOMAN_DATA or ../shared/data beside the checkout.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import dragoman

DATA = Path(
    os.environ.get("DRAGOMAN_DATA", Path(__file__).resolve().parents[1].parent / "shared" / "data")
)
CORPORA = ("multi30k", "tatoeba", "kftt", "libreoffice")
LONGEST = 2  # sentences of a line
AT_ONCE = 100_000  # lines
DRAGOMAN = (sys.executable, "-m", "dragoman")


@dataclass
class Peaks:
    """What a program took, in seconds and bytes."""

    wall: float = 0.0
    cpu: float = 0.0
    own: int = 0
    mapped: int = 0

    def __str__(self) -> str:
        return (
            f"{self.cpu:,.0f} s of processor time ({self.wall:,.0f} s by the clock), "
            f"{self.own / 1e6:,.0f} MB of its own, {self.mapped / 1e6:,.0f} MB of mapped files"
        )


def watched(command: Sequence[object]) -> Peaks:
    """Run a program; its memory is looked at ten times a second."""
    peaks, begun = Peaks(), time.perf_counter()
    process = subprocess.Popen([str(part) for part in command])
    status = Path(f"/proc/{process.pid}/status")
    while True:
        pid, code, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        for line in status.read_text("utf-8").splitlines():
            name, _, value = line.partition(":")
            if name == "RssAnon":
                peaks.own = max(peaks.own, int(value.split()[0]) * 1024)
            elif name == "RssFile":
                peaks.mapped = max(peaks.mapped, int(value.split()[0]) * 1024)
        time.sleep(0.1)
    if os.waitstatus_to_exitcode(code) != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    peaks.wall, peaks.cpu = time.perf_counter() - begun, usage.ru_utime + usage.ru_stime
    return peaks


def write_text(path: Path, lines: int, seed: int = 25) -> int:
    """Lines of sentences drawn at random; returns how many words there are."""
    sentences = [
        sentence
        for corpus in CORPORA
        for sentence in (DATA / corpus / "train.en").read_text("utf-8").split("\n")[:-1]
    ]
    chance, words = random.Random(seed), 0
    with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as file:
        for done in range(0, lines, AT_ONCE):
            text = "".join(
                " ".join(chance.choices(sentences, k=1 + int(chance.random() * LONGEST))) + "\n"
                for _ in range(min(AT_ONCE, lines - done))
            )
            words += text.count(" ") + text.count("\n")
            file.write(text)
    return words


def cost(place: Path, arguments: argparse.Namespace) -> None:
    text = place / "further.en.gz"
    words = write_text(text, arguments.lines)
    print(
        f"{arguments.lines:,} lines, {words:,} words, {text.stat().st_size / 1e6:,.0f} MB gzipped",
        flush=True,
    )
    limits = ["--threads", arguments.threads, "--memory", arguments.memory, "-q"]
    model = place / "further.bin"
    order = ["--order", arguments.order, "--temporary", place]
    peaks = watched([*DRAGOMAN, "lm", "estimate", text, "-o", model, *order, *limits])
    counts = dragoman.LanguageModel.open(model).counts
    size = model.stat().st_size
    print(f"lm estimate --memory {arguments.memory}: {peaks}")
    print(f"the model: {sum(counts):,} n-grams, {size / 1e6:,.0f} MB", flush=True)
    model.unlink()
    config = place / "config.toml"
    config.write_text(
        f"[lm]\norder = {arguments.order}\n[tune]\nmax_iterations = 2\n", encoding="utf-8"
    )
    corpus = DATA / "multi30k"
    command = [*DRAGOMAN, "train", "-s", corpus / "train.de", "-t", corpus / "train.en"]
    command += ["--dev", corpus / "dev.de", corpus / "dev.en", "--from", "de", "--to", "en"]
    command += ["--tokeniser", "whitespace", "--config", config, "-o", place / "large"]
    peaks = watched([*command, "--lm-text", text, *limits])
    print(f"train --lm-text … --memory {arguments.memory}: {peaks}", flush=True)


def worth(place: Path, arguments: argparse.Namespace) -> None:
    corpus = DATA / "multi30k-raw"
    text, references = (
        (corpus / f"test.{language}").read_text("utf-8").splitlines() for language in ("de", "en")
    )
    for name, more in [("alone", []), ("with text", ["--lm-text", corpus / "more.en.gz"])]:
        model, found = place / name.replace(" ", "-"), []
        for seed in arguments.seeds:
            command = [*DRAGOMAN, "train", "-s", corpus / "train.de", "-t", corpus / "train.en"]
            command += ["--dev", corpus / "dev.de", corpus / "dev.en", "--from", "de"]
            command += ["--to", "en", "-o", model, "--seed", seed, "-q", *more]
            watched([*command, "--threads", arguments.threads])
            dev = json.loads((model / "tuning.json").read_text("utf-8"))["score"]
            said = dragoman.Translator.open(model, threads=arguments.threads).translate_lines(text)
            scores = dragoman.evaluate(said, references, metrics=["bleu", "chrf"])
            found.append((dev, scores["bleu"], scores["chrf"]))
            print(f"{name}, seed {seed}: dev {dev:.2f}, BLEU {found[-1][1]:.2f}", flush=True)
        dev, bleu, chrf = (statistics.mean(values) for values in zip(*found, strict=True))
        print(
            f"{name}, mean of {len(found)} seeds: dev {dev:.2f}, BLEU {bleu:.2f}, chrF {chrf:.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--memory", default="1G")
    parser.add_argument("--order", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--only", choices=["cost", "worth"])
    parser.add_argument("--keep", type=Path, help="where everything stays")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = arguments.keep if arguments.keep is not None else Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        if arguments.only != "worth":
            cost(place, arguments)
        if arguments.only != "cost":
            worth(place, arguments)


if __name__ == "__main__":
    main()
