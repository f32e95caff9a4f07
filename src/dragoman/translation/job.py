"""A whole job of translating: files in, files out, bad lines survived."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TextIO

from dragoman.errors import FileError, InputError, UsageError
from dragoman.files import same_file
from dragoman.search.engine import BATCH
from dragoman.search.result import Totals
from dragoman.translation.consensus import consensus
from dragoman.translation.demands import NO_DEMANDS, Demands, MarkedLine
from dragoman.translation.lines import line_batches
from dragoman.translation.nbest import nbest_lines
from dragoman.translation.result import Found, Prepared, Wants
from dragoman.translation.source import Source
from dragoman.translation.trace import graph_dot, graph_lines, trace
from dragoman.translation.translator import Translator


@dataclass(frozen=True)
class Job:
    """What to translate, a sentence a line, and where to."""

    input: Path | None = None  # None: standard input
    output: Path | None = None
    demands: Demands = NO_DEMANDS
    reference: Path | None = None
    stop_on_error: bool = False
    nbest: int = 0
    nbest_file: Path | None = None
    distinct: bool = False
    mbr: int = 0
    trace: Path | None = None
    graph: Path | None = None
    graph_dot: bool = False
    stats: Path | None = None

    def check(self) -> None:
        """Raise UsageError for what would do nothing."""
        needs = (
            ("--nbest-file", self.nbest_file is not None, "--nbest", self.nbest > 0),
            ("--distinct", self.distinct, "--nbest or --mbr", self.nbest > 0 or self.mbr > 0),
            ("--graph-format", self.graph_dot, "--graph", self.graph is not None),
        )
        for option, given, other, there in needs:
            if given and not there:
                raise UsageError(f"{option} needs {other}")
        if self.mbr and self.nbest and self.nbest_file is None:
            raise UsageError(
                "--mbr chooses one translation, --nbest writes many: give --nbest-file"
            )


def run(translator: Translator, job: Job) -> Totals:
    """Translate everything; returns what it cost."""
    job.check()
    _check_files(job)
    return _Run(translator, job).run()


class _Run:
    def __init__(self, translator: Translator, job: Job) -> None:
        self._translator, self._job = translator, job
        self._totals = Totals()
        graph = job.graph is not None or job.trace is not None
        self._wants = Wants(
            nbest=max(job.nbest, job.mbr),
            distinct=job.distinct,
            features=bool(job.nbest or job.trace),
            graph=graph,
        )

    def run(self) -> Totals:
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
            writers = self._writers(output, out)
            number = 0
            for batch in line_batches(source, BATCH):
                targets = self._take_references(references, len(batch))
                for found in self._translate(batch, targets, number):
                    for write in writers:
                        write(number, found)
                    number += 1
                output.flush()
            if job.stats is not None:
                report = self._totals.report(self._translator.options)
                job.stats.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
        return self._totals

    def _take_references(self, references: IO[bytes] | None, count: int) -> list[bytes] | None:
        if references is None:
            return None
        taken = list(islice(references, count))
        if len(taken) < count:
            raise InputError(f"{self._job.reference}: fewer lines than the source has")
        return taken

    def _translate(
        self, batch: list[bytes], targets: list[bytes] | None, first: int
    ) -> Iterator[Found]:
        translator = self._translator
        prepared: list[Prepared] = []
        references: list[str] = []
        bad: set[int] = set()
        for index, raw in enumerate(batch):
            try:
                sentence = self._prepare(raw)
                if targets is not None:
                    target = targets[index].decode("utf-8")
                    references.append(self._reference(sentence, target))
            except (UnicodeDecodeError, InputError) as problem:
                unreadable = isinstance(problem, UnicodeDecodeError)
                self._complain(first + index, "not UTF-8" if unreadable else str(problem))
                bad.add(index)
                sentence = Prepared(Source.of_line(""), MarkedLine())
                references[index:] = [""] if targets is not None else []
            prepared.append(sentence)
        results = translator.search(
            prepared,
            self._wants,
            references=references if targets is not None else None,
            totals=self._totals,
        )
        for index, (sentence, result) in enumerate(zip(prepared, results, strict=True)):
            found = translator.finish(sentence, result)
            if found.best.problem and index not in bad:
                # An unreachable reference is a result, not a mistake.
                forced = targets is not None and not result.error
                what = "its reference cannot be reached" if forced else found.best.problem
                self._complain(first + index, what, stops=not forced)
            yield found

    def _prepare(self, raw: bytes) -> Prepared:
        demands = self._job.demands
        source = self._translator.source_of(raw.decode("utf-8"), markup=demands.markup)
        return self._translator.prepare(source, demands)

    def _reference(self, sentence: Prepared, target: str) -> str:
        """A translation to be reached, in tokens."""
        form = self._translator.form
        if form.classed:
            return form.prepare_pair(sentence.source.spelt, target)[1]
        return form.prepare_target(target)

    def _complain(self, number: int, problem: str, *, stops: bool = True) -> None:
        name = self._job.input if self._job.input is not None else "standard input"
        error = InputError.at(name, number + 1, problem)
        if self._job.stop_on_error and stops:
            raise error
        print(f"dragoman: warning: {error}", file=sys.stderr)

    def _writers(
        self, output: TextIO, out: Callable[[Path | None], TextIO | None]
    ) -> list[Callable[[int, Found], None]]:
        """What to do with each sentence, its number given."""
        job = self._job
        features = self._translator.bundle.features
        nbest_out = out(job.nbest_file) or (output if job.nbest else None)
        trace_out, graph_out = out(job.trace), out(job.graph)

        def text(_: int, found: Found) -> None:
            best = found.best
            if job.mbr and found.nbest and not best.dictated:
                best = found.nbest[consensus(found.result.nbest[: job.mbr])]
            print(best.text.replace("\n", " "), file=output)

        def nbest(number: int, found: Found) -> None:
            for line in nbest_lines(number, found.nbest[: job.nbest]):
                print(line, file=nbest_out)

        def traced(number: int, found: Found) -> None:
            if not found.best.problem:
                line = found.prepared.line
                story = trace(line.text, found.result, features, line.order)
                told = json.dumps({"sentence": number, **story}, ensure_ascii=False)
                print(told, file=trace_out)

        def graph(number: int, found: Found) -> None:
            drawn, order = found.result.graph, found.prepared.line.order
            if drawn is None or found.best.problem:
                return
            lines = (
                graph_dot(number, drawn, order)
                if job.graph_dot
                else graph_lines(number, drawn, features, order)
            )
            for line in lines:
                print(line, file=graph_out)

        wanted = (
            (text, job.nbest == 0 or job.nbest_file is not None),
            (nbest, nbest_out is not None),
            (traced, trace_out is not None),
            (graph, graph_out is not None),
        )
        return [write for write, asked in wanted if asked]


def _check_files(job: Job) -> None:
    """Raise UsageError before a file is emptied that is still to be read, or written twice."""
    read = [path for path in (job.input, job.reference) if path is not None]
    outputs = (job.output, job.nbest_file, job.trace, job.graph, job.stats)
    written = [path for path in outputs if path is not None]
    for number, path in enumerate(written):
        if any(same_file(path, other) for other in read):
            raise UsageError(f"{path}: is read and cannot be written at the same time")
        if path in written[:number] or any(same_file(path, one) for one in written[:number]):
            raise UsageError(f"{path}: two outputs cannot go to one file")


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
