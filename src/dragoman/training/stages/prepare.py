"""The first stage: files of parallel text in, a clean bitext out.

Two passes, so that memory stays bounded however large the corpus: the first reads, normalises,
tokenises, cleans and spools the pairs while learning truecasers and choosing held-out pairs; the
second truecases the spool and writes the bitext and the held-out sets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from dragoman._core import SeenSet
from dragoman.corpus.bitext import write_bitext
from dragoman.corpus.clean import CleanCounts, Cleaner
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile, read_pairs
from dragoman.corpus.split import HeldOut, HoldOut
from dragoman.errors import InputError
from dragoman.layout import (
    BITEXT,
    CORPUS_REPORT,
    SOURCE_TRUECASE,
    SOURCE_VOCABULARY,
    TARGET_TRUECASE,
    TARGET_VOCABULARY,
    HeldOutName,
    held_out_files,
)
from dragoman.text.form import TextForm
from dragoman.text.normalise import normalise
from dragoman.text.truecase import TruecaseLearner, Truecaser
from dragoman.training.pipeline import Stage, StageContext

FEW_PAIRS = 1000  # with fewer, somebody should be warned


OUTPUTS = (
    BITEXT,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    SOURCE_TRUECASE,
    TARGET_TRUECASE,
    CORPUS_REPORT,
    *held_out_files("dev"),
    *held_out_files("test"),
)


def prepare_stage(
    config: PrepareConfig,
    train: Sequence[ParallelFile],
    dev: ParallelFile | None = None,
    test: ParallelFile | None = None,
    *,
    least_pairs: int = 1,
) -> Stage:
    """The stage that prepares these files; fewer than `least_pairs` to train on are an error."""
    roles = {"train": list(train), "dev": [dev] if dev else [], "test": [test] if test else []}
    inputs: dict[str, Path] = {}
    for role, files in roles.items():
        for number, file in enumerate(files, 1):
            inputs |= {f"{role} {number} {part}": path for part, path in file.parts().items()}

    def run(context: StageContext) -> None:
        given = {
            role: [
                file.moved([context.input(f"{role} {number} {part}") for part in file.parts()])
                for number, file in enumerate(files, 1)
            ]
            for role, files in roles.items()
        }
        Preparation(context.config, given, least_pairs).run(context)

    return Stage("prepare", config, inputs, OUTPUTS, run)


class Preparation:
    """One run over one set of files: those to train on, and dev and test sets if given."""

    def __init__(
        self, config: PrepareConfig, files: dict[str, list[ParallelFile]], least_pairs: int = 1
    ) -> None:
        self._config, self._train = config, files["train"]
        self._held = {"dev": files["dev"], "test": files["test"]}
        self._least_pairs = least_pairs
        form = TextForm(config)
        self._tokenisers = form.source_tokeniser, form.target_tokeniser
        self._learners = (TruecaseLearner(), TruecaseLearner())

    def run(self, context: StageContext) -> None:
        spool = context.staging / "spool.tsv"
        held_out, counts = self._first_pass(context, spool)
        truecasers = tuple(learner.finish() for learner in self._learners)
        truecasers[0].save(context.output(SOURCE_TRUECASE))
        truecasers[1].save(context.output(TARGET_TRUECASE))
        self._second_pass(context, spool, held_out, counts, (truecasers[0], truecasers[1]))

    def _tokenised(self, source: str, target: str) -> tuple[str, str]:
        return (
            self._tokenisers[0].tokenise(normalise(source)),
            self._tokenisers[1].tokenise(normalise(target)),
        )

    def _read(self, files: list[ParallelFile]) -> Iterator[tuple[str, str]]:
        return read_pairs(files, self._config.source_language, self._config.target_language)

    def _first_pass(self, context: StageContext, spool: Path) -> tuple[HeldOut, CleanCounts]:
        """Clean pairs into the spool; learn truecasing; choose what to hold out."""
        cleaner = Cleaner(self._config)
        # A dev set given by the user is taken to mean that they know how they want to test.
        chooser = HoldOut(
            dev_size=0 if self._held["dev"] else self._config.dev_size,
            test_size=0 if self._held["dev"] or self._held["test"] else self._config.test_size,
        )
        with (
            spool.open("w", encoding="utf-8", newline="\n") as file,
            context.progress.task("reading and cleaning", unit="pairs") as task,
        ):
            for raw_source, raw_target in self._read(self._train):
                source, target = self._tokenised(raw_source, raw_target)
                task.advance()
                if not cleaner.keeps(source, target):
                    continue
                chooser.offer(source)
                if self._config.truecases:
                    self._learners[0].update((source,))
                    self._learners[1].update((target,))
                # The raw target is the reference if the pair is held out. Neither tokens nor
                # normalised text can hold a tab or a line feed.
                file.write(f"{source}\t{target}\t{normalise(raw_target)}\n")
        counts = cleaner.counts
        if counts.kept == 0:
            reasons = ", ".join(
                f"{count} {reason}" for reason, count in counts.dropped.items() if count
            )
            same = counts.read > 0 and counts.dropped["copy"] == counts.read
            raise InputError(
                f"no sentence pair is left of {counts.read:,} read"
                + (f" ({reasons})" if reasons else "")
                + ("; source and target are the same text" if same else "")
            )
        return chooser.finish(), counts

    def _second_pass(
        self,
        context: StageContext,
        spool: Path,
        held_out: HeldOut,
        counts: CleanCounts,
        truecasers: tuple[Truecaser, Truecaser],
    ) -> None:
        """Truecase; write the held-out sets, then the bitext without their sentences."""

        def cased(source: str, target: str) -> tuple[str, str]:
            if not self._config.truecases:
                return source, target
            return truecasers[0].truecase(source), truecasers[1].truecase(target)

        sets: dict[str, list[tuple[str, str, str]]] = {"dev": [], "test": []}
        held_sources = SeenSet()
        with spool.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file):
                held = (
                    "dev" if number in held_out.dev else "test" if number in held_out.test else ""
                )
                if held:
                    source, target, reference = line.rstrip("\n").split("\t")
                    held_sources.insert(source)
                    sets[held].append((*cased(source, target), reference))
        given_pairs = SeenSet()
        names: tuple[HeldOutName, ...] = ("dev", "test")
        for name in names:
            for raw_source, raw_target in self._read(self._held[name]):
                pair = cased(*self._tokenised(raw_source, raw_target))
                sets[name].append((*pair, normalise(raw_target)))
                given_pairs.insert("\t".join(pair))
            for column, file_name in enumerate(held_out_files(name)):
                text = "".join(f"{row[column]}\n" for row in sets[name])
                context.output(file_name).write_text(text, "utf-8", newline="\n")

        held_with_source = overlapping = 0

        def training_pairs() -> Iterator[tuple[str, str]]:
            nonlocal held_with_source, overlapping
            with spool.open(encoding="utf-8", newline="\n") as file:
                for line in file:
                    source, target, _ = line.split("\t")
                    task.advance()
                    if source in held_sources:
                        held_with_source += 1
                    else:
                        pair = cased(source, target)
                        overlapping += "\t".join(pair) in given_pairs
                        yield pair

        with context.progress.task("writing the bitext", total=counts.kept, unit="pairs") as task:
            pairs = write_bitext(
                training_pairs(),
                context.output(BITEXT),
                context.output(SOURCE_VOCABULARY),
                context.output(TARGET_VOCABULARY),
            )
        if pairs < self._least_pairs:
            left = f"{pairs} sentence pair is" if pairs else "no sentence pair is"
            raise InputError(
                f"{left} left to train on, of {counts.read:,} read; a translation model needs at "
                f"least {self._least_pairs}, and thousands to be of use"
            )
        self._tell(context, pairs, len(sets["dev"]), len(sets["test"]), overlapping)
        report = {
            **asdict(counts),
            "dev": len(sets["dev"]),
            "test": len(sets["test"]),
            "same source as held-out": held_with_source - len(held_out.dev) - len(held_out.test),
            "also in dev or test": overlapping,
            "train": pairs,
        }
        context.output(CORPUS_REPORT).write_text(json.dumps(report, indent=2) + "\n", "utf-8")
        spool.unlink()

    def _tell(
        self, context: StageContext, pairs: int, dev: int, test: int, overlapping: int
    ) -> None:
        """What somebody should know before trusting the figures."""
        say = context.progress.message
        if not self._held["dev"]:
            tested = "" if self._held["test"] else f", {test:,} for testing"
            say(f"no dev set given: {dev:,} pairs are set aside for tuning{tested}")
        if overlapping:
            say(
                f"warning: {overlapping:,} training pairs are also in the dev or test set given; "
                "scores on it will be too high"
            )
        if pairs < FEW_PAIRS:
            say(f"warning: only {pairs:,} sentence pairs to train on; expect poor translations")
