"""Paper 000, its experiment: pharaoh, estimate and early at the paper's vectors and over the grid.

    python bench/sweep.py [--corpora multi30k tatoeba] [--methods mert mira] [--seeds 1 2 3]
                          [--sets dev test] [--grid] [--sentences 500] [--rounds 8] [--repeat 1]
                          [--distortion 3 10] [--work DIR]
    python bench/sweep.py --usual MODEL [MODEL ...]

The paper's system: trigram, phrase probabilities without smoothing, no reordering model, no
bilingual model, no translations of words never seen, distortion limit 5. It is tuned by each
method with each seed, and `dragoman sweep --no-give-up` measures the searches at the paper's best
settings: one row for pharaoh against early, and one for estimate against early. With --grid
the first method and seed are swept over the whole grid as well, on --sentences of the dev set;
results and pictures lie in the work directory. With --distortion, their weight of distortion is
multiplied, the others stay, and the searches are measured once more on --sentences. --usual: how
the default setting, narrower and wider ones do on the dev sets of models that are there. Data:
DRAGOMAN_DATA or ../shared/data beside the checkout. Times are of one thread, in processor time.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import dragoman
from dragoman.context.config import ContextConfig
from dragoman.corpus.config import PrepareConfig
from dragoman.layout import SEARCH, held_out_files
from dragoman.lm.config import LmConfig
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.report.sweep import options_at
from dragoman.report.sweep_comparison import FIXED
from dragoman.report.sweep_measure import DevMeasure
from dragoman.report.sweep_points import Vector
from dragoman.rules.config import RulesConfig
from dragoman.search.options import SearchName, SearchOptions, save_options
from dragoman.training.config import Config
from dragoman.training.train import run_tuning
from dragoman.tuning.config import TuneConfig
from dragoman.unknown.config import UnknownConfig
from train import DATA, LANGUAGES

CORPORA = LANGUAGES | {"tatoeba": ("de", "en")}
LIMIT = 5
# Two settings of each search: where climbing begins, and the best of the paper.
FIXED_ONLY = ("--max-points", "2", "--no-plots")

# Around the default: t-table threshold, beam limit, margin of estimates.
USUAL = (
    (1.0, 60, 0.3),
    (1.5, 60, 0.3),
    (2.0, 30, 0.3),
    (SearchOptions.ttable_threshold, SearchOptions.beam_limit, SearchOptions.estimate_margin),
    (2.0, 60, math.inf),
    (2.5, 60, 0.3),
    (2.5, 200, math.inf),
)
# Early pruning with more room than the paper's best setting gives it.
WIDER: tuple[SearchName, Vector] = ("early", (2.5, 2.5, 20, 25))


def files(corpus: str, part: str) -> tuple[Path, Path]:
    source, target = CORPORA[corpus]
    return DATA / corpus / f"{part}.{source}", DATA / corpus / f"{part}.{target}"


def tuned(corpus: str, method: Any, seed: int, arguments: argparse.Namespace) -> Path:
    """The paper's system with weights of this method and seed."""
    base = arguments.work / corpus / "model"
    tuning = TuneConfig(method=method, max_iterations=arguments.rounds, seed=seed)
    if not base.exists():
        source, target = CORPORA[corpus]
        dragoman.train(
            files(corpus, "train"),
            base,
            dev=files(corpus, "dev"),
            source_language=source,
            target_language=target,
            config=Config(
                prepare=PrepareConfig(tokeniser="whitespace"),
                lm=LmConfig(order=3, classes=0),
                rules=RulesConfig(smoothing="none", reordering=(), bilingual_order=0),
                context=ContextConfig(use=False),
                unknown=UnknownConfig(sources=False),
                tune=TuneConfig(max_iterations=1),
            ),
            threads=1,
        )
    model: Path = arguments.work / corpus / f"{method}.{seed}"
    if not model.exists():
        shutil.copytree(base, model, copy_function=os.link)
    save_options(model / SEARCH, SearchOptions(distortion_limit=LIMIT))
    run_tuning(model, config=tuning, threads=1)
    return model


def swept(corpus: str, model: Path, part: str, repeat: int, *options: str) -> dict[str, Any]:
    """What `dragoman sweep` found; what was found before is not measured again."""
    output = model.with_name(f"{model.name}.{part}{'.grid' * ('--grid' in options)}")
    if not (output / "sweep.json").exists():
        command = [sys.executable, "-m", "dragoman", "sweep", str(model), "-o", str(output), "-q"]
        command += ["--dev", *map(str, files(corpus, part)), "--repeat", str(repeat)]
        subprocess.run([*command, "--no-give-up", *options], check=True)
    found: dict[str, Any] = json.loads((output / "sweep.json").read_text("utf-8"))
    return found


def show(label: str, rows: list[dict[str, Any]]) -> None:
    """The rows of several seeds as one."""

    def mean(key: str, place: int | None = None) -> float:
        return statistics.mean(row[key] if place is None else row[key][place] for row in rows)

    differences = [row["bleu"][1] - row["bleu"][0] for row in rows]
    scores = [row["model_score"][1] - row["model_score"][0] for row in rows]
    each = ", ".join(f"{value:+.2f}" for value in differences)
    sure = "; ".join("{:+.2f} to {:+.2f}".format(*row["bleu_difference_interval"]) for row in rows)
    print(
        f"| {label} | {mean('time_ratio'):.1f} | {mean('hypotheses_ratio'):.1f} "
        f"| {mean('lm_lookups_ratio'):.1f} | {mean('bleu', 0):.2f}, {mean('bleu', 1):.2f} "
        f"| {each} ({sure}) | {', '.join(f'{value:+.4f}' for value in scores)} |",
        flush=True,
    )


def show_distortions(corpus: str, path: Path, factors: list[float], sentences: int) -> None:
    """The searches with other weights of distortion, and one with a wider beam."""
    model = ModelDirectory.open(path)
    bundle = Bundle.open(model)
    measure = DevMeasure.of(model, files(corpus, "dev"), sentences)
    base = SearchOptions(distortion_limit=LIMIT, give_up=False)
    print("| distortion | search | thresholds, limits | model score | hypotheses/word | BLEU |")
    print("|---|---|---|---|---|---|")
    for times in (1.0, *factors):
        weights = bundle.named_weights()
        weights["distortion"] *= times
        weighted = replace(measure, bundle=replace(bundle, values=list(weights.values())))
        for search, vector in (*FIXED.items(), WIDER):
            found = weighted(options_at(base, search, vector))
            print(
                f"| {weights['distortion']:.3f} | {search} | {vector} | {found.model_score:.4f} "
                f"| {found.hypotheses_per_word:,.0f} | {found.bleu:.2f} |",
                flush=True,
            )


def show_usual(path: Path) -> None:
    """What settings around the default find with a trained model, and how fast."""
    model = ModelDirectory.open(path)
    source, target = (model.file(name).read_text("utf-8") for name in held_out_files("dev")[:2])
    measure = DevMeasure(Bundle.open(model), source.splitlines(), target.splitlines())
    print("| threshold | beam | margin | model score | BLEU | ms/word | hypotheses/word |")
    print("|---|---|---|---|---|---|---|")
    usual = SearchOptions()
    for threshold, beam, margin in USUAL:
        options = replace(
            usual, ttable_threshold=threshold, beam_limit=beam, estimate_margin=margin
        )
        found = measure(options)
        print(
            f"| {threshold} | {beam} | {margin} | {found.model_score:.4f} | {found.bleu:.2f} "
            f"| {found.ms_per_word:.4f} | {found.hypotheses_per_word:,.0f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", nargs="+", default=["multi30k", "tatoeba"], choices=CORPORA)
    parser.add_argument("--methods", nargs="+", default=["mert", "mira"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--sets", nargs="+", default=["dev", "test"], choices=("dev", "test"))
    parser.add_argument("--grid", action="store_true")
    parser.add_argument("--sentences", type=int, default=500, help="of the grid")
    parser.add_argument("--distortion", type=float, nargs="*", default=[], help="factors")
    parser.add_argument("--rounds", type=int, default=TuneConfig.max_iterations)
    parser.add_argument("--repeat", type=int, default=1, help="of each timing")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--usual", type=Path, nargs="+", metavar="MODEL")
    arguments = parser.parse_args()
    if arguments.usual:
        for model in arguments.usual:
            print(model.name)
            show_usual(model)
        return
    with tempfile.TemporaryDirectory() as temporary:
        arguments.work = arguments.work or Path(temporary)
        print("| set | time | hypotheses | words looked up | BLEU | difference | model score |")
        print("|---|---|---|---|---|---|---|")
        for corpus in arguments.corpora:
            (arguments.work / corpus).mkdir(parents=True, exist_ok=True)
            for method in arguments.methods:
                found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
                for seed in arguments.seeds:
                    model = tuned(corpus, method, seed, arguments)
                    for part in arguments.sets:
                        sweep = swept(corpus, model, part, arguments.repeat, *FIXED_ONLY)
                        for row in sweep["fixed"]:
                            found.setdefault((part, *row["searches"]), []).append(row)
                for (part, worse, better), rows in found.items():
                    if better == "early":
                        show(f"{corpus} {part}, {method}, {worse} : {better}", rows)
            limit = ["--sentences", str(arguments.sentences)]
            if arguments.distortion:
                model = tuned(corpus, arguments.methods[0], arguments.seeds[0], arguments)
                show_distortions(corpus, model, arguments.distortion, arguments.sentences)
            if arguments.grid:
                model = tuned(corpus, arguments.methods[0], arguments.seeds[0], arguments)
                whole = ["--grid", "--max-points", "1", *limit]
                swept(corpus, model, "dev", arguments.repeat, *whole)
                print((model.with_name(f"{model.name}.dev.grid") / "sweep.txt").read_text("utf-8"))


if __name__ == "__main__":
    main()
