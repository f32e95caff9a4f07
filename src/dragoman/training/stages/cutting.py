"""Parts of preparing a corpus: blocks of pairs, cut into tokens and later truecased, anywhere.

Blocks are consecutive lines of a file in the staging directory, and what becomes of them are
files beside it; only what was learnt from a block travels. Counts of blocks are added up in the
order of the blocks, so that it does not matter who has counted them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from dragoman.corpus.clean import reason_to_drop
from dragoman.corpus.config import PrepareConfig
from dragoman.crew import Effort, Part
from dragoman.files import written_whole
from dragoman.text.form import TextForm, classed, learns_writing
from dragoman.text.protect import Protection, hold_pair
from dragoman.text.tokenise import Cut
from dragoman.text.truecase import TruecaseLearner, Truecaser
from dragoman.text.writing import Marks, WritingLearner

BLOCK = 5_000  # pairs
# What each byte of both sides together takes.
TO_CUT, TO_CASE = Effort(2.5e-7, threaded=False), Effort(2e-8, threaded=False)


@dataclass(frozen=True)
class Block:
    """Some lines of a file."""

    file: Path
    number: int
    offset: int  # bytes
    size: int

    def lines(self) -> list[str]:
        """Without their ends. Neither tokens nor normalised text can hold a tab or a line
        feed."""
        with self.file.open("rb") as file:
            file.seek(self.offset)
            return file.read(self.size).decode("utf-8").split("\n")[:-1]

    def result(self, name: str) -> Path:
        """Where what becomes of it is written."""
        return self.file.with_name(f"{name}.{self.number:06}")


class BlockWriter:
    """Writes a file of lines and notes where its blocks begin."""

    def __init__(self, path: Path) -> None:
        self._path, self._file = path, path.open("wb")
        self._waiting: list[str] = []
        self._count = self._offset = 0
        self._parts: list[Part[Block]] = []

    def __enter__(self) -> BlockWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, line: str) -> None:
        """Add a line, given without its end."""
        self._waiting.append(line)
        if len(self._waiting) == BLOCK:
            self._close_block()

    def _close_block(self) -> None:
        data = "".join(f"{line}\n" for line in self._waiting).encode()
        self._file.write(data)
        first, self._count = self._count + 1, self._count + len(self._waiting)
        block = Block(self._path.absolute(), len(self._parts), self._offset, len(data))
        self._parts.append(Part(f"pairs {first:,} to {self._count:,} of the corpus", block))
        self._offset += len(data)
        self._waiting.clear()

    def finish(self) -> list[Part[Block]]:
        """The blocks; there is nothing more to write."""
        if self._waiting:
            self._close_block()
        self._file.flush()
        return self._parts


class Learnt:
    """What the lines of a corpus teach about how they are written."""

    def __init__(self, config: PrepareConfig, marks: Marks) -> None:
        self._truecases, self._writes = config.truecases, learns_writing(config)
        self.cases = tuple(TruecaseLearner(classed=classed(config)) for _ in range(2))
        self.writing = WritingLearner(marks)

    def update(self, cut: tuple[Cut, Cut]) -> None:
        """Learn from a pair."""
        if self._truecases:
            for learner, one in zip(self.cases, cut, strict=True):
                learner.update(one.tokens)
        if self._writes:
            self.writing.update(*cut)

    def add(self, other: Learnt, times: int = 1) -> None:
        """Learn what others have learnt; -1 times: forget it."""
        for learner, one in zip(self.cases, other.cases, strict=True):
            learner.add(one, times)
        self.writing.add(other.writing, times)


@dataclass(frozen=True)
class Cutter:
    """Cuts pairs into tokens; `files` are what its tokenisers have learnt."""

    config: PrepareConfig
    marks: Marks
    files: Mapping[str, Path]

    @cached_property
    def form(self) -> TextForm:
        return TextForm(self.config, self.files, self.marks)

    @cached_property
    def protection(self) -> Protection | None:
        """What finds items to hold by their names, if that is done."""
        return (
            Protection(self.config.protect, self.marks.accelerators)
            if classed(self.config)
            else None
        )

    def __getstate__(self) -> dict[str, Any]:
        files = {name: path.absolute() for name, path in self.files.items()}
        return {"config": self.config, "marks": self.marks, "files": files}

    def cut(self, source: str, target: str, *, held_out: bool = False) -> tuple[Cut, Cut]:
        """A pair in tokens, items by their names."""
        names: dict[str, str] = {}
        if self.protection is not None:
            source, target, names = hold_pair(source, target, self.protection, everything=held_out)
        return self.form.cut_pair(source, target, names)

    def learnt_from(self, source: str, target: str) -> Learnt:
        """What one pair teaches."""
        learnt = Learnt(self.config, self.marks)
        learnt.update(self.cut(source, target))
        return learnt


@dataclass(frozen=True)
class CutBlock:
    """A block in tokens: a line for each pair that stays, unless it came before."""

    file: Path
    learnt: Learnt
    dropped: Counter[str] = field(default_factory=Counter)

    def lines(self) -> Iterator[str]:
        """Both sides in tokens and both as they came; the file is gone afterwards."""
        with self.file.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line.removesuffix("\n")
        self.file.unlink()


def cut_block(cutter: Cutter, block: Block, threads: int) -> CutBlock:
    """Cut, clean and learn from a block."""
    del threads
    learnt = Learnt(cutter.config, cutter.marks)
    dropped: Counter[str] = Counter()
    place = block.result("cut")
    with written_whole(place) as temporary, temporary.open("wb") as file:
        for line in block.lines():
            cut = cutter.cut(*line.split("\t"))
            source, target = (" ".join(one.tokens) for one in cut)
            reason = reason_to_drop(cutter.config, source, target)
            if reason:
                dropped[reason] += 1
                continue
            learnt.update(cut)
            # Both raw sides go along: if the pair is held out, one is cut as it will be when it
            # is translated, and the other is the reference.
            file.write(f"{source}\t{target}\t{line}\n".encode())
    return CutBlock(place, learnt, dropped)


Truecasers = tuple[Truecaser, Truecaser]


def cased_pair(casers: Truecasers | None, source: str, target: str) -> tuple[str, str]:
    """A pair in tokens, truecased if that is done."""
    if casers is None:
        return source, target
    return (
        " ".join(casers[0].truecase(source.split(" "))),
        " ".join(casers[1].truecase(target.split(" "))),
    )


def case_block(casers: Truecasers | None, block: Block, threads: int) -> Path:
    """Truecase a block; the lines written hold the source as it was, and both sides."""
    del threads
    place = block.result("cased")
    with written_whole(place) as temporary, temporary.open("wb") as file:
        for line in block.lines():
            source, target, _ = line.split("\t", 2)
            cased = "\t".join((source, *cased_pair(casers, source, target)))
            file.write(f"{cased}\n".encode())
    return place
