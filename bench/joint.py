"""Joint training (paper 003) against the pipeline: its Figure 3 and Tables 1 and 2.

Data: DRAGOMAN_DATA or ../shared/data beside the checkout. Both methods have the same alignments,
language model, phrase length and limits of reordering; --pairs takes only the first so many
sentence pairs. One row per system and seed; --picture draws Figure 3. The row "default" is the
pipeline with its usual phrase length, reordering model, bilingual model, classes, context, and
translations of words never seen; none of the other systems has these, but with --unknown all tuned
ones have the last. --set gives joint training any of its options, e.g. --set
rules=unite null_cost=0.1; --variants one row each, e.g. --variants k=1 rules=unite,weights=carry.
--align-more: the aligner sees that many of the pairs behind the first ones, too (section 7.3 of
the paper). --hybrid: the default pipeline once more, p(t|s) and p(s|t) mixed half and half with
those of the last joint system where that knows the phrase pair. Means over seeds stand at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import tempfile
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, islice, product
from pathlib import Path

import numpy as np

from dragoman._core import match_table_rows
from dragoman.alignment import train as train_aligner
from dragoman.alignment.lexical import lexical_table_from_links
from dragoman.context.config import ContextConfig
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile, read_lines
from dragoman.declared import from_mapping
from dragoman.evaluation.metric import evaluate
from dragoman.evaluation.metrics import make_metric
from dragoman.layout import (
    ALIGNER,
    BACKWARD_LEXICON,
    FORWARD_LEXICON,
    JOINT_HISTORY,
    LINKS,
    PHRASES,
    HeldOutName,
    held_out_files,
)
from dragoman.learning.joint.config import JointConfig
from dragoman.learning.joint.learner import search_options
from dragoman.learning.reestimation.derivations import NO_ROW
from dragoman.lm.config import LmConfig
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.progress import to_terminal
from dragoman.rules.config import RulesConfig
from dragoman.rules.table import open_file
from dragoman.rules.thin import rewrite
from dragoman.search.options import SearchOptions
from dragoman.search.stack import PhraseSearch
from dragoman.training import pipeline
from dragoman.training.config import Config
from dragoman.training.pipeline import StageContext
from dragoman.training.plan import Material, training_stages
from dragoman.training.stages.align import open_bitext
from dragoman.tuning.config import TuneConfig
from dragoman.unknown.config import UnknownConfig

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("DRAGOMAN_DATA", ROOT.parent / "shared" / "data"))
LANGUAGES = {"multi30k": ("de", "en"), "kftt": ("ja", "en")}
OPTIONS = {
    "dl=6": {"reordering": "distortion", "distortion_limit": 6},
    "dl=10": {"reordering": "distortion", "distortion_limit": 10},
    "gap<=2": {"reordering": "gap", "gap_limit": 2},
}
METRIC = make_metric("bleu", tokenize="none")


@dataclass
class Row:
    system: str
    decoding: str
    null_rules: bool
    rules: int
    dev: float
    test: float
    seconds: float
    reachability: list[float]
    scores: list[float]
    seed: int = 1
    variant: str = ""
    # Pairs that weights were learnt from, by iteration.
    learnable: list[int] = field(default_factory=list)


def cut(paths: Sequence[Path], pairs: int, place: Path, name: str) -> ParallelFile:
    """The first `pairs` lines of two files."""
    copies = []
    for side, path in zip(("s", "t"), paths, strict=True):
        copies.append(place / f"{name}.{side}")
        with path.open(encoding="utf-8") as lines:
            kept = [line for _, line in zip(range(pairs), lines, strict=False)]
        copies[-1].write_text("".join(kept), "utf-8")
    return ParallelFile.plain(*copies)


class Experiment:
    """One corpus; systems of a kind are trained in the same directory, one after another."""

    def __init__(self, arguments: argparse.Namespace, place: Path) -> None:
        self._arguments, self._place = arguments, place

        def files(name: str) -> list[Path]:
            folder = DATA / arguments.corpus
            return [folder / f"{name}.{language}" for language in LANGUAGES[arguments.corpus]]

        self._material = Material(
            [cut(files("train"), arguments.pairs, place, "train")],
            cut(files("dev"), arguments.dev, place, "dev"),
            ParallelFile.plain(*files("test")),
        )
        more = arguments.align_more
        self._directory = ModelDirectory(place / ("aligned-with-more" if more else "model"))
        self._joint = self._directory
        self._behind = [
            list(islice(read_lines(path), arguments.pairs, arguments.pairs + more))
            for path in files("train")
        ]

    def align(self, context: StageContext) -> None:
        """The stage that aligns, with more text."""
        bitext = open_bitext(context)
        sides = (bitext.source_text, bitext.target_text)
        own = [[text(number) for number in range(len(bitext))] for text in sides]
        source, target = (here + there for here, there in zip(own, self._behind, strict=True))
        trained = train_aligner((source, target), context.config, threads=context.threads)
        links = trained.links.slice(0, len(bitext))
        links.save(context.output(LINKS))
        trained.aligner.model.save(str(context.output(ALIGNER)))
        lexical_table_from_links(bitext, links, "forward").save(
            str(context.output(FORWARD_LEXICON))
        )
        lexical_table_from_links(bitext, links, "backward").save(
            str(context.output(BACKWARD_LEXICON))
        )

    def train(self, config: Config, **instead: Callable[[StageContext], None]) -> float:
        """Bring the model up to date, some stages done otherwise; the seconds of the stages that
        differ."""
        if self._behind[0]:
            instead["align"] = self.align
        stages = [
            replace(stage, run=instead.get(stage.name, stage.run))
            for stage in training_stages(config, self._directory, self._material)
        ]
        outcomes = pipeline.run(
            self._directory,
            stages,
            whole=True,
            threads=self._arguments.threads,
            progress=to_terminal(self._arguments.quiet),
        )
        return sum(o.seconds for o in outcomes if o.stage in ("rules", "joint", "tune"))

    def score(self, name: HeldOutName, options: SearchOptions) -> float:
        bundle = Bundle.open(self._directory.path)
        source, target, _ = (self._directory.file(file) for file in held_out_files(name))
        search = PhraseSearch(bundle, options, threads=self._arguments.threads)
        lines = source.read_text("utf-8").splitlines()
        references = target.read_text("utf-8").splitlines()
        return evaluate(METRIC, search.translate(lines), [references]).value

    @property
    def rules(self) -> int:
        return Bundle.open(self._directory.path).native.phrase_pairs

    def config(self, seed: int, **parts: object) -> Config:
        prepare = PrepareConfig(tokeniser="whitespace")
        base = Config(
            prepare=prepare,
            lm=LmConfig(order=self._arguments.order, classes=0),
            rules=RulesConfig(max_length=3, reordering=(), bilingual_order=0),
            context=ContextConfig(use=False),
            unknown=UnknownConfig(sources=self._arguments.unknown),
            tune=self.tuning(seed),
        )
        return replace(base, **parts)  # type: ignore[arg-type]

    def tuning(self, seed: int) -> TuneConfig:
        arguments = self._arguments
        return TuneConfig(method=arguments.tuner, max_iterations=arguments.rounds, seed=seed)

    def default(self, seed: int) -> Row:
        """What `dragoman train` makes of the same text when it is told nothing."""
        return self._usual("default", seed)

    def hybrid(self, seed: int) -> Row:
        """The same with another phrase table."""
        directory = ModelDirectory(self._place / "hybrid")
        if seed == 1:
            shutil.rmtree(directory.path, ignore_errors=True)
            shutil.copytree(self._place / "default", directory.path, copy_function=os.link)
            directory.file(PHRASES).unlink()  # so that it is made anew
        return self._usual("hybrid", seed, rules=self.mix)

    def mix(self, context: StageContext) -> None:
        """The stage that writes the phrase table, from that of the default and the joint one."""
        default = ModelDirectory(self._place / "default")
        for name in context.stage.outputs:
            shutil.copyfile(default.file(name), context.output(name))
        table, joint = (open_file(model.file(PHRASES)) for model in (default, self._joint))
        rows = match_table_rows(table, joint)
        known = rows != NO_ROW
        own, other = table.scores(0, len(table)), joint.scores(0, len(joint))
        columns = {}
        for name in ("tm.fwd", "tm.bwd"):
            column = own[:, table.features.index(name)].copy()
            theirs = other[rows[known], joint.features.index(name)]
            column[known] = np.logaddexp(column[known], theirs) - np.log(2)
            columns[name] = column
        rewrite(table, context.output(PHRASES), columns=columns, quantise=table.quantised)

    def _usual(self, system: str, seed: int, **instead: Callable[[StageContext], None]) -> Row:
        """A model with plain defaults but for those stages, in a directory of its own."""
        config = Config(prepare=PrepareConfig(tokeniser="whitespace"), tune=self.tuning(seed))
        usual, self._directory = self._directory, ModelDirectory(self._place / system)
        try:
            seconds = self.train(config, **instead)
            options = SearchOptions()
            dev, test = self.score("dev", options), self.score("test", options)
            row = Row(system, "dl=6", False, self.rules, dev, test, seconds, [], [], seed)
        finally:
            self._directory = usual
        show(row)
        return row

    def baseline(self, seed: int) -> list[Row]:
        """Extraction from links, tuned on the dev set; decoded with each limit."""
        seconds = self.train(self.config(seed))
        rows = []
        for decoding in self._arguments.decoding:
            options = search_options(JointConfig(**OPTIONS[decoding]))  # type: ignore[arg-type]
            dev, test = self.score("dev", options), self.score("test", options)
            rows.append(
                Row("pipeline", decoding, False, self.rules, dev, test, seconds, [], [], seed)
            )
            show(rows[-1])
        return rows

    def joint(self, decoding: str, null_rules: bool, seed: int, variant: str) -> list[Row]:
        """One variant: as the perceptron left it, and tuned on the dev set on top."""
        settings: dict[str, object] = {
            "null_rules": null_rules,
            "max_iterations": self._arguments.iterations,
            "folds": self._arguments.folds,
            "sparse": self._arguments.sparse,
            "seed": 1 if self._arguments.fixed else seed,
            **OPTIONS[decoding],
        }
        changed = dict(map(setting, filter(None, variant.split(","))))
        config = from_mapping(JointConfig, settings | self._arguments.set | changed, "--set")
        options = search_options(config)
        rows = []
        # Where seeds are those of tuning, the perceptron's weights are the same for all of them.
        wanted = [False] if seed == 1 or not self._arguments.fixed else []
        for tuned in [*wanted, True] if self._arguments.tune else wanted:
            own = replace(config, tune=tuned)
            seconds = self.train(self.config(seed, method="joint", joint=own))
            history = self._directory.story(JOINT_HISTORY)["iterations"]
            rows.append(
                Row(
                    "joint+tune" if tuned else "joint",
                    decoding,
                    null_rules,
                    self.rules,
                    self.score("dev", options),
                    self.score("test", options),
                    seconds,
                    [entry["reachable"] / entry["pairs"] for entry in history],
                    [entry["score"] for entry in history],
                    seed,
                    variant,
                    [entry["learnable"] for entry in history],
                )
            )
            show(rows[-1])
        return rows


def show(row: Row) -> None:
    reach = f"{100 * row.reachability[-1]:6.1f}" if row.reachability else "     -"
    print(
        f"{row.system:10}  {row.decoding:6}  {'yes' if row.null_rules else 'no':>4}  {reach}  "
        f"{row.rules:9,}  {row.dev:6.2f}  {row.test:6.2f}  {row.seconds:8.1f}  {row.seed:4}  "
        f"{row.variant}",
        flush=True,
    )


def show_means(rows: Sequence[Row]) -> None:
    """All systems as a table, seeds together."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.system, row.decoding, row.null_rules, row.variant), []).append(row)
    print("\n| system | rules | iterations | learnt from | dev | test | mean |")
    print("|---|---|---|---|---|---|---|")
    for (system, decoding, null_rules, variant), group in groups.items():
        name = f"{system}, {decoding}{', null rules' * bool(null_rules)}"
        name += f", {variant}" if variant else ""
        lengths = "/".join(str(len(row.scores)) for row in group) if group[0].scores else ""
        learnt = f"{np.mean([row.learnable[-1] for row in group]):,.0f}" if lengths else ""
        print(
            f"| {name} | {np.mean([row.rules for row in group]):,.0f} | {lengths} | {learnt} "
            f"| {np.mean([row.dev for row in group]):.2f} "
            f"| {', '.join(f'{row.test:.2f}' for row in group)} "
            f"| {np.mean([row.test for row in group]):.2f} |"
        )


def draw(rows: Sequence[Row], title: str, path: Path) -> None:
    """Figure 3, the share of reachable pairs iteration by iteration, and dev BLEU beside it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.5), layout="constrained")
    figure.suptitle(title)
    reach, quality = figure.subplots(1, 2)
    for row in rows:
        if row.system != "joint" or row.seed != 1:
            continue
        label = f"{row.decoding} {'with' if row.null_rules else 'without'} null rules"
        style = "o-" if row.null_rules else "s--"
        iterations = [str(number) for number in range(1, len(row.scores) + 1)]
        reach.plot(iterations, [100 * share for share in row.reachability], style, label=label)
        quality.plot(iterations, row.scores, style, label=label)
    reach.set_ylim(0, 104)
    reach.set_ylabel("reachable sentence pairs, %")
    quality.set_ylabel("dev BLEU")
    for axes in (reach, quality):
        axes.set_xlabel("iteration")
    reach.legend(loc="lower left")
    figure.savefig(path, dpi=100)


def setting(text: str) -> tuple[str, object]:
    """NAME=VALUE of a configuration, the value as TOML has it or as a word."""
    name, _, value = text.partition("=")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", choices=sorted(LANGUAGES), default="multi30k")
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--dev", type=int, default=1_000_000, help="dev sentences, at most")
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--align-more", type=int, default=0, metavar="PAIRS")
    parser.add_argument("--folds", type=int, default=JointConfig.folds)
    parser.add_argument("--order", type=int, default=LmConfig.order)
    parser.add_argument("--tuner", default="mira")
    parser.add_argument("--rounds", type=int, default=6, help="of tuning")
    parser.add_argument("--tune", action="store_true", help="also tune joint models on top")
    parser.add_argument("--sparse", action="store_true", help="a weight for every rule")
    parser.add_argument("--decoding", nargs="+", choices=sorted(OPTIONS), default=list(OPTIONS))
    parser.add_argument("--null-rules", nargs="+", choices=("no", "yes"), default=["no", "yes"])
    parser.add_argument("--set", nargs="+", type=setting, default=[], metavar="NAME=VALUE")
    parser.add_argument("--variants", nargs="+", default=[""], metavar="NAME=VALUE,…")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--fixed", action="store_true", help="seeds are those of tuning alone")
    parser.add_argument("--default", action="store_true", help="also the pipeline as it is")
    parser.add_argument("--unknown", action="store_true", help="all translate words never seen")
    parser.add_argument("--hybrid", action="store_true", help="also with joint probabilities")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--no-baseline", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--keep", type=Path, help="a directory to work in, kept afterwards")
    arguments = parser.parse_args()
    arguments.set = dict(arguments.set)
    kept = arguments.keep is not None and (arguments.keep / "default").is_dir()
    if arguments.hybrid and not (arguments.default or kept):
        parser.error("--hybrid needs --default, or --keep with a directory that has one")
    if not (DATA / arguments.corpus).is_dir():
        parser.error(f"{DATA / arguments.corpus} is not there; set DRAGOMAN_DATA")
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        place = arguments.keep or Path(name)
        place.mkdir(parents=True, exist_ok=True)
        experiment = Experiment(arguments, place)
        print(f"{arguments.corpus}: phrases of up to 3 words, BLEU of tokens")
        print("system      limit   null  reach.      rules     dev    test   seconds  seed")
        rows: list[Row] = []
        # A system after the other: what the seeds share is not learnt again.
        seeds = range(1, arguments.seeds + 1)
        if arguments.default:
            rows += [experiment.default(seed) for seed in seeds]
        if not arguments.no_baseline:
            rows += chain.from_iterable(map(experiment.baseline, seeds))
        for null_rules, decoding, variant, seed in product(
            arguments.null_rules, arguments.decoding, arguments.variants, seeds
        ):
            rows += experiment.joint(decoding, null_rules == "yes", seed, variant)
        if arguments.hybrid:
            rows += [experiment.hybrid(seed) for seed in seeds]
        show_means(rows)
    if arguments.picture:
        draw(rows, arguments.corpus, arguments.picture)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{time.perf_counter() - begun:.0f} s, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
