"""From raw text to a tuned model on the real corpora: BLEU, chrF, time by stage, peak memory.

    python bench/train.py [--corpora multi30k kftt libreoffice] [--seeds 1 2 3] [--threads 2]
                          [--set SECTION.KEY=VALUE ...] [--keep DIRECTORY]

Data: DRAGOMAN_DATA or ../shared/data beside the checkout. Plain defaults, the tokenised text as
it is (`--tokeniser whitespace`); the first seed trains everything, the others only tune again.
BLEU and chrF are sacrebleu's on the tokenised references (`--tokenize none`). `--set` changes a
parameter, for ablations, e.g. `--set rules.smoothing='"none"'`.

Moses' figures are those of the data's README (fast_align, 5-gram KN, msd-bidirectional-fe, phrase
length 7, batch MIRA, cube 400; one run each on a 2-core machine of the same kind) and are
constants here: its pipeline is not run. Times compare only roughly across days.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import sacrebleu
import tomli_w

import dragoman

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("DRAGOMAN_DATA", ROOT.parent / "shared" / "data"))

LANGUAGES = {"multi30k": ("de", "en"), "kftt": ("ja", "en"), "libreoffice": ("fr", "en")}
# ../shared/data/README.md, "Peers on this data": BLEU, and the seconds of alignment, language
# model, extraction with scoring and reordering, tuning.
MOSES_BLEU = {"multi30k": 40.5, "kftt": 7.3, "libreoffice": 62.0}
MOSES_SECONDS = {
    "multi30k": (6.8, 1.6, 33, 227),
    "kftt": (14.8, 2.3, 29, 517),
    "libreoffice": (15, 2.3, 49, 357),
}


def text(corpus: str, part: str) -> tuple[Path, Path]:
    source, target = LANGUAGES[corpus]
    return DATA / corpus / f"{part}.{source}", DATA / corpus / f"{part}.{target}"


def train(
    corpus: str, model: Path, settings: dict[str, dict[str, object]], threads: int
) -> tuple[dict[str, float], float]:
    """Run `dragoman train`; seconds of the stages that ran, and peak megabytes."""
    source, target = LANGUAGES[corpus]
    config = model.with_suffix(".toml")
    config.write_text(tomli_w.dumps(settings), "utf-8")
    files = [str(path) for part in ("train", "dev") for path in text(corpus, part)]
    command = [sys.executable, "-m", "dragoman", "train", "-s", files[0], "-t", files[1]]
    command += ["--dev", files[2], files[3], "--from", source, "--to", target, "--json"]
    command += ["--tokeniser", "whitespace", "--config", str(config), "-o", str(model)]
    command += ["--threads", str(threads)]
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"bench/train.py: training on {corpus} failed")
        output.seek(0)
        outcomes = json.load(output)
    return {one["stage"]: one["seconds"] for one in outcomes if one["ran"]}, usage.ru_maxrss / 1000


def plain_models(corpora: list[str], directory: Path, threads: int) -> Iterator[tuple[str, Path]]:
    """Each corpus that is there, and a model of it with plain defaults in a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    for corpus in corpora:
        if not text(corpus, "train")[0].exists():
            print(f"{corpus}: no data in {DATA}, left out")
            continue
        train(corpus, directory / corpus, {}, threads)
        yield corpus, directory / corpus


def test(corpus: str, model: Path, threads: int) -> tuple[float, float]:
    """BLEU and chrF of the test set."""
    source, target = text(corpus, "test")
    references = target.read_text("utf-8").splitlines()
    translator = dragoman.Translator.open(model, threads=threads)
    translations = translator.translate_lines(source.read_text("utf-8").splitlines())
    scores = dragoman.evaluate(translations, references, metrics=["bleu", "chrf"], tokenize="none")
    return scores["bleu"], scores["chrf"]


def settings_of(changes: list[str]) -> dict[str, dict[str, object]]:
    settings: dict[str, dict[str, object]] = {}
    for change in changes:
        name, value = change.split("=", 1)
        section, key = name.split(".", 1)
        settings.setdefault(section, {})[key] = tomllib.loads(f"value = {value}")["value"]
    return settings


def measure(corpus: str, directory: Path, arguments: argparse.Namespace) -> None:
    settings = settings_of(arguments.set)
    model = directory / corpus
    scores = []
    for number, seed in enumerate(arguments.seeds):
        settings["tune"] = settings.get("tune", {}) | {"seed": seed}
        seconds, peak = train(corpus, model, settings, arguments.threads)
        scores.append(test(corpus, model, arguments.threads))
        dev = json.loads((model / "tuning.json").read_text("utf-8"))["score"]
        print(
            f"{corpus} seed {seed}: BLEU {scores[-1][0]:.2f}, chrF {scores[-1][1]:.2f}; "
            f"dev BLEU {dev:.2f}",
            flush=True,
        )
        if number == 0 and "prepare" in seconds:
            stages = ", ".join(f"{name} {value:.1f}" for name, value in seconds.items())
            total, moses = sum(seconds.values()), sum(MOSES_SECONDS[corpus])
            print(f"{corpus} seconds: {stages}; peak {peak:,.0f} MB")
            print(
                f"{corpus} all stages: {total:.0f} s; Moses' pipeline, from the README: "
                f"{moses:.0f} s; ratio {total / moses:.2f} (bar: 0.25)",
                flush=True,
            )
    bleu = statistics.mean(score for score, _ in scores)
    spread = max(score for score, _ in scores) - min(score for score, _ in scores)
    print(
        f"{corpus} mean of {len(scores)} seeds: BLEU {bleu:.2f} (spread {spread:.2f}), chrF "
        f"{statistics.mean(score for _, score in scores):.2f}; Moses, from the README: "
        f"{MOSES_BLEU[corpus]}; difference {bleu - MOSES_BLEU[corpus]:+.2f}\n",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=list(LANGUAGES), choices=LANGUAGES)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--set", nargs="+", default=[], metavar="SECTION.KEY=VALUE")
    parser.add_argument("--keep", type=Path, help="where models stay, to go on with later")
    arguments = parser.parse_args()
    print(f"sacrebleu {sacrebleu.__version__}, {arguments.threads} threads\n")
    with tempfile.TemporaryDirectory() as temporary:
        directory = arguments.keep if arguments.keep is not None else Path(temporary)
        directory.mkdir(parents=True, exist_ok=True)
        for corpus in arguments.corpora:
            if not text(corpus, "train")[0].exists():
                print(f"{corpus}: no data in {DATA}, left out")
                continue
            measure(corpus, directory, arguments)


if __name__ == "__main__":
    main()
