"""The first stage: files of parallel text in, a clean bitext out.

Three passes, so that memory stays bounded however large the corpus: the first reads and spools
the pairs while learning how words are cut and which accelerators there are; the second cuts them
into tokens, cleans them and learns how they are written, while choosing held-out pairs; the third
truecases and writes the bitext and the held-out sets. Cutting, cleaning, learning and truecasing
are done in blocks, by whoever helps; duplicates are found here, and unlearnt.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import repeat
from pathlib import Path

from dragoman._core import SeenSet, Vocabulary
from dragoman.corpus.bitext import write_bitext
from dragoman.corpus.clean import CleanCounts, Cleaner, reasons_told
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.memory import MemoryWriter
from dragoman.corpus.read import ParallelFile, read_pairs
from dragoman.corpus.split import HeldOut, HoldOut
from dragoman.crew import Part
from dragoman.errors import InputError
from dragoman.layout import (
    BITEXT,
    CORPUS_REPORT,
    MEMORY,
    SOURCE_TRUECASE,
    SOURCE_VOCABULARY,
    TARGET_TRUECASE,
    TARGET_VOCABULARY,
    WRITING,
    HeldOutName,
    held_out_files,
    held_out_text,
)
from dragoman.text.accelerators import LONGEST, MARKS, AcceleratorLearner
from dragoman.text.apostrophes import ApostropheLearner
from dragoman.text.config import Side
from dragoman.text.form import classed, learns_apostrophes, learns_writing, learnt_files
from dragoman.text.normalise import normalise, normalise_plainly
from dragoman.text.protect import Protection, masked, without_codes
from dragoman.text.spacing import unspaced
from dragoman.text.tokenise import Pieces, WordTokeniser
from dragoman.text.writing import Marks
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.cutting import (
    TO_CASE,
    TO_CUT,
    Block,
    BlockWriter,
    Cutter,
    Learnt,
    Truecasers,
    case_block,
    cased_pair,
    cut_block,
)

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
        held_out_text("test"),
        *((WRITING,) if learns_writing(config) else ()),
        *learnt_files(config).values(),
        *(MEMORY if config.memory else ()),
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


@dataclass(frozen=True)
class Spool:
    """A file of pairs, and its blocks."""

    file: Path
    parts: list[Part[Block]]

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(part.content.size for part in self.parts)


class Preparation:
    """One run over one set of files: those to train on, and dev and test sets if given."""

    def __init__(
        self, config: PrepareConfig, files: dict[str, list[ParallelFile]], least_pairs: int = 1
    ) -> None:
        self._config, self._train = config, files["train"]
        self._held = {"dev": files["dev"], "test": files["test"]}
        self._least_pairs = least_pairs
        self._classed = classed(config)
        self._cutter = Cutter(config, Marks(), {})

    def run(self, context: StageContext) -> None:
        raw = self._look(context, context.staging / "raw.tsv")
        self._remember(context, raw)
        spool, held_out, counts, learnt = self._clean(context, raw)
        truecasers = learnt.cases[0].finish(), learnt.cases[1].finish()
        truecasers[0].save(context.output(SOURCE_TRUECASE))
        truecasers[1].save(context.output(TARGET_TRUECASE))
        if learns_writing(self._config):
            learnt.writing.finish().save(context.output(WRITING))
        self._write(context, spool, held_out, counts, truecasers)

    def _look(self, context: StageContext, raw: Path) -> Spool:
        """Normalised pairs into a file; learn what must be known before they are cut."""
        accelerators, protection = AcceleratorLearner(), Protection(self._config.protect)
        apostrophes: dict[Side, ApostropheLearner] = {side: ApostropheLearner() for side in SIDES}
        wanted = [side for side in SIDES if learns_apostrophes(self._config, side)]
        learning = learnt_files(self._config)
        words: dict[Side, Counter[str]] = {side: Counter() for side in learning}
        cutters = {side: WordTokeniser(self._config.language_of(side)) for side in learning}
        with (
            BlockWriter(raw) as writer,
            context.progress.task("reading", unit="pairs") as task,
        ):
            for pair in self._read(self._train):
                task.advance()
                source, target = (normalise(without_codes(text)) for text in pair)
                marked = self._classed and any(mark in source for mark in MARKS)
                if marked and max(len(source), len(target)) <= LONGEST:
                    both = [masked(t, protection.find(t)) for t in (source, target)]
                    accelerators.update(both[0], both[1])
                for side, text in (("source", source), ("target", target)):
                    if side in words:
                        words[side].update(cutters[side].cut(text).tokens)
                    if side in wanted:
                        apostrophes[side].update(text)
                writer.write(f"{source}\t{target}")
            spool = Spool(raw, writer.finish())
        files: dict[str, Path] = {}
        for side, name in learning.items():
            files[name] = context.output(name)
            tokeniser = self._config.tokeniser_of(side)
            context.progress.message(f"learning how words of the {side} side are cut")
            pieces = Pieces.learn(_repeated(words[side], tokeniser), self._config.pieces)
            files[name].write_bytes(pieces.model)
        marks = Marks(
            accelerators.finish() if self._classed else "",
            *(apostrophes[side].finish() for side in SIDES),
        )
        self._cutter = Cutter(self._config, marks, files)
        return spool

    def _read(self, files: list[ParallelFile]) -> Iterator[tuple[str, str]]:
        return read_pairs(files, self._config.source_language, self._config.target_language)

    def _clean(
        self, context: StageContext, raw: Spool
    ) -> tuple[Spool, HeldOut, CleanCounts, Learnt]:
        """Clean pairs in tokens into a file; learn how they are written; choose what to hold
        out."""
        cleaner, cutter = Cleaner(self._config), self._cutter
        # A dev set given by the user is taken to mean that they know how they want to test.
        chooser = HoldOut(
            dev_size=0 if self._held["dev"] else self._config.dev_size,
            test_size=0 if self._held["dev"] or self._held["test"] else self._config.test_size,
        )
        learnt = Learnt(self._config, cutter.marks)
        place = context.staging / "spool.tsv"
        with (
            BlockWriter(place) as writer,
            context.progress.task("cutting and cleaning", raw.size, "bytes") as task,
        ):
            crew = context.crew.suited(raw.size * TO_CUT)
            blocks = crew.run(cut_block, cutter, raw.parts, task)
            for part, block in zip(raw.parts, blocks, strict=True):
                cleaner.count_dropped(block.dropped)
                learnt.add(block.learnt)
                for line in block.lines():
                    source, target, *both = line.split("\t")
                    if cleaner.keeps(source, target):
                        chooser.offer(source)
                        writer.write(line)
                    else:  # a duplicate, which whoever cut the block could not know
                        learnt.add(cutter.learnt_from(*both), -1)
                task.advance(part.content.size)
            spool = Spool(place, writer.finish())
        raw.file.unlink()
        counts = cleaner.counts
        if counts.kept == 0:
            reasons = reasons_told(counts.dropped)
            same = counts.read > 0 and counts.dropped["copy"] == counts.read
            raise InputError(
                f"no sentence pair is left of {counts.read:,} read"
                + (f" ({reasons})" if reasons else "")
                + ("; source and target are the same text" if same else "")
            )
        return spool, chooser.finish(), counts, learnt

    def _remember(self, context: StageContext, raw: Spool) -> None:
        """Keep pairs as they are, whether they are learnt from or not."""
        most = self._config.memory
        if most == 0:
            return
        total = sum(len(part.content.lines()) for part in raw.parts)
        if total > most:
            context.progress.message(f"the translation memory keeps the last {most:,} pairs")
        memory = MemoryWriter(self._cutter.form, context.staging, max(0, total - most))
        with context.progress.task("filling the translation memory", raw.size, "bytes") as task:
            for part in raw.parts:
                for line in part.content.lines():
                    memory.add(*line.split("\t"))
                task.advance(part.content.size)
        memory.write([context.output(name) for name in MEMORY])

    def _write(
        self,
        context: StageContext,
        spool: Spool,
        held_out: HeldOut,
        counts: CleanCounts,
        truecasers: Truecasers,
    ) -> None:
        """Truecase; write the held-out sets, then the bitext without their sentences."""
        casers = truecasers if self._config.truecases else None

        def held(source: str, target: str) -> tuple[str, str, str, str]:
            cut = self._cutter.cut(source, target, held_out=True)
            sides = (" ".join(one.tokens) for one in cut)
            return *cased_pair(casers, *sides), self._reference(target), source

        sets: dict[str, list[tuple[str, str, str, str]]] = {"dev": [], "test": []}
        held_sources = SeenSet()
        with spool.file.open(encoding="utf-8", newline="\n") as file:
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
            texts = (held_out_text("test"),) if name == "test" else ()
            for column, file_name in enumerate((*held_out_files(name), *texts)):
                text = "".join(f"{row[column]}\n" for row in sets[name])
                context.output(file_name).write_text(text, "utf-8", newline="\n")

        held_with_source = overlapping = 0

        def training_pairs() -> Iterator[tuple[str, str]]:
            nonlocal held_with_source, overlapping
            crew = context.crew.suited(spool.size * TO_CASE)
            for path in crew.run(case_block, casers, spool.parts, task):
                with path.open(encoding="utf-8", newline="\n") as file:
                    for line in file:
                        source, *pair = line.removesuffix("\n").split("\t")
                        task.advance()
                        if source in held_sources:
                            held_with_source += 1
                        else:
                            overlapping += "\t".join(pair) in given_pairs
                            yield pair[0], pair[1]
                path.unlink()

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
        if counts.dropped["copy"]:
            context.progress.message(
                f"{counts.dropped['copy']:,} pairs whose sides are the same text were dropped; "
                "prepare.drop_copies = false keeps them, and so does --task spelling"
            )
        report = {
            **asdict(counts),
            "dev": len(sets["dev"]),
            "test": len(sets["test"]),
            "same source as held-out": held_with_source - len(held_out.dev) - len(held_out.test),
            "also in dev or test": overlapping,
            "train": pairs,
        }
        context.output(CORPUS_REPORT).write_text(json.dumps(report, indent=2) + "\n", "utf-8")
        spool.file.unlink()

    def _reference(self, target: str) -> str:
        """A held-out line as people read it."""
        return target if self._config.raw else normalise_plainly(target)

    def _tell(
        self, context: StageContext, pairs: int, dev: int, test: int, overlapping: int
    ) -> None:
        """What somebody should know before trusting the figures."""
        say = context.progress.message
        if not self._held["dev"] and self._config.dev_size + self._config.test_size:
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
