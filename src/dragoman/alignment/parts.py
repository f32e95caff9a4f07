"""Training an aligner part by part, wherever the parts are worked on.

Each part of the corpus has a trainer of its own, which knows its word pairs by numbers of its
own. After a sweep, what the parts have counted is added up, by the number of each word pair in the
whole corpus, and each part is told the sums of the word pairs it has. All counts are whole
numbers, so the links and the aligner are, byte for byte, those of one trainer.

What is large lies in files of a directory that everybody sees; a part that is worked on twice
writes the same again. This is also how a corpus is aligned whose cells do not fit into memory.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman._core import AlignmentModel, AlignmentParameters, AlignTrainer, ParallelText
from dragoman.alignment.config import AlignConfig
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext, BitextFiles, SentenceIds
from dragoman.crew import Crew, Effort, Part, Result
from dragoman.errors import InputError
from dragoman.files import written_whole
from dragoman.progress import Progress, Task

# Pairs of a part: as many as are swept at once (aligner.py), so that blocks of pairs, whose jumps
# are rounded together, are the same in parts and in the whole.
PART = 20_000
BYTES_PER_CELL = 8  # that a trainer holds, about
A_CELL = Effort(4e-8, threaded=True)  # what a sweep over it takes
MOST_WORD_PAIRS = 2**32 - 1  # their numbers have 32 bits
AT_ONCE = 1 << 22  # word pairs that the caller looks at at a time
SAMPLED = 1 << 10  # of so many word pairs of a part, one says where such a time begins
KEPT = 8  # trainers that a worker keeps from sweep to sweep; others are made anew


Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True)
class Piece:
    """Some consecutive pairs at some point of the training."""

    number: int
    begin: int
    end: int
    done: tuple[str, ...] = ()  # the sweeps that all parts have behind them
    next: str = ""  # the sweep to come


@dataclass(frozen=True)
class PartAligner:
    """Opens trainers of parts and brings them to where the training is."""

    files: BitextFiles
    place: Path  # of the files that parts share
    config: AlignConfig
    kept: int = 0  # so many trainers are kept for the next sweep of their parts

    @cached_property
    def _trainers(self) -> OrderedDict[int, tuple[int, AlignTrainer]]:
        """By part: how many sweeps it has done, and the trainer."""
        return OrderedDict()

    @cached_property
    def bitext(self) -> Bitext:
        """Mapped when it is first used, also after a journey."""
        return self.files.open()

    @cached_property
    def words(self) -> list[NDArray[np.uint64]]:
        """How often the words of each side occur in the whole corpus."""
        return [np.load(self.place / f"{side}.npy") for side in ("source", "target")]

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def part_file(self, name: str, piece: Piece) -> Path:
        """A file of one part."""
        return self.place / f"{name}.{piece.number:06}.npy"

    def whole_file(self, name: str, sweeps: Sequence[str]) -> Path:
        """A file of sums over all parts, after these sweeps."""
        return self.place / f"whole.{name}.{len(sweeps)}.npy"

    def fresh(self, begin: int, end: int, threads: int) -> AlignTrainer:
        """A trainer of some pairs that has swept nothing."""
        parameters = AlignmentParameters(
            lexical_prior=self.config.lexical_prior,
            null_probability=self.config.null_probability,
        )
        text = ParallelText(
            _cut(self.bitext.source, begin, end).native,
            _cut(self.bitext.target, begin, end).native,
        )
        source_words, target_words = self.words
        return AlignTrainer.of_part(text, parameters, source_words, target_words, threads)

    def trainer(self, piece: Piece, threads: int) -> AlignTrainer:
        """A trainer that has done the sweeps behind a piece and knows what all have counted."""
        done, trainer = self._trainers.pop(piece.number, (-1, None))
        if trainer is None or done != len(piece.done):
            trainer = self.fresh(piece.begin, piece.end, threads)
            if piece.done:
                cells = self.part_file(f"cells.{len(piece.done)}", piece)
                trainer.set_cells(np.load(cells))
        if piece.done:
            self.tell(trainer, piece.done, np.load(self.part_file("numbers", piece)))
        return trainer

    def keep(self, piece: Piece, done: int, trainer: AlignTrainer) -> None:
        """For the next sweep, if it comes here: files say the same to others."""
        self._trainers[piece.number] = (done, trainer)
        while len(self._trainers) > self.kept:
            self._trainers.popitem(last=False)

    def tell(
        self, trainer: AlignTrainer, sweeps: Sequence[str], numbers: NDArray[Any] | None
    ) -> None:
        """Let a trainer know what all parts have counted; `numbers` are those of its word pairs
        among all."""
        counts = np.load(self.whole_file("counts", sweeps), mmap_mode="r")
        own = counts[numbers] if numbers is not None else np.zeros(0, np.uint32)
        names = ("source", "target", "sums")
        sums = (np.load(self.whole_file(name, sweeps)) for name in names)
        trainer.finish_sweep_with(sweeps[-1], np.ascontiguousarray(own), *sums)


def find_word_pairs(aligner: PartAligner, piece: Piece, threads: int) -> tuple[int, int]:
    """Write the word pairs of a part, as sorted numbers; returns how many pairs were too long,
    and the precision of counts."""
    trainer = aligner.fresh(piece.begin, piece.end, threads)
    row_starts, words = trainer.word_pair_table()
    lengths = np.diff(row_starts).astype(np.int64)
    sources = np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    _save(aligner.part_file("keys", piece), sources << np.uint64(32) | words.astype(np.uint64))
    aligner.keep(piece, 0, trainer)
    return trainer.skipped, trainer.fraction_bits


def number_word_pairs(aligner: PartAligner, piece: Piece, threads: int) -> None:
    """Write which of all word pairs those of a part are."""
    del threads
    keys = aligner.part_file("keys", piece)
    whole = _mapped(aligner.place / "keys", np.uint64)
    numbers = np.searchsorted(whole, np.load(keys)).astype(np.uint32)
    _save(aligner.part_file("numbers", piece), numbers)


def sweep_part(aligner: PartAligner, piece: Piece, threads: int) -> None:
    """One sweep over a part; what it has counted goes to files."""
    trainer = aligner.trainer(piece, threads)
    trainer.sweep(piece.next, 0, piece.end - piece.begin, threads)
    counts, sums = trainer.added()
    _save(aligner.part_file("counts", piece), counts)
    _save(aligner.part_file("sums", piece), sums)
    done = len(piece.done) + 1
    _save(aligner.part_file(f"cells.{done}", piece), trainer.cells())
    aligner.keep(piece, done, trainer)


def align_part(aligner: PartAligner, piece: Piece, threads: int) -> Links:
    """The links of a part, when all sweeps are done."""
    trainer, config = aligner.trainer(piece, threads), aligner.config
    size = piece.end - piece.begin
    return Links(*trainer.align(0, size, config.symmetry, config.posterior_threshold, threads))


@dataclass(frozen=True)
class PartsTrained:
    """What training in parts gives."""

    links: Links
    model: AlignmentModel
    word_pairs: int
    skipped: int


def train_in_parts(
    files: BitextFiles,
    config: AlignConfig,
    place: Path,
    crew: Crew,
    min_count: float,
    progress: Progress,
) -> PartsTrained:
    """Align a bitext; `place` is a directory for files, which is empty and will be so again."""
    kept = KEPT if crew.elsewhere else 0  # here, it is memory that is short
    aligner = PartAligner(files.absolute(), place.absolute(), config, kept)
    training = _Training(aligner, crew)
    sweeps = ["model1"] * config.model1_iterations + ["hmm"] * config.hmm_iterations
    total = training.size * (len(sweeps) + 2)
    with progress.task("aligning", total=total, unit="pairs") as task:
        task.note("word pairs")
        skipped = training.find_word_pairs(task)
        for number, sweep in enumerate(sweeps, 1):
            task.note(f"sweep {number} of {len(sweeps)}")
            training.sweep(sweep, task)
        task.note("links")
        links = Links.concatenate(list(training.run(align_part, task)))
    model = training.model(min_count)
    for path in place.iterdir():
        path.unlink()
    return PartsTrained(links, model, training.word_pairs, skipped)


class _Training:
    """The side of the caller: what is added up."""

    def __init__(self, aligner: PartAligner, crew: Crew) -> None:
        self._aligner, self._crew = aligner, crew
        self._done: tuple[str, ...] = ()
        self.size = len(aligner.bitext)
        self.word_pairs = 0
        self._unit = 1.0
        for name, side in (("source", aligner.bitext.source), ("target", aligner.bitext.target)):
            _save(aligner.place / f"{name}.npy", np.bincount(side.ids).astype(np.uint64))

    def _parts(self, following: str = "") -> list[Part[Piece]]:
        pieces = (
            Piece(number, begin, min(begin + PART, self.size), self._done, following)
            for number, begin in enumerate(range(0, self.size, PART))
        )
        return [Part(f"pairs {p.begin + 1:,} to {p.end:,} of the bitext", p) for p in pieces]

    def run(
        self,
        work: Callable[[PartAligner, Piece, int], Result],
        task: Task,
        following: str = "",
    ) -> Iterator[Result]:
        """Let the crew work on all parts."""
        parts = self._parts(following)
        results = self._crew.run(work, self._aligner, parts, task)
        for part, result in zip(parts, results, strict=True):
            task.advance(part.content.end - part.content.begin)
            yield result

    def find_word_pairs(self, task: Task) -> int:
        found = list(self.run(find_word_pairs, task))
        self.word_pairs = self._merge([self._file("keys", number) for number in range(len(found))])
        if self.word_pairs > MOST_WORD_PAIRS:
            raise InputError(
                "the corpus has more than 2^32 distinct word pairs; align it in parts"
            )
        self._unit = 2.0 ** -found[0][1]
        for _ in self._crew.run(number_word_pairs, self._aligner, self._parts()):
            pass
        return sum(skipped for skipped, _ in found)

    def _merge(self, files: list[Path]) -> int:
        """Write the word pairs of all parts, sorted and each once; returns how many there are."""
        sample = np.sort(np.concatenate([np.load(file)[::SAMPLED] for file in files]))
        step = AT_ONCE // SAMPLED
        bounds = np.concatenate([sample[step::step], [np.uint64(2**64 - 1)]])
        ends = [np.searchsorted(np.load(file), bounds) for file in files]
        begins = [0] * len(files)
        size = 0
        with written_whole(self._keys) as temporary, temporary.open("wb") as output:
            for number in range(len(bounds)):
                pieces = []
                for at, file in enumerate(files):
                    keys = np.load(file, mmap_mode="r")
                    pieces.append(np.array(keys[begins[at] : ends[at][number]]))
                    begins[at] = ends[at][number]
                merged = np.unique(np.concatenate(pieces))
                merged.tofile(output)
                size += len(merged)
        return size

    @property
    def _keys(self) -> Path:
        return self._aligner.place / "keys"

    def _file(self, name: str, number: int) -> Path:
        return self._aligner.part_file(name, Piece(number, 0, 0))

    def sweep(self, stage: str, task: Task) -> None:
        """One sweep over all parts, added up in their order."""
        counts = np.zeros(self.word_pairs, np.uint32)
        sums: NDArray[np.uint64] | None = None
        for number, _ in enumerate(self.run(sweep_part, task, stage)):
            # No number occurs twice in a part.
            counts[np.load(self._file("numbers", number))] += np.load(self._file("counts", number))
            own = np.load(self._file("sums", number))
            sums = own if sums is None else sums + own
            self._file(f"cells.{len(self._done)}", number).unlink(missing_ok=True)
        self._done = (*self._done, stage)
        self._save_whole("counts", counts)
        totals = [np.zeros(len(words)) for words in self._aligner.words]
        # Sums of whole numbers: exact in whatever order.
        for begin, *sides in self._sides():
            for number, words in enumerate(sides):
                own = counts[begin : begin + len(words)]
                totals[number] += np.bincount(words, own, minlength=len(totals[number]))
        for name, total in zip(("source", "target"), totals, strict=True):
            self._save_whole(name, total * self._unit)
        self._save_whole("sums", sums)

    def _sides(self) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
        """The words of word pairs, some at a time, and the number of their first."""
        keys = _mapped(self._keys, np.uint64)
        for begin in range(0, len(keys), AT_ONCE):
            own = keys[begin : begin + AT_ONCE]
            low = own & np.uint64(0xFFFFFFFF)
            yield begin, (own >> np.uint64(32)).astype(np.int64), low.astype(np.int64)

    def _save_whole(self, name: str, values: Any) -> None:
        _save(self._aligner.whole_file(name, self._done), values)

    def model(self, min_count: float) -> AlignmentModel:
        """What all parts have learnt, for other text."""
        trainer = self._aligner.fresh(0, 0, 1)
        counts = np.zeros(self.word_pairs, np.uint32)
        if self._done:
            self._aligner.tell(trainer, self._done, None)
            counts = np.load(self._aligner.whole_file("counts", self._done), mmap_mode="c")
        place = self._aligner.place / "targets"
        with written_whole(place) as temporary, temporary.open("wb") as output:
            for _, _, targets in self._sides():
                targets.astype(np.int32).tofile(output)
        rows = np.arange(len(self._aligner.words[0]) + 1, dtype=np.uint64) << np.uint64(32)
        row_starts = np.searchsorted(_mapped(self._keys, np.uint64), rows).astype(np.uint64)
        return trainer.whole_model(min_count, row_starts, _mapped(place, np.int32), counts)


def better_in_parts(bitext: Bitext, crew: Crew, memory: int | None) -> bool:
    """Whether others can help, or the whole does not fit into memory."""
    if memory is not None and cells(bitext) * BYTES_PER_CELL > memory:
        return True
    return crew.elsewhere and len(bitext) > PART


def cells(bitext: Bitext) -> int:
    """How many pairs of positions its sentence pairs have."""
    lengths = (np.diff(side.offsets).astype(np.int64) for side in (bitext.source, bitext.target))
    return int(np.prod(np.stack(list(lengths)), axis=0).sum())


def _cut(side: SentenceIds, begin: int, end: int) -> SentenceIds:
    first, last = int(side.offsets[begin]), int(side.offsets[end])
    return SentenceIds(side.ids[first:last], side.offsets[begin : end + 1] - side.offsets[begin])


def _mapped(path: Path, kind: type[Number]) -> NDArray[Number]:
    """A file of nothing but numbers."""
    if path.stat().st_size == 0:  # which cannot be mapped
        return np.zeros(0, kind)
    return np.memmap(path, kind, mode="c")


def _save(path: Path, values: Any) -> None:
    with written_whole(path) as temporary, temporary.open("wb") as file:
        np.save(file, values)
