"""A whole job of translating: files in, files out, bad lines survived."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TextIO

from dragoman.crew import Crew, Effort, Here, Part
from dragoman.errors import FileError, InputError, UsageError
from dragoman.files import same_file
from dragoman.progress import SILENT, Progress
from dragoman.search.engine import BATCH
from dragoman.search.result import Totals
from dragoman.translation.batch import Complaint, Lines, LineWork, Written, translate_lines
from dragoman.translation.demands import NO_DEMANDS, Demands
from dragoman.translation.lines import line_batches
from dragoman.translation.translator import Translator

# What it takes to translate, for each byte; streams are taken to be long. What prepares and
# finishes lines is Python.
A_BYTE = Effort(3e-5, threaded=False)


@dataclass(frozen=True)
class Job:
    """What to translate, a sentence a line, and where to."""

    input: Path | None = None  # None: standard input
    output: Path | None = None
    demands: Demands = NO_DEMANDS
    reference: Path | None = None
    also_read: tuple[Path, ...] = ()  # terms, weights and the like, which are no outputs either
    stop_on_error: bool = False
    nbest: int = 0
    nbest_file: Path | None = None
    distinct: bool = False
    matches: Path | None = None  # what the translation memory offers
    confidence: Path | None = None  # how sure each translation is
    trace: Path | None = None
    graph: Path | None = None
    graph_dot: bool = False
    stats: Path | None = None

    def check(self) -> None:
        """Raise UsageError for what would do nothing."""
        needs = (
            ("--nbest-file", self.nbest_file is not None, "--nbest", self.nbest > 0),
            ("--distinct", self.distinct, "--nbest", self.nbest > 0),
            ("--graph-format", self.graph_dot, "--graph", self.graph is not None),
        )
        for option, given, other, there in needs:
            if given and not there:
                raise UsageError(f"{option} needs {other}")
        if self.matches is not None and self.demands.memory is None:
            raise UsageError("--matches needs --memory-matches exact or fuzzy")
        if self.reference is not None and self.demands.memory is not None:
            raise UsageError("--reference says what comes out; the memory cannot say so too")


def run(
    translator: Translator,
    job: Job,
    crew: Crew | None = None,
    progress: Progress = SILENT,
) -> Totals:
    """Translate everything, here or where the crew is; returns what it cost."""
    job.check()
    if translator.consensus is not None:
        single = (("--reference", job.reference), ("--trace", job.trace), ("--graph", job.graph))
        for option, given in single:
            if given is not None:
                raise UsageError(
                    f"{option} is about one model's search; give --alone, or one model"
                )
    _check_files(job, translator.directory.path)
    return _Run(translator, job, progress).run(crew if crew is not None else Here())


class _Run:
    def __init__(self, translator: Translator, job: Job, progress: Progress) -> None:
        self._translator, self._job, self._progress = translator, job, progress
        self._totals = Totals()
        self._work = LineWork(
            translator,
            job.demands,
            nbest=job.nbest,
            nbest_file=job.nbest_file,
            distinct=job.distinct,
            matches=job.matches,
            confidence=job.confidence,
            trace=job.trace,
            graph=job.graph,
            graph_dot=job.graph_dot,
        )

    def run(self, crew: Crew) -> Totals:
        job = self._job
        with ExitStack() as stack:
            source: IO[bytes] = sys.stdin.buffer
            if job.input is not None:
                source = stack.enter_context(_open_bytes(job.input))
            references: IO[bytes] | None = None
            if job.reference is not None:
                references = stack.enter_context(_open_bytes(job.reference))

            def out(path: Path | None) -> TextIO | None:
                return stack.enter_context(_open_out(path)) if path is not None else None

            output = out(job.output) or sys.stdout
            files = [out(path) or output for path, _ in self._work.writers()]
            total = None
            if job.input is not None and self._progress is not SILENT:
                total = _count_lines(job.input)
            task = stack.enter_context(self._progress.task("translating", total, "lines"))
            number = 0
            parts = self._parts(source, references)
            if job.input is not None and job.input.is_file():
                crew = crew.suited(job.input.stat().st_size * A_BYTE)
            for written in crew.run(translate_lines, self._work, parts, task):
                self._write(written, number, files)
                number += len(written.texts)
                task.advance(len(written.texts))
                self._totals += written.totals
                output.flush()
            if job.stats is not None:
                report = self._totals.report(self._translator.options)
                job.stats.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
        return self._totals

    def _parts(self, source: IO[bytes], references: IO[bytes] | None) -> Iterator[Part[Lines]]:
        first = 0
        for batch in line_batches(source, BATCH):
            targets = self._take_references(references, len(batch))
            last = first + len(batch)
            yield Part(f"lines {first + 1:,} to {last:,}", Lines(first, batch, targets))
            first = last

    def _take_references(self, references: IO[bytes] | None, count: int) -> list[bytes] | None:
        if references is None:
            return None
        taken = list(islice(references, count))
        if len(taken) < count:
            raise InputError(f"{self._job.reference}: fewer lines than the source has")
        return taken

    def _write(self, written: Written, first: int, files: list[TextIO]) -> None:
        for complaint in written.unreadable:
            self._complain(first, complaint)
        complaints = {complaint.index: complaint for complaint in written.complaints}
        for index, texts in enumerate(written.texts):
            if index in complaints:
                self._complain(first, complaints[index])
            for file, text in zip(files, texts, strict=True):
                file.write(text)

    def _complain(self, first: int, complaint: Complaint) -> None:
        name = self._job.input if self._job.input is not None else "standard input"
        error = InputError.at(name, first + complaint.index + 1, complaint.problem)
        if self._job.stop_on_error and complaint.stops:
            raise error
        print(f"dragoman: warning: {error}", file=sys.stderr)


def _check_files(job: Job, model: Path) -> None:
    """Raise UsageError before a file is emptied that is read, or belongs to the model, and before
    one is written twice."""
    read = [path for path in (job.input, job.reference, *job.also_read) if path is not None]
    outputs = (
        job.output,
        job.nbest_file,
        job.matches,
        job.confidence,
        job.trace,
        job.graph,
        job.stats,
    )
    written = [path for path in outputs if path is not None]
    for number, path in enumerate(written):
        if any(same_file(path, other) for other in read):
            raise UsageError(f"{path}: is read and cannot be written at the same time")
        if path.is_file() and model.resolve() in path.resolve().parents:
            raise UsageError(f"{path}: belongs to the model; write elsewhere")
        if path in written[:number] or any(same_file(path, one) for one in written[:number]):
            raise UsageError(f"{path}: two outputs cannot go to one file")


def _count_lines(path: Path) -> int | None:
    """How many lines a regular file has; others are read once."""
    if not path.is_file():
        return None
    with _open_bytes(path) as file:
        return sum(piece.count(b"\n") for piece in iter(lambda: file.read(1 << 20), b""))


def _open_bytes(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as problem:
        raise FileError.of(problem, path) from problem


def _open_out(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as problem:
        raise FileError.of(problem, path) from problem
