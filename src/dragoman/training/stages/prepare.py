"""The first stage: files of parallel text in, a clean bitext out.

Three passes, so that memory stays bounded however large the corpus: the first reads and spools
the pairs while learning how words are cut and which accelerators there are; the second cuts them
into tokens, cleans them and learns how they are written, while choosing held-out pairs; the third
truecases and writes the bitext and the held-out sets.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import repeat
from pathlib import Path

from dragoman._core import SeenSet, Vocabulary
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
    WRITING,
    HeldOutName,
    held_out_files,
)
from dragoman.text.accelerators import LONGEST, MARKS, AcceleratorLearner
from dragoman.text.config import Side
from dragoman.text.form import TextForm, classed, learns_writing, learnt_files
from dragoman.text.normalise import normalise, normalise_plainly
from dragoman.text.protect import Protection, hold_pair, masked, without_codes
from dragoman.text.spacing import unspaced
from dragoman.text.tokenise import Cut, Pieces, WordTokeniser
from dragoman.text.truecase import TruecaseLearner, Truecaser
from dragoman.text.writing import WritingLearner
from dragoman.training.pipeline import Stage, StageContext

FEW_PAIRS = 1000  # with fewer, somebody should be warned
RESERVED = 3  # ids of a vocabulary that are no words
# A text of fewer words says nothing about how it was cut.
LEAST_WORDS = 2000
# Of the letters, those in runs of a script without spaces; of the words, those that occur once.
UNSPACED_SHARE = 0.3
ONCE_SHARE = 0.15
MOST_WORDS = 2_000_000  # to learn pieces from


SIDES: tuple[Side, Side] = ("source", "target")


def outputs(config: PrepareConfig) -> tuple[str, ...]:
    """What the stage writes."""
    return (
        BITEXT,
        SOURCE_VOCABULARY,
        TARGET_VOCABULARY,
        SOURCE_TRUECASE,
        TARGET_TRUECASE,
        CORPUS_REPORT,
        *held_out_files("dev"),
        *held_out_files("test"),
        *((WRITING,) if learns_writing(config) else ()),
        *learnt_files(config).values(),
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
    config = config.resolved()
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

    return Stage("prepare", config, inputs, outputs(config), run)


class Preparation:
    """One run over one set of files: those to train on, and dev and test sets if given."""

    def __init__(
        self, config: PrepareConfig, files: dict[str, list[ParallelFile]], least_pairs: int = 1
    ) -> None:
        self._config, self._train = config, files["train"]
        self._held = {"dev": files["dev"], "test": files["test"]}
        self._least_pairs = least_pairs
        self._classed = classed(config)
        self._form = TextForm(config)
        self._protection = Protection(config.protect)
        self._learners = tuple(TruecaseLearner(classed=self._classed) for _ in SIDES)
        self._writing = WritingLearner("")

    def run(self, context: StageContext) -> None:
        raw, spool = context.staging / "raw.tsv", context.staging / "spool.tsv"
        read = self._look(context, raw)
        held_out, counts = self._clean(context, raw, spool, read)
        raw.unlink()
        truecasers = tuple(learner.finish() for learner in self._learners)
        truecasers[0].save(context.output(SOURCE_TRUECASE))
        truecasers[1].save(context.output(TARGET_TRUECASE))
        if learns_writing(self._config):
            self._writing.finish().save(context.output(WRITING))
        self._write(context, spool, held_out, counts, (truecasers[0], truecasers[1]))

    def _look(self, context: StageContext, raw: Path) -> int:
        """Normalised pairs into the spool; learn what must be known before they are cut."""
        marks = AcceleratorLearner()
        learning = learnt_files(self._config)
        words: dict[Side, Counter[str]] = {side: Counter() for side in learning}
        cutters = {side: WordTokeniser(self._config.language_of(side)) for side in learning}
        count = 0
        with (
            raw.open("w", encoding="utf-8", newline="\n") as file,
            context.progress.task("reading", unit="pairs") as task,
        ):
            for pair in self._read(self._train):
                task.advance()
                count += 1
                source, target = (normalise(without_codes(text)) for text in pair)
                marked = self._classed and any(mark in source for mark in MARKS)
                if marked and max(len(source), len(target)) <= LONGEST:
                    both = [masked(t, self._protection.find(t)) for t in (source, target)]
                    marks.update(both[0], both[1])
                for side, text in (("source", source), ("target", target)):
                    if side in words:
                        words[side].update(cutters[side].cut(text).tokens)
                file.write(f"{source}\t{target}\n")
        if self._classed:
            self._writing = WritingLearner(marks.finish())
            self._protection = Protection(self._config.protect, marks.finish())
        files: dict[str, Path] = {}
        for side, name in learning.items():
            files[name] = context.output(name)
            wanted = self._config.tokeniser_of(side)
            context.progress.message(f"learning how words of the {side} side are cut")
            pieces = Pieces.learn(_repeated(words[side], wanted), self._config.pieces)
            files[name].write_bytes(pieces.model)
        self._form = TextForm(self._config, files)
        return count

    def _cut(self, source: str, target: str, *, held_out: bool = False) -> tuple[Cut, Cut]:
        """A pair in tokens, items by their names."""
        names: dict[str, str] = {}
        if self._classed:
            source, target, names = hold_pair(
                source, target, self._protection, everything=held_out
            )
        return self._form.cut_pair(source, target, names)

    def _read(self, files: list[ParallelFile]) -> Iterator[tuple[str, str]]:
        return read_pairs(files, self._config.source_language, self._config.target_language)

    def _clean(
        self, context: StageContext, raw: Path, spool: Path, total: int
    ) -> tuple[HeldOut, CleanCounts]:
        """Clean pairs in tokens into the spool; learn how they are written; choose what to hold
        out."""
        cleaner = Cleaner(self._config)
        learning = learns_writing(self._config)
        # A dev set given by the user is taken to mean that they know how they want to test.
        chooser = HoldOut(
            dev_size=0 if self._held["dev"] else self._config.dev_size,
            test_size=0 if self._held["dev"] or self._held["test"] else self._config.test_size,
        )
        with (
            raw.open(encoding="utf-8", newline="\n") as pairs,
            spool.open("w", encoding="utf-8", newline="\n") as file,
            context.progress.task("cutting and cleaning", total=total, unit="pairs") as task,
        ):
            for line in pairs:
                raw_source, raw_target = line.rstrip("\n").split("\t")
                cut = self._cut(raw_source, raw_target)
                source, target = (" ".join(one.tokens) for one in cut)
                task.advance()
                if not cleaner.keeps(source, target):
                    continue
                chooser.offer(source)
                if self._config.truecases:
                    self._learners[0].update(cut[0].tokens)
                    self._learners[1].update(cut[1].tokens)
                if learning:
                    self._writing.update(*cut)
                # Both raw sides go along: if the pair is held out, one is cut as it will be when
                # it is translated, and the other is the reference. Neither tokens nor normalised
                # text can hold a tab or a line feed.
                file.write(f"{source}\t{target}\t{line}")
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

    def _write(
        self,
        context: StageContext,
        spool: Path,
        held_out: HeldOut,
        counts: CleanCounts,
        truecasers: tuple[Truecaser, Truecaser],
    ) -> None:
        """Truecase; write the held-out sets, then the bitext without their sentences."""

        def cased(source: Sequence[str], target: Sequence[str]) -> tuple[str, str]:
            sides = [list(source), list(target)]
            if self._config.truecases:
                sides = [
                    caser.truecase(side) for caser, side in zip(truecasers, sides, strict=True)
                ]
            return " ".join(sides[0]), " ".join(sides[1])

        def held(source: str, target: str) -> tuple[str, str, str]:
            here, there = self._cut(source, target, held_out=True)
            return *cased(here.tokens, there.tokens), self._reference(target)

        sets: dict[str, list[tuple[str, str, str]]] = {"dev": [], "test": []}
        held_sources = SeenSet()
        with spool.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file):
                role = (
                    "dev" if number in held_out.dev else "test" if number in held_out.test else ""
                )
                if role:
                    source, _, *raw = line.rstrip("\n").split("\t")
                    held_sources.insert(source)
                    sets[role].append(held(*raw))
        given_pairs = SeenSet()
        names: tuple[HeldOutName, ...] = ("dev", "test")
        for name in names:
            for pair in self._read(self._held[name]):
                source, target = (normalise(without_codes(text)) for text in pair)
                sets[name].append(held(source, target))
                given_pairs.insert("\t".join(sets[name][-1][:2]))
            for column, file_name in enumerate(held_out_files(name)):
                text = "".join(f"{row[column]}\n" for row in sets[name])
                context.output(file_name).write_text(text, "utf-8", newline="\n")

        held_with_source = overlapping = 0

        def training_pairs() -> Iterator[tuple[str, str]]:
            nonlocal held_with_source, overlapping
            with spool.open(encoding="utf-8", newline="\n") as file:
                for line in file:
                    source, target, _ = line.split("\t", 2)
                    task.advance()
                    if source in held_sources:
                        held_with_source += 1
                    else:
                        pair = cased(source.split(" "), target.split(" "))
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

    def _reference(self, target: str) -> str:
        """A held-out line as people read it."""
        return target if self._config.raw else normalise_plainly(target)

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
        for side, name in zip(SIDES, (SOURCE_VOCABULARY, TARGET_VOCABULARY), strict=True):
            misfit = self._misfit(side, context.output(name))
            if misfit:
                say(f"warning: {misfit}")
        if pairs < FEW_PAIRS:
            say(f"warning: only {pairs:,} sentence pairs to train on; expect poor translations")

    def _misfit(self, side: Side, vocabulary: Path) -> str:
        """What is wrong with how a side was cut into words; empty when nothing is."""
        name, _language = self._config.tokeniser_of(side), self._config.language_of(side)
        if name not in ("words", "moses", "whitespace"):
            return ""
        words = Vocabulary.open(str(vocabulary))
        running = letters = long = once = 0
        for number in range(RESERVED, len(words)):
            word, count = words.word(number), words.count(number)
            if not word[0].isalpha():
                continue
            running += count
            letters += count * len(word)
            once += count == 1
            long += count * len(word) if unspaced(word[0]) and len(word) > 1 else 0
        if running < LEAST_WORDS:
            return ""
        if long > UNSPACED_SHARE * letters and name != "whitespace":
            how = f"say its language (--{'from' if side == 'source' else 'to'} ja, zh, th ...)"
            return (
                f"the {side} text puts few spaces between words, and whole clauses were taken for "
                f"one; {how}, or cut it with --{side}-tokeniser segmenter"
            )
        if once > ONCE_SHARE * running:
            return (
                f"{once / running:.0%} of the words of the {side} text occur once only, which "
                f"teaches little; cut them into pieces with --{side}-tokeniser subword"
            )
        return ""


def _repeated(words: Counter[str], tokeniser: str) -> Iterator[str]:
    """Words to learn pieces from, as often as they occur; those of which nothing is to be learnt
    are left out."""
    wanted = {
        word: count
        for word, count in sorted(words.items())
        if (unspaced(word[0]) if tokeniser == "segmenter" else word[0].isalpha())
    }
    # Of a large corpus a part says as much, and takes less memory.
    share = min(1.0, MOST_WORDS / max(1, sum(wanted.values())))
    for word, count in wanted.items():
        yield from repeat(word, max(1, round(share * count)))
