"""Preordering: accuracy, orders and speed (the tables of paper 004).

    python bench/preorder.py [--corpus kftt] [--from ja] [--to en] [--work DIR] [--threads N]
                             [--parts labels,settings,ablation,speed]

The text and the parses (SET.LANG.trees or SET.LANG.conllu.gz) come from DRAGOMAN_DATA (or
../shared/data beside the checkout); --corpus may also be the path of a directory. With --work,
models are kept and used again; without, a directory is made and removed.

labels    Kendall's tau and the fuzzy reordering score: as it stands, reordered along trees, at
          best along those trees, reordered without a parser. Of dev and test by the links of an
          aligner trained on text in its own order, which misses long moves; of the sentences in
          gold/CORPUS.* by hand-made links
settings  what labels are made of: symmetrisation, weights, and an aligner that learns from
          hand-made links, as the supervised one of Table 4; two halves of them by turns, one to
          learn from, one to score by. One turn; target words lower-cased, as the gold ones are
ablation  classification accuracy, as Table 3
speed     CPU time of training and of applying, peak memory

What translation gains is measured by bench/preorder_systems.py.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import shutil
import tempfile
import time
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from dragoman._core import NodeClassifier, Trees
from dragoman.alignment import Aligner, Links
from dragoman.alignment import train as train_aligner
from dragoman.alignment.score import GoldLinks
from dragoman.corpus.bitext import SentenceIds
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile, read_lines
from dragoman.model.directory import ModelDirectory
from dragoman.preorder import (
    accuracy,
    examine,
    load_preorderer,
    oracle_scores,
    read_trees,
    train_btg,
    train_classifier,
)
from dragoman.preorder.config import PreorderConfig
from dragoman.preorder.features import PAPER
from dragoman.progress import to_terminal
from dragoman.training import pipeline
from dragoman.training.config import Config
from dragoman.training.plan import Material, training_stages

DATA = Path(
    os.environ.get("DRAGOMAN_DATA", Path(__file__).resolve().parents[1].parent / "shared" / "data")
)
SETS = ("train", "dev", "test")
# The stages that want a tuned model, and tuning itself.
WITH_WEIGHTS = {"tune", "resort", "confidence", "test", "report"}


@dataclass
class Bench:
    """What all parts share."""

    corpus: Path
    source: str
    target: str
    work: Path
    threads: int
    labels: PreorderConfig = field(default_factory=PreorderConfig)

    def text(self, name: str, side: str) -> list[str]:
        return list(read_lines(self.corpus / f"{name}.{side}"))

    def tree_file(self, name: str) -> Path:
        brackets = self.corpus / f"{name}.{self.source}.trees"
        return brackets if brackets.exists() else brackets.with_suffix(".conllu.gz")

    def config(self, method: str) -> Config:
        return Config(
            prepare=PrepareConfig(
                tokeniser="whitespace",
                source_language=self.source,
                target_language=self.target,
                drop_duplicates=False,
                drop_copies=False,
            ),
            preorder=replace(self.labels, method=method),  # type: ignore[arg-type]
        )

    def model(self, method: str, sources: Mapping[str, Path] | None = None) -> Path:
        """A model with everything but weights; `sources`: of the three sets, in another order."""
        directory = self.work / method
        place = ModelDirectory(directory)
        text = {name: [self.corpus / f"{name}.{side}" for side in self.sides] for name in SETS}
        for name, path in (sources or {}).items():
            text[name][0] = path
        train, dev, test = (ParallelFile.plain(*text[name]) for name in SETS)
        trees = [self.tree_file(name) for name in SETS] if method == "trees" else []
        material = Material([train], dev, test, trees=trees)
        config = self.config("off" if sources else method)
        stages = training_stages(config, place, material)
        wanted = [stage for stage in stages if stage.name not in WITH_WEIGHTS]
        pipeline.run(place, wanted, threads=self.threads, progress=to_terminal())
        return directory

    @property
    def sides(self) -> tuple[str, str]:
        return self.source, self.target

    def links(self, symmetry: str) -> dict[str, Links]:
        """Of all sets, by an aligner trained on the training set."""
        aligner = Aligner.load(self.model("off"))
        found = {}
        for name in SETS:
            ids = [
                SentenceIds(*vocabulary.encode(self.text(name, side)))
                for vocabulary, side in zip(
                    (aligner.source_vocabulary, aligner.target_vocabulary), self.sides, strict=True
                )
            ]
            found[name] = aligner.align(ids[0], ids[1], symmetry=symmetry, threads=self.threads)
        return found


def labels(bench: Bench, trees: dict[str, Trees], links: dict[str, Links]) -> None:
    """Orders before, after, and at best."""
    models = [load_preorderer(bench.model(method)) for method in ("trees", "btg")]
    sets = {name: (bench.text(name, bench.source), trees[name], links[name]) for name in SETS[1:]}
    lines, gold, _ = gold_links(bench, sets["dev"][0])
    if len(lines):
        chosen = [sets["dev"][0][line] for line in lines]
        sets["gold"] = (chosen, trees["dev"].select(lines), gold)
    print("| set | order | tau | fuzzy reordering | accuracy |\n|---|---|---|---|---|")
    for name, (text, parses, pairs) in sets.items():
        along, alone = (examine(model, text, pairs, parses) for model in models)
        assert along.oracle is not None
        assert along.accuracy is not None
        rows = (
            ("as it stands", along.before, ""),
            ("trees", along.after, f"{100 * along.accuracy:.2f}"),
            ("trees, at best", along.oracle, ""),
            ("no parser", alone.after, ""),
        )
        for what, score, share in rows:
            print(f"| {name} | {what} | {score.tau:.3f} | {score.fuzzy:.3f} | {share} |")


def gold_links(bench: Bench, dev: Sequence[str]) -> tuple[np.ndarray, Links, list[str]]:
    """Which lines of the dev set have hand-made links, these, and the target sentences.

    The gold files may be lower-cased and split into other words: words are those that share
    characters.
    """

    def plain(text: str) -> str:
        return unicodedata.normalize("NFKC", text).lower()

    def places(text: str) -> list[int]:
        """For each character the word it belongs to."""
        return [at for at, word in enumerate(text.split()) for _ in plain(word)]

    lines = {plain("".join(line.split())): number for number, line in enumerate(dev)}
    prefix = DATA / "gold" / bench.corpus.name
    ends = (*bench.sides, "links")
    files = [prefix.with_name(f"{prefix.name}.{end}") for end in ends]
    found: dict[int, list[tuple[int, int]]] = {}
    targets: dict[int, str] = {}
    if all(path.exists() for path in files):
        for text, target, pairs in zip(*map(read_lines, files), strict=True):
            number = lines.get(plain("".join(text.split())))
            if number is None:
                continue
            sure = [tuple(map(int, pair.split("-"))) for pair in pairs.split() if "-" in pair]
            targets[number] = target
            words = set(zip(places(text), places(dev[number]), strict=True))
            found[number] = sorted(
                {(ours, there) for here, there in sure for word, ours in words if word == here}
            )
    return (
        np.array(list(found), dtype=np.int64),
        Links.of(list(found.values())),
        list(targets.values()),
    )


# Symmetrisation, posterior threshold, weighting of labels, whether the aligner has examples.
SETTINGS: tuple[tuple[str, float, str, bool], ...] = (
    ("grow-diag-final-and", 0.3, "equal", False),
    ("grow-diag-final-and", 0.3, "gain", False),
    ("intersection", 0.3, "equal", False),
    ("union", 0.3, "equal", False),
    ("posterior", 0.3, "equal", False),
    ("posterior", 0.1, "equal", False),
    ("grow-diag-final-and", 0.3, "equal", True),
    ("posterior", 0.1, "equal", True),
)


def settings(bench: Bench, trees: dict[str, Trees]) -> None:
    """Accuracy and tau by hand-made links that nothing has been learnt from."""
    dev = bench.text("dev", bench.source)
    lines, gold, targets = gold_links(bench, dev)
    source = bench.text("train", bench.source)
    target = [line.lower() for line in bench.text("train", bench.target)]
    print("| symmetry | threshold | weighting | examples | accuracy | tau |")
    print("|---|---|---|---|---|---|", flush=True)
    rows: dict[tuple[str, float, str, bool], list[tuple[float, float]]] = {}
    for half, with_examples in itertools.product(range(2), (False, True)):
        given = [n for n in range(len(lines)) if n % 2 == half]
        held = np.array([n for n in range(len(lines)) if n % 2 != half])
        examples = [GoldLinks(pairs, pairs) for pairs in map(as_set, (gold[n] for n in given))]
        text = ([dev[lines[n]] for n in given] + source, [targets[n] for n in given] + target)
        aligner = train_aligner(
            text, examples=examples if with_examples else (), threads=bench.threads
        ).aligner
        for setting in SETTINGS:
            symmetry, threshold, weighting, wants_examples = setting
            if wants_examples != with_examples:
                continue
            found = Links.concatenate(
                list(
                    aligner.align_text(
                        zip(source, target, strict=True),
                        symmetry=symmetry,
                        threshold=threshold,
                        threads=bench.threads,
                    )
                )
            )
            config = PreorderConfig(method="trees", weighting=weighting)  # type: ignore[arg-type]
            path = bench.work / "settings"
            path.mkdir(exist_ok=True)
            train_classifier(
                trees["train"], found, path / "classifier", config, threads=bench.threads
            )
            examined = examine(
                load_preorderer(path),
                [dev[lines[n]] for n in held],
                Links.of([sorted(as_set(gold[int(n)])) for n in held]),
                trees["dev"].select(lines[held]),
            )
            assert examined.accuracy is not None
            rows.setdefault(setting, []).append((examined.accuracy, examined.after.tau))
            if half == 1:
                share, tau = np.mean(rows[setting], axis=0)
                print(
                    f"| {symmetry} | {threshold} | {weighting} | "
                    f"{len(given) if wants_examples else 0} | {100 * share:.2f} | {tau:.3f} |",
                    flush=True,
                )


def as_set(links: np.ndarray) -> frozenset[tuple[int, int]]:
    return frozenset((int(i), int(j)) for i, j in links)


def ablation(bench: Bench, trees: dict[str, Trees], links: dict[str, Links]) -> None:
    """Table 3: accuracy without one set of templates after the other."""
    rest = {name: tuple(one for one in PAPER if one != name) for name in PAPER}
    rows = [("the paper's templates", PAPER)]
    rows += [(f"without {name}", rest[name]) for name in PAPER]
    rows += [("Li et al. (2007)", ("li2007",)), ("the paper's and heads", (*PAPER, "heads"))]
    print("| templates | dev | test |\n|---|---|---|")
    path = bench.work / "ablation"
    for what, sets in rows:
        config = PreorderConfig(method="trees", features=sets)
        train_classifier(trees["train"], links["train"], path, config, threads=bench.threads)
        model = NodeClassifier(str(path))
        found = [
            100 * accuracy(model.scores(trees[name], 1), oracle_scores(trees[name], links[name]))
            for name in ("dev", "test")
        ]
        print(f"| {what} | {found[0]:.2f} | {found[1]:.2f} |", flush=True)


def speed(bench: Bench, trees: dict[str, Trees], links: dict[str, Links]) -> None:
    """CPU time, which does not depend on what else the machine does."""

    def seconds(work: object) -> float:
        assert callable(work)
        begun = time.process_time()
        work()
        return time.process_time() - begun

    print("| what | CPU seconds | sentences/s |\n|---|---|---|")
    lines, count = bench.text("train", bench.source), len(trees["train"])
    path = bench.work / "speed"
    path.mkdir(exist_ok=True)
    aligner = Aligner.load(bench.work / "off")
    ids = SentenceIds(*aligner.source_vocabulary.encode(lines))

    def show(what: str, work: object, repeat: int = 1) -> None:
        best = min(seconds(work) for _ in range(repeat))
        print(f"| {what} | {best:.2f} | {count / best:,.0f} |", flush=True)

    show("read CoNLL-U", lambda: read_trees(bench.tree_file("train")))
    show(
        "train, trees",
        lambda: train_classifier(trees["train"], links["train"], path / "classifier"),
    )
    along = load_preorderer(path)
    show("apply, trees", lambda: along.orders(lines, trees["train"]), 3)
    (path / "classifier").unlink()
    show(
        "train, no parser, with word classes",
        lambda: train_btg(ids, links["train"], aligner.source_vocabulary, path / "btg"),
    )
    alone = load_preorderer(path)
    show("apply, no parser", lambda: alone.orders(lines), 3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"\npeak memory of the whole run: {peak:.2f} GB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", default="kftt")
    parser.add_argument("--from", dest="source", default="ja")
    parser.add_argument("--to", dest="target", default="en")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--parts", default="labels,settings,ablation,speed")
    options = parser.parse_args()
    place = options.work or Path(tempfile.mkdtemp(prefix="dragoman-preorder-"))
    place.mkdir(parents=True, exist_ok=True)
    corpus = DATA / options.corpus
    bench = Bench(corpus, options.source, options.target, place, options.threads)
    parts = options.parts.split(",")
    try:
        if "settings" in parts:
            print("\n## settings\n", flush=True)
            settings(bench, {name: read_trees(bench.tree_file(name)) for name in SETS[:2]})
        if {"labels", "ablation", "speed"} & set(parts):
            links = bench.links(PreorderConfig.symmetry)
            trees = {name: read_trees(bench.tree_file(name)) for name in SETS}
            for name, part in (("labels", labels), ("ablation", ablation), ("speed", speed)):
                if name in parts:
                    print(f"\n## {name}\n", flush=True)
                    part(bench, trees, links)
    finally:
        if options.work is None:
            shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
