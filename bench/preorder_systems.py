"""Whole systems with and without preordering: BLEU and RIBES, as Table 4 of paper 004.

    python bench/preorder_systems.py --work DIR [--corpus kftt] [--from ja] [--to en]
                                     [--systems off.6 trees.6 off.6+trees.6] [--seeds 1 2 3]
                                     [--rounds 8] [--base off.6] [--symmetry NAME]
                                     [--threshold X] [--threads N]

A system is METHOD.LIMIT, tuned and translated with that distortion limit. Methods:

off       words as they stand
trees     turned over along the parses (SET.LANG.trees or SET.LANG.conllu.gz)
gold      the same, the aligner that labels come from taught by the hand-made links of dev
          sentences in gold/CORPUS.*, as the supervised one of the paper
oracle    in the best order of the parses by links to the references, also of the test set: what
          a classifier without a fault would give
btg       without a parser

Systems joined by + translate each for itself, and agree on one of their translations (`dragoman
translate --with`), with weights tuned on the dev set. Every system is tuned once for each seed;
scores are means, significance is of all seeds together, against --base. The column dev is what to
choose by. Data: DRAGOMAN_DATA or ../shared/data beside the checkout, or the path of a directory as
--corpus. What is finished lies in the work directory and is not done again: other labels
(--symmetry, --threshold) want one of their own.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dragoman._core import DecodeResult
from dragoman.alignment.aligner import bitext_of
from dragoman.alignment.score import GoldLinks
from dragoman.evaluation.metrics import make_metric
from dragoman.evaluation.significance import compare
from dragoman.layout import SEARCH, held_out_files, preordered_source
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.preorder import load_preorderer, oracle_orders, oracle_scores, read_trees
from dragoman.preorder.config import PreorderConfig
from dragoman.preorder.orders import Orders
from dragoman.preorder.passes import OrderLearner
from dragoman.preorder.trees import match_trees
from dragoman.progress import to_terminal
from dragoman.search.choice import make_search, model_options
from dragoman.search.consensus import LIST_SIZE, Agreement
from dragoman.search.options import SearchOptions, save_options
from dragoman.training.train import run_tuning
from dragoman.tuning.config import TuneConfig
from dragoman.tuning.consensus import tune_consensus
from preorder import DATA, SETS, Bench, as_set, gold_links

METRICS = [make_metric("bleu", tokenize="none"), make_metric("ribes")]
HELD_OUT = ("dev", "test")


@dataclass
class Systems:
    """Models by method, their weights by limit and seed, and what they translate."""

    bench: Bench
    seeds: list[int]
    rounds: int

    def base(self, method: str) -> Path:
        """A model with everything but weights."""
        if method == "gold":
            return self.bench.model(method, self._ordered_by_gold(self.bench.work / "gold.order"))
        if method == "oracle":
            return self.bench.model(method, self._ordered_at_best(self.bench.work / "best.order"))
        return self.bench.model(method)

    def _ordered_by_gold(self, place: Path) -> dict[str, Path]:
        """The source sides of all sets, in the order of a classifier whose labels come from an
        aligner that has learnt from hand-made links."""
        bench = self.bench
        paths = {name: place / f"{name}.{bench.source}" for name in SETS}
        if all(path.exists() for path in paths.values()):
            return paths
        place.mkdir(exist_ok=True)
        source = {name: bench.text(name, bench.source) for name in SETS}
        trees = {name: read_trees(bench.tree_file(name)) for name in SETS}
        lines, links, targets = gold_links(bench, source["dev"])
        examples = [GoldLinks(pairs, pairs) for pairs in map(as_set, links)]
        # Hand-made links are of lower-cased text.
        taught = [source["dev"][line] for line in lines] + source["train"]
        learner = OrderLearner(
            bitext_of(
                taught,
                targets + [line.lower() for line in bench.text("train", bench.target)],
            ),
            match_trees(read_trees([bench.tree_file(name) for name in SETS]), taught, "trees"),
            replace(bench.labels, method="trees"),
            examples=examples,
            threads=bench.threads,
            progress=to_terminal(),
        )
        orders = learner.learn(place).orders
        model = load_preorderer(place)
        for name, path in paths.items():
            if name == "train":
                _write(path, source[name], orders, first=len(lines))
            else:
                _write(path, source[name], model.orders(source[name], trees[name]))
        return paths

    def _ordered_at_best(self, place: Path) -> dict[str, Path]:
        """The source sides of all sets, in the best order that the trees allow."""
        bench = self.bench
        paths = {name: place / f"{name}.{bench.source}" for name in SETS}
        if all(path.exists() for path in paths.values()):
            return paths
        place.mkdir(exist_ok=True)
        links = bench.links(bench.labels.symmetry)
        for name, path in paths.items():
            trees = read_trees(bench.tree_file(name))
            orders = oracle_orders(trees, oracle_scores(trees, links[name]))
            _write(path, bench.text(name, bench.source), orders)
        return paths

    def tuned(self, system: str, seed: int) -> ModelDirectory:
        """The model of METHOD.LIMIT with the weights of a seed."""
        method, limit = system.split(".")
        directory = self.bench.work / f"{system}.{seed}"
        if not (directory / "tuned").exists():
            shutil.rmtree(directory, ignore_errors=True)
            shutil.copytree(self.base(method), directory, copy_function=os.link)
            save_options(directory / SEARCH, SearchOptions(distortion_limit=int(limit)))
            config = TuneConfig(max_iterations=self.rounds, seed=seed)
            run_tuning(
                directory, config=config, threads=self.bench.threads, progress=to_terminal()
            )
            (directory / "tuned").touch()
        return ModelDirectory(directory)

    def listed(self, directory: ModelDirectory, name: str) -> list[DecodeResult]:
        """The translations that a model lists of the dev or test set."""
        ordered = directory.file(preordered_source(name))  # type: ignore[arg-type]
        plain = directory.file(held_out_files(name)[0])  # type: ignore[arg-type]
        lines = (ordered if ordered.exists() else plain).read_text("utf-8").splitlines()
        search = make_search(
            Bundle.open(directory), model_options(directory), threads=self.bench.threads
        )
        return list(search.decode(lines, nbest=LIST_SIZE, distinct=True, features=False))

    def translated(self, system: str, seed: int) -> dict[str, list[str]]:
        """The dev and the test set in the words of a system; kept in the work directory."""
        kept = self.bench.work / f"{system}.{seed}.json"
        if not kept.exists():
            models = [self.tuned(one, seed) for one in system.split("+")]
            lists = {name: [self.listed(model, name) for model in models] for name in HELD_OUT}
            found = {name: several[0] for name, several in lists.items()}
            if len(models) > 1:
                reference = [self.bench.text("dev", self.bench.target)]
                best = tune_consensus(lists["dev"], reference, METRICS[0], seed=seed)
                agreement = replace(
                    Agreement.untuned(system.split("+"), LIST_SIZE),
                    weights=best.weights,
                    scale=best.scale,
                )
                found = {name: agreement.choose(several) for name, several in lists.items()}
            texts = {
                name: [one.best.target if one.found else "" for one in results]
                for name, results in found.items()
            }
            kept.write_text(json.dumps(texts), "utf-8")
        texts_of: dict[str, list[str]] = json.loads(kept.read_text("utf-8"))
        return texts_of

    def table(self, wanted: list[str], base: str) -> None:
        """Scores of all systems against one of them."""
        reference = {name: [self.bench.text(name, self.bench.target)] for name in HELD_OUT}
        print(f"against {base}; seeds {', '.join(map(str, self.seeds))}")
        print("| system | dev BLEU | BLEU | mean | p | RIBES | mean | p |")
        print("|---|---|---|---|---|---|---|---|", flush=True)
        rows: dict[str, list[np.ndarray]] = {}
        for system in dict.fromkeys([base, *wanted]):
            texts = [self.translated(system, seed) for seed in self.seeds]
            dev = np.mean([_score(0, one["dev"], reference["dev"]) for one in texts])
            # Sentences change sides with the translations of all seeds.
            rows[system] = [
                np.sum([metric.rows(one["test"], reference["test"]) for one in texts], axis=0)
                for metric in METRICS
            ]
            cells = []
            for number, metric in enumerate(METRICS):
                each = [_score(number, one["test"], reference["test"]) for one in texts]
                sure = compare(metric, rows[base][number], rows[system][number]).p_randomisation
                p = "–" if system == base else f"{sure:.3f}"
                cells.append(f"{', '.join(f'{x:.2f}' for x in each)} | {np.mean(each):.2f} | {p}")
            print(f"| {system} | {dev:.2f} | {' | '.join(cells)} |", flush=True)


def _write(path: Path, lines: Sequence[str], orders: Orders, first: int = 0) -> None:
    """The words of each line in another order; `first`: that of the first line."""
    reordered = (orders.apply(line, first + number) for number, line in enumerate(lines))
    path.write_text("".join(f"{line}\n" for line in reordered), "utf-8")


def _score(metric: int, texts: list[str], references: list[list[str]]) -> float:
    return float(METRICS[metric].score(METRICS[metric].rows(texts, references).sum(axis=0)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", default="kftt")
    parser.add_argument("--from", dest="source", default="ja")
    parser.add_argument("--to", dest="target", default="en")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--systems", nargs="+", default=["trees.6", "off.6+trees.6"])
    parser.add_argument("--base", default="off.6")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--rounds", type=int, default=TuneConfig.max_iterations)
    parser.add_argument("--symmetry", default=PreorderConfig.symmetry)
    parser.add_argument("--threshold", type=float, default=PreorderConfig.posterior_threshold)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    options.work.mkdir(parents=True, exist_ok=True)
    labels = PreorderConfig(symmetry=options.symmetry, posterior_threshold=options.threshold)
    bench = Bench(
        DATA / options.corpus,
        options.source,
        options.target,
        options.work,
        options.threads,
        labels,
    )
    Systems(bench, options.seeds, options.rounds).table(options.systems, options.base)


if __name__ == "__main__":
    main()
