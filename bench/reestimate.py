"""Oracle-BLEU re-estimation (paper 002) against forced decoding: the paper's Tables 1 to 4.

    python bench/reestimate.py [--data DIR] [--work DIR] [--corpora multi30k kftt] [--seeds 3]
                               [--lists 1 10 100] [--forced-lists 1 10 100] [--rounds 10]
                               [--ways paper package both] [--study] [--sizes 20000 40000]
                               [--models DIR] [--pairs 10000 --pool 2] [--systems PT_re PT_in]
                               [--tuner mira] [--reordering hierarchical] [--lm-texts FILE]
                               [--smoothing kneser-ney] [--examples 3]

Baselines are trained with the defaults, or taken from --models, a directory with a
trained model for each corpus (rows that need a bilingual model fall away when it has none). Every
system, the baseline too, is tuned anew, once for each seed; with --seeds 0 none is, and all take
the weights of the baseline. BLEU is the mean over seeds, significance is of all of them together,
by approximate randomisation.
With --pairs, models are trained on the first pairs of the text, and --pool adds so many thousands
of the pairs behind them to the test set, so that smaller gains can be told from chance.
--systems, of every derivation, leaves out the other rows. --examples prints some pairs as Figure 1
draws them: the links, and the phrases of single derivations. Raw corpora are tokenised as by
default. What is finished lies in the work directory and is not done again: --tuner,
--reordering and --lm-texts want one of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

import dragoman
from dragoman.cli import reestimate as small
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import read_lines
from dragoman.crew import Here
from dragoman.declared import from_mapping
from dragoman.evaluation.metrics import make_metric
from dragoman.evaluation.significance import compare
from dragoman.layout import (
    BILINGUAL_MODEL,
    BILINGUAL_VOCABULARY,
    PHRASES,
    held_out_files,
)
from dragoman.learning.reestimation.config import DeriveConfig, ReestimateConfig
from dragoman.learning.reestimation.derivations import Derivations
from dragoman.learning.reestimation.models import (
    Baseline,
    Renewed,
    derived_bitext,
    renew,
)
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import Vector, default_weights, lowest_weights, normalised
from dragoman.progress import to_terminal
from dragoman.rules.config import RulesConfig
from dragoman.search.stack import PhraseSearch
from dragoman.training.config import Config
from dragoman.training.stages.reestimate import Derived
from dragoman.tuning.loop import make_optimiser, tune
from dragoman.tuning.pool import NbestLists

LANGUAGES = {
    "multi30k": ("de", "en"),
    "kftt": ("ja", "en"),
    "libreoffice": ("fr", "en"),
    "tatoeba": ("de", "en"),
    "multi30k-raw": ("de", "en"),
}
FILES = {
    "phrases": PHRASES,
    "bilingual vocabulary": BILINGUAL_VOCABULARY,
    "bilingual model": BILINGUAL_MODEL,
}
# Rows of the paper's tables; BiLM mixed instead of replaced; one with all models (the package's
# default); one with the small table and mixed scores. New and old count the same in mixtures.
PT_RE = ReestimateConfig(table="replace", reordering="keep", bilm="keep")
PT_SEL = ReestimateConfig(table="select", reordering="keep", bilm="keep")
PT_IN = ReestimateConfig(table="interpolate", reordering="keep", bilm="keep")
PT_IN_BILM = ReestimateConfig(table="interpolate", reordering="keep", bilm="replace")
BILM_RE = ReestimateConfig(table="keep", reordering="keep", bilm="replace")
BILM_IN = ReestimateConfig(table="keep", reordering="keep", bilm="interpolate")
BOTH_IN = ReestimateConfig(table="interpolate", reordering="keep", bilm="interpolate")
ALL = ReestimateConfig()
# What `dragoman reestimate --small` does.
SMALL_DERIVE = from_mapping(DeriveConfig, small.SMALL_DERIVE, "--small")
SMALL = from_mapping(ReestimateConfig, small.SMALL_MODELS, "--small")
METRIC = make_metric("bleu", tokenize="none")
EXAMPLE_WORDS = range(7, 12)
System = tuple[str, ReestimateConfig]


@dataclass(frozen=True)
class Score:
    """A system on the test set: BLEU and translations of each seed."""

    dev: list[float]
    test: list[float]
    texts: list[list[str]]

    @property
    def mean(self) -> float:
        return float(np.mean(self.test))


class Study:
    """One corpus, or the first `pairs` of it."""

    def __init__(self, corpus: str, arguments: argparse.Namespace, pairs: int = 0) -> None:
        self.corpus, self.arguments = corpus, arguments
        self.work: Path = arguments.work / (f"{corpus}-{pairs}" if pairs else corpus)
        self.work.mkdir(parents=True, exist_ok=True)
        self.threads: int = arguments.threads
        self.seeds = list(range(1, arguments.seeds + 1)) or [0]
        self.model = self.work / "model"
        if arguments.models is not None:
            self.model = arguments.models / corpus
        else:
            self._train(arguments.data / corpus, pairs)
        self.pool = self._pool(arguments.data / corpus, pairs)
        self.original = Derived.of(ModelDirectory(self.model)).original()
        self.start = Bundle.open(self.model).weights
        self.dev_derivations = self.derived(
            "dev", lambda: self.original.derive_dev(DeriveConfig(), self.work, **self._loud())
        )

    def _loud(self) -> dict[str, object]:
        return {"crew": Here(self.threads), "progress": to_terminal()}

    def _train(self, data: Path, pairs: int) -> None:
        source, target = LANGUAGES[self.corpus]

        def pair(name: str) -> tuple[Path, Path]:
            return data / f"{name}.{source}", data / f"{name}.{target}"

        text = pair("train")
        if pairs:
            for path in text:
                lines = islice(read_lines(path), pairs)
                (self.work / path.name).write_text("".join(f"{x}\n" for x in lines), "utf-8")
            text = self.work / text[0].name, self.work / text[1].name
        dragoman.train(
            text,
            self.model,
            dev=pair("dev"),
            test=pair("test"),
            source_language=source,
            target_language=target,
            lm_texts=self.arguments.lm_texts,
            config=Config(
                prepare=PrepareConfig(
                    tokeniser="auto" if self.corpus.endswith("-raw") else "whitespace"
                ),
                rules=RulesConfig(
                    smoothing=self.arguments.smoothing,
                    reordering=tuple(self.arguments.reordering),
                ),
            ),
            threads=self.threads,
            progress=True,
        )

    def _pool(self, data: Path, pairs: int) -> tuple[list[str], list[str]]:
        """More to test on: the pairs of the text behind those that were trained on."""
        if not self.arguments.pool:
            return [], []
        form = ModelDirectory(self.model).text_form()
        behind = islice(
            zip(*(read_lines(data / f"train.{x}") for x in LANGUAGES[self.corpus]), strict=True),
            pairs,
            pairs + 1000 * self.arguments.pool,
        )
        prepared = [form.prepare_pair(*pair) for pair in behind]
        return [source for source, _ in prepared], [target for _, target in prepared]

    def bundle(self, place: Path) -> Bundle:
        """The baseline with the tables and bilingual models that lie in `place`."""
        files = ModelDirectory(self.model).model_files(full_table=True)
        if place != self.model:
            files = replace(files, table=place / PHRASES)
            if (place / BILINGUAL_MODEL).exists():
                files = replace(
                    files,
                    bilingual_model=place / BILINGUAL_MODEL,
                    bilingual_vocabulary=place / BILINGUAL_VOCABULARY,
                )
        return Bundle.of_files(files)

    def derived(self, name: str, make: Callable[[], Derivations | None]) -> Derivations:
        path = self.work / f"{name}.npz"
        if not path.exists():
            begun, cpu = time.perf_counter(), time.process_time()
            found = make()
            assert found is not None
            found.save(path)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            (self.work / f"{name}.json").write_text(
                json.dumps(
                    {
                        "seconds": time.perf_counter() - begun,
                        "cpu": time.process_time() - cpu,
                        "peak": peak,
                    }
                )
            )
        return Derivations.load(path)

    def derive(self, name: str, config: DeriveConfig) -> Derivations:
        return self.derived(
            name,
            lambda: Derivations.concatenate(
                [self.original.derive(part, self.work, **self._loud()) for part in config.parts()]
            ),
        )

    def build(self, name: str, derivations: Derivations, config: ReestimateConfig) -> Renewed:
        """Estimate the models of a system."""
        place, note = self.work / name, self.work / f"{name}.renewed.json"
        scored = all(self._note(name, seed).exists() for seed in self.seeds)
        if note.exists() and (scored or place.exists()):
            return Renewed(**json.loads(note.read_text()))
        shutil.rmtree(place, ignore_errors=True)
        for file in FILES.values():
            (place / file).parent.mkdir(parents=True, exist_ok=True)
        dev = self.original.dev()
        assert dev is not None
        renewed = renew(
            Baseline(
                self.original.table(),
                self.original.bitext(),
                derivations,
                self.original.rules,
                dev[1],
                self.dev_derivations,
                self.original.pairs().links,
                self.original.files.bilingual_model,
            ),
            config,
            lambda file: place / FILES[file],
            threads=self.threads,
        )
        note.write_text(json.dumps(renewed.__dict__))
        return renewed

    def score(self, name: str, place: Path) -> Score:
        """Tune and translate; with no seeds, translate with the baseline's weights."""
        found = [self._score_seed(name, place, seed) for seed in self.seeds]
        return Score(*([one[part] for one in found] for part in ("dev", "test", "text")))

    def _note(self, name: str, seed: int) -> Path:
        return self.work / f"{name}.seed{seed}.json"

    def _score_seed(self, name: str, place: Path, seed: int) -> dict:
        note = self._note(name, seed)
        if note.exists():
            return json.loads(note.read_text())
        bundle = self.bundle(place)
        weights = self.tuned(bundle, *self.held_out("dev"), seed) if seed > 0 else self.start
        search = PhraseSearch(bundle, weights=weights, threads=self.threads)
        scores = {"weights": dict(zip(bundle.features, weights.tolist(), strict=True))}
        for part in ("dev", "test"):
            sources, references = self.held_out(part)
            text = search.translate(sources)
            scores[part] = METRIC.score(METRIC.rows(text, [references]).sum(axis=0))
        scores["text"] = text
        note.write_text(json.dumps(scores))
        print(
            f"{self.corpus} {name} seed {seed}: dev {scores['dev']:.2f} test {scores['test']:.2f}",
            flush=True,
        )
        return scores

    def tuned(
        self, bundle: Bundle, sources: Sequence[str], references: Sequence[str], seed: int
    ) -> Vector:
        """Weights that suit these sentences."""

        def decode(weights: Vector) -> NbestLists:
            scaled = normalised(bundle.features, weights)
            search = PhraseSearch(bundle, weights=scaled, threads=self.threads)
            return NbestLists.joined(search.decode_nbest(sources, 100), len(weights))

        result = tune(
            decode,
            [references],
            default_weights(bundle.features),
            METRIC,
            make_optimiser(self.arguments.tuner, lowest=lowest_weights(bundle.features)),
            max_iterations=self.arguments.rounds,
            seed=seed,
            threads=self.threads,
        )
        return normalised(bundle.features, result.weights)

    def held_out(self, part: str) -> tuple[list[str], list[str]]:
        """The source sentences and references of "dev" or "test"."""
        sources, references = (list(read_lines(self.model / f)) for f in held_out_files(part)[:2])
        if part == "test":
            return sources + self.pool[0], references + self.pool[1]
        return sources, references

    def cell(self, score: Score, baseline: Score) -> str:
        """BLEU, the gain, and how sure it is."""
        references = [self.held_out("test")[1]]
        # Sentences change sides with the translations of all seeds (Clark et al. 2011), so that
        # the luck of one tuning run is not taken for a difference of systems.
        test = compare(
            METRIC,
            *(
                np.sum([METRIC.rows(text, references) for text in one.texts], axis=0)
                for one in (baseline, score)
            ),
        )
        gain = score.mean - baseline.mean
        sure = test.p_randomisation
        mark = ("▲" if gain > 0 else "▼") if sure < 0.01 else ""
        mark = mark or (("△" if gain > 0 else "▽") if sure < 0.05 else "")
        return f"{score.mean:.2f}{mark} ({gain:+.2f}, p = {sure:.2f})"

    def row(
        self, label: str, name: str, derivations: Derivations, config: ReestimateConfig
    ) -> str:
        key = f"{name}.{label}"
        renewed = self.build(key, derivations, config)
        score = self.score(key, self.work / key)
        baseline = self.score("baseline", self.model)
        shutil.rmtree(self.work / key, ignore_errors=True)
        return (
            f"| {name} {label} | {self.cell(score, baseline)} | {np.mean(score.dev):.2f} "
            f"| {renewed.written / renewed.rows:.2%} |"
        )

    def oracle_quality(self) -> None:
        """Is the pick as good as the best of a long list, and how far from the model's best?"""
        config = DeriveConfig(sample=self.arguments.quality)
        found = self.derived(
            "quality",
            lambda: self.original.derive(config, self.work, compare_with=1000, **self._loud()),
        )
        model, listed, pick = found.objectives.T
        before, after = found.corpus_bleu()
        print(
            f"\n{self.corpus}: oracle of {len(found):,} pairs: BLEU {before:.2f} -> {after:.2f}; "
            f"objective at least that of the best of 1,000 on "
            f"{np.mean(pick >= listed - 1e-9):.2%}; means: model {model.mean():.4f}, best of "
            f"1,000 {listed.mean():.4f}, oracle {pick.mean():.4f}"
        )

    def wanted(self, systems: list[System]) -> list[System]:
        """Those of --systems, or all."""
        names = self.arguments.systems
        return [system for system in systems if not names or system[0] in names]

    def tables(self) -> None:
        baseline = self.score("baseline", self.model)
        print(
            f"\n## {self.corpus}\n\nBaseline: BLEU {baseline.mean:.2f} on test "
            f"({', '.join(f'{x:.2f}' for x in baseline.test)}), {np.mean(baseline.dev):.2f} on dev"
        )
        print("\n| system | test BLEU | dev BLEU | table |\n|---|---|---|---|", flush=True)
        # The paper's way, and the package's: leave-one-out, and only what references confirm.
        ways = {"paper": (False, "", "all"), "package": (True, "_LO", "confirmed")}
        for leave, suffix, count in (ways[way] for way in self.arguments.ways if way in ways):
            for n in self.arguments.lists:
                name = f"OB{suffix}{n}"
                found = self.derive(name, DeriveConfig(nbest=n, leave_one_out=leave))
                systems = [("PT_re", PT_RE), ("PT_select", PT_SEL), ("PT_in", PT_IN)]
                if self.original.files.bilingual_model is not None:
                    systems.append(("PT_in+BiLM_re", PT_IN_BILM))
                    if n == 1:
                        systems += [("PT_base+BiLM_re", BILM_RE), ("PT_base+BiLM_in", BILM_IN)]
                        systems += [("PT_in+BiLM_in", BOTH_IN)]
                if n == 1:
                    systems += [("all", ALL)]
                for label, config in self.wanted(systems):
                    models = replace(config, count=count)
                    print(self.row(label, name, found, models), flush=True)
            for n in self.arguments.forced_lists:
                config = DeriveConfig(method="forced", nbest=n, leave_one_out=leave)
                name = f"FD{suffix}{n}"
                found = self.derive(name, config)
                rival = [("PT_re", PT_RE), ("PT_in", PT_IN), ("all", ALL)]
                for label, models in self.wanted(rival):
                    print(self.row(label, name, found, models), flush=True)
        if "both" in self.arguments.ways:
            found = self.derive("both", SMALL_DERIVE)
            selected = replace(PT_SEL, size=SMALL.size)
            mixed = replace(PT_IN, count=SMALL.count)
            rows = [("PT_re", SMALL), ("PT_select", selected), ("PT_in", mixed)]
            for label, models in self.wanted(rows):
                print(self.row(label, "both", found, models), flush=True)
        for note in sorted(self.work.glob("*.json")):
            facts = json.loads(note.read_text())
            if "cpu" not in facts:
                continue
            found = Derivations.load(note.with_suffix(".npz"))
            before, after = found.corpus_bleu()
            bleu = f", BLEU {before:.2f} -> {after:.2f}" if after else ""
            print(
                f"{note.stem}: {found.derived:,} of {len(found):,} derived{bleu}, "
                f"{facts['seconds']:.0f} s ({facts['cpu']:.0f} s of CPU), peak "
                f"{facts['peak']:.0f} MB"
            )

    def examples(self, most: int) -> None:
        """The first pairs of some length whose oracle is not the reference: their links, and how
        single derivations cut them into phrases."""
        configs = {
            "FD1": DeriveConfig(method="forced", leave_one_out=False),
            "FD_LO1": DeriveConfig(method="forced"),
            "OB1": DeriveConfig(leave_one_out=False),
        }
        cut = {name: self.phrases(self.derive(name, config)) for name, config in configs.items()}
        bitext, links = self.original.bitext(), self.original.pairs().links
        assert links is not None
        for pair in range(len(bitext)):
            source, target = bitext.source_text(pair), bitext.target_text(pair)
            found = {name: phrases.get(pair, "") for name, phrases in cut.items()}
            if len(source.split()) not in EXAMPLE_WORDS or not all(found.values()):
                continue
            cells = found["OB1"].removesuffix("]").split("] [")
            if " ".join(cell.split(" | ")[1] for cell in cells) == target:
                continue
            pairs = " ".join(f"{i}-{j}" for i, j in links[pair])
            print(f"\npair {pair + 1}\nsource  {source}\ntarget  {target}\nlinks   {pairs}")
            for name, phrases in found.items():
                print(f"{name:7} {phrases}")
            most -= 1
            if not most:
                break

    def phrases(self, derivations: Derivations) -> dict[int, str]:
        """By pair, what a derivation says: [source phrase | target phrase] in target order."""
        derived, _ = derived_bitext(self.original.table(), self.original.bitext(), derivations)
        ends = np.cumsum(derivations.steps)
        said: dict[int, str] = {}
        for number, pair in enumerate(derivations.pair_of_derivation):
            source, target = derived.source_text(number).split(), derived.target_text(number)
            words, cells = iter(target.split()), []
            for begin, end, length in derivations.spans[
                ends[number] - derivations.steps[number] : ends[number]
            ].tolist():
                there = " ".join(islice(words, length))
                cells.append(f"[{' '.join(source[begin:end])} | {there}]")
            said[int(derivations.numbers[pair])] = " ".join(cells)
        return said

    def study(self) -> None:
        """What mu, the count threshold and the weight of the mixture are worth."""
        print("\n| setting | test BLEU | dev BLEU | table |\n|---|---|---|---|")
        usual = (("PT_re", PT_RE), ("PT_in", PT_IN))
        more = (("PT_re", PT_RE), ("PT_select", PT_SEL), ("all", ALL))
        for name, config, systems in (
            ("mu0", DeriveConfig(mu=0.0), usual),
            ("mu0.9", DeriveConfig(mu=0.9), usual),
            ("count1", DeriveConfig(min_count=1), usual),
            ("count3", DeriveConfig(min_count=3), usual),
            ("count1_n10", DeriveConfig(min_count=1, nbest=10), more),
        ):
            found = self.derive(name, config)
            for label, models in systems:
                print(self.row(label, name, found, models), flush=True)
        found = self.derive("OB_LO1", DeriveConfig())
        for weight in (0.25, 0.75, None):
            label = f"PT_in {weight if weight is not None else 'fitted'}"
            print(self.row(label, "OB_LO1", found, replace(PT_IN, weight=weight)), flush=True)


def sizes(corpus: str, arguments: argparse.Namespace) -> None:
    """What re-estimation gives with less text."""
    print(f"\n## {corpus}, its first pairs\n")
    print("| pairs | baseline | PT_re | table | all |\n|---|---|---|---|---|")
    for pairs in (*sorted(arguments.sizes), 0):
        study = Study(corpus, arguments, pairs)
        baseline = study.score("baseline", study.model)
        found = study.derive("OB_LO1", DeriveConfig())
        cells, share = [], 0.0
        for label, config in (("PT_re", PT_RE), ("all", ALL)):
            key = f"OB_LO1.{label}"
            renewed = study.build(key, found, config)
            cells.append(study.cell(study.score(key, study.work / key), baseline))
            share = share or renewed.written / renewed.rows
            shutil.rmtree(study.work / key, ignore_errors=True)
        print(
            f"| {len(study.original.bitext()):,} | {baseline.mean:.2f} | {cells[0]} "
            f"| {share:.1%} | {cells[1]} |",
            flush=True,
        )


def arguments_of_a_study(description: str, work: str) -> argparse.ArgumentParser:
    """What every comparison of re-estimated models can be told."""
    parser = argparse.ArgumentParser(description=description)
    here = Path(os.environ.get("DRAGOMAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=here)
    parser.add_argument("--work", type=Path, default=Path(work))
    parser.add_argument(
        "--smoothing",
        default="kneser-ney",
        choices=["none", "good-turing", "kneser-ney"],
        help="of the baseline's phrase probabilities",
    )
    parser.add_argument(
        "--reordering",
        nargs="*",
        default=list(RulesConfig.reordering),
        choices=["word", "phrase", "hierarchical"],
        help="models of the baseline",
    )
    parser.add_argument("--tuner", default="mira", choices=["mira", "pro", "mert"])
    parser.add_argument("--lm-texts", nargs="*", type=Path, default=[], help="more target text")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.set_defaults(pool=0)
    return parser


def main() -> None:
    parser = arguments_of_a_study(__doc__.splitlines()[0], "build/bench-reestimate")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--corpora", nargs="+", default=["multi30k", "kftt"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=10, help="of tuning")
    parser.add_argument("--lists", type=int, nargs="*", default=[1, 10, 100])
    parser.add_argument("--forced-lists", type=int, nargs="*", default=[1, 10, 100])
    parser.add_argument(
        "--ways",
        nargs="+",
        choices=("paper", "package", "both"),
        default=["paper", "package", "both"],
        help="the paper's way, the package's, and oracles with forced derivations",
    )
    parser.add_argument("--pairs", type=int, default=0, help="train on so many; 0: all")
    parser.add_argument("--pool", type=int, default=0, help="thousands of pairs to test on, too")
    parser.add_argument("--systems", nargs="*", default=[], help="only these of each derivation")
    parser.add_argument(
        "--quality", type=int, default=2000, help="pairs to measure oracles on; 0: none"
    )
    parser.add_argument("--study", action="store_true", help="also vary mu and thresholds")
    parser.add_argument("--examples", type=int, default=0, help="pairs to print, as Figure 1")
    parser.add_argument("--sizes", type=int, nargs="*", default=[], help="only: with less text")
    arguments = parser.parse_args()
    if (arguments.sizes or arguments.pairs) and arguments.models is not None:
        parser.error("--sizes and --pairs train their own models; leave --models away")
    if arguments.pool and not arguments.pairs:
        parser.error("--pool takes what --pairs leaves of the text; give both")
    for corpus in arguments.corpora:
        if not (arguments.data / corpus).is_dir():
            print(
                f"{arguments.data / corpus} is not there; set DRAGOMAN_DATA to where the data is"
            )
            continue
        if arguments.sizes:
            sizes(corpus, arguments)
            continue
        study = Study(corpus, arguments, arguments.pairs)
        if arguments.quality:
            study.oracle_quality()
        study.tables()
        if arguments.examples:
            study.examples(arguments.examples)
        if arguments.study:
            study.study()


if __name__ == "__main__":
    main()
