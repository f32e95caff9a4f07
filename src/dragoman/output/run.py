"""A whole job of translating: files in, files out, bad lines survived."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO

from dragoman._core import DecodeResult
from dragoman.errors import FileError, InputError, UsageError
from dragoman.model.bundle import Bundle
from dragoman.output.lines import line_batches
from dragoman.output.nbest import consensus, nbest_lines
from dragoman.output.preordering import ModelPreordering
from dragoman.output.text import TextForm
from dragoman.output.trace import graph_dot, graph_lines, trace
from dragoman.search.choice import make_search
from dragoman.search.markup import MarkedLine, load_terms, parse
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.search.phrase import BATCH, Totals, target_text

if TYPE_CHECKING:
    from dragoman.output.corrections import Corrections


@dataclass(frozen=True)
class Job:
    """What to translate, how, and where to."""

    model: Path
    options: SearchOptions | ChartOptions
    input: Path | None = None  # None: standard input
    output: Path | None = None
    weights: Path | None = None
    tokenised: bool = False
    markup: bool = False
    terms: Path | None = None
    corrections: bool = False  # obey the model's corrections.db
    trees: Path | None = None  # of the input, for a model that was trained on trees
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
    threads: int = 1


def run(job: Job) -> Totals:
    """Translate everything; returns what it cost."""
    if job.nbest_file is not None and job.nbest == 0:
        raise UsageError("--nbest-file needs --nbest")
    return _Run(job).run()


class _Run:
    def __init__(self, job: Job) -> None:
        self._job = job
        self._bundle = Bundle.open(job.model, weights=job.weights)
        self._search = make_search(self._bundle, job.options, threads=job.threads)
        self._form = TextForm.tokenised() if job.tokenised else TextForm.of_model(job.model)
        form = self._form
        self._terms = (
            load_terms(job.terms, form.prepare_term, form.prepare_target) if job.terms else None
        )
        self._corrections = _open_corrections(job.model, form) if job.corrections else None
        self._demanding = job.markup or job.terms is not None or job.corrections
        self._preordering = ModelPreordering.of_model(job.model, job.trees)
        self._totals = Totals()
        self._features = self._bundle.features

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
            self._nbest_out = out(job.nbest_file) or (output if job.nbest else None)
            self._plain_out = output if job.nbest == 0 or job.nbest_file is not None else None
            self._trace_out, self._graph_out = out(job.trace), out(job.graph)
            number = 0
            for batch in line_batches(source, BATCH):
                targets = self._take_references(references, len(batch))
                self._translate(batch, targets, number)
                number += len(batch)
                output.flush()
            if job.stats is not None:
                report = self._totals.report(job.options)
                job.stats.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
        return self._totals

    def _take_references(self, references: IO[bytes] | None, count: int) -> list[bytes] | None:
        if references is None:
            return None
        taken = list(islice(references, count))
        if len(taken) < count:
            raise InputError(f"{self._job.reference}: fewer lines than the source has")
        return taken

    def _translate(self, batch: list[bytes], targets: list[bytes] | None, first: int) -> None:
        marked: list[MarkedLine] = []
        bad: dict[int, str] = {}
        references: list[str] | None = [] if targets is not None else None
        for index, raw in enumerate(batch):
            try:
                marked.append(self._read(raw))
                if targets is not None and references is not None:
                    references.append(self._form.prepare_target(targets[index].decode("utf-8")))
            except UnicodeDecodeError:
                self._bad(bad, index, first, "not UTF-8")
            except InputError as problem:
                self._bad(bad, index, first, str(problem))
            if index in bad:
                marked[index:] = [MarkedLine()]
                if references is not None:
                    references[index:] = [""]
        job = self._job
        seen = marked
        if self._preordering is not None:
            seen = self._preordering.apply(marked, job.threads)
        results = self._search.decode(
            [line.text for line in seen],
            demands=[line.demands for line in seen] if self._demanding else None,
            references=references,
            nbest=max(job.nbest, job.mbr),
            distinct=job.distinct,
            graph=job.graph is not None or job.trace is not None,
            graph_values=job.graph is not None or job.trace is not None,
            features=bool(job.nbest or job.trace),
            totals=self._totals,
        )
        for index, (line, result) in enumerate(zip(marked, results, strict=True)):
            if result.error and index not in bad:
                self._bad(bad, index, first, result.error)
            elif not result.found and index not in bad:
                what = "its reference cannot be reached" if references else "no translation found"
                self._bad(bad, index, first, what)
            self._write(first + index, line, result, index in bad)

    def _read(self, raw: bytes) -> MarkedLine:
        text = raw.decode("utf-8")
        if self._job.markup:
            marked = parse(text, self._form.prepare_source, self._form.prepare_target)
        else:
            marked = MarkedLine(self._form.prepare_source(text).split())
        if self._terms is not None:
            self._terms.apply(marked)
        if self._corrections is not None:
            self._corrections.apply(marked)
        return marked

    def _bad(self, bad: dict[int, str], index: int, first: int, problem: str) -> None:
        name = self._job.input if self._job.input is not None else "standard input"
        error = InputError.at(name, first + index + 1, problem)
        # An unreachable reference is a result, not a mistake.
        if self._job.stop_on_error and not problem.startswith("its reference"):
            raise error
        bad[index] = problem
        print(f"dragoman: warning: {error}", file=sys.stderr)

    def _write(self, number: int, line: MarkedLine, result: DecodeResult, bad: bool) -> None:
        job = self._job
        if self._plain_out is not None:
            text = ""
            if not bad and result.found:
                text = target_text(result, job.options)
                if job.mbr and result.nbest:
                    text = consensus(result.nbest[: job.mbr]).target
                text = line.restore_tags(self._form.finish(text))
            print(text.replace("\n", " "), file=self._plain_out)
        if bad or not result.found:
            return
        if self._nbest_out is not None:
            for entry in nbest_lines(number, result, self._features)[: job.nbest]:
                print(line.restore_tags(entry), file=self._nbest_out)
        if self._trace_out is not None:
            story = trace(line.text, result, self._features, line.order)
            print(
                json.dumps({"sentence": number, **story}, ensure_ascii=False), file=self._trace_out
            )
        if self._graph_out is not None and result.graph is not None:
            lines: Iterator[str] = (
                graph_dot(number, result.graph, line.order)
                if job.graph_dot
                else graph_lines(number, result.graph, self._features, line.order)
            )
            for entry in lines:
                print(entry, file=self._graph_out)


def _open_corrections(model: Path, form: TextForm) -> Corrections:
    from dragoman.output.corrections import Corrections

    return Corrections(model, form)


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
