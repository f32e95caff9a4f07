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
import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

from dragoman.cli import reestimate as small
from dragoman.declared import from_mapping
from dragoman.learning.reestimation.config import DeriveConfig, ReestimateConfig
from dragoman.learning.reestimation.derivations import Derivations
from dragoman.learning.reestimation.models import (
    derived_bitext,
)
from reestimate_study import Study, arguments_of_a_study

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
EXAMPLE_WORDS = range(7, 12)
System = tuple[str, ReestimateConfig]


class Tables(Study):
    """The paper's tables of one corpus, and what was varied beside them."""

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
        study = Tables(corpus, arguments, pairs)
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
        study = Tables(corpus, arguments, arguments.pairs)
        if arguments.quality:
            study.oracle_quality()
        study.tables()
        if arguments.examples:
            study.examples(arguments.examples)
        if arguments.study:
            study.study()


if __name__ == "__main__":
    main()
