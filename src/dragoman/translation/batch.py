"""Some lines of a job, translated: a part of the work that can be done anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.errors import InputError
from dragoman.search.result import Totals
from dragoman.translation.demands import NO_DEMANDS, Demands, MarkedLine
from dragoman.translation.nbest import nbest_lines
from dragoman.translation.result import Found, Prepared, Wants
from dragoman.translation.source import Source
from dragoman.translation.trace import graph_dot, graph_lines, trace
from dragoman.translation.translator import Translator

Writer = Callable[[int, Found], str]


@dataclass(frozen=True)
class LineWork:
    """What to make of each line. Paths say where results go; they are not opened here."""

    translator: Translator
    demands: Demands = NO_DEMANDS
    nbest: int = 0
    nbest_file: Path | None = None
    distinct: bool = False
    matches: Path | None = None
    confidence: Path | None = None
    trace: Path | None = None
    graph: Path | None = None
    graph_dot: bool = False

    @property
    def wants(self) -> Wants:
        """What is asked of the search."""
        return Wants(
            nbest=self.nbest,
            distinct=self.distinct,
            features=bool(self.nbest or self.trace),
            graph=self.graph is not None or self.trace is not None,
            confidence=self.confidence is not None,
        )

    def writers(self) -> list[tuple[Path | None, Writer]]:
        """What is written of each sentence, its number given, and where; None: the output."""
        found: list[tuple[Path | None, Writer]] = []
        if self.nbest == 0 or self.nbest_file is not None:
            found.append((None, self._text))
        if self.nbest > 0:
            found.append((self.nbest_file, self._nbest))
        if self.matches is not None:
            found.append((self.matches, self._matches))
        if self.confidence is not None:
            found.append((self.confidence, self._confidence))
        if self.trace is not None:
            found.append((self.trace, self._trace))
        if self.graph is not None:
            found.append((self.graph, self._graph))
        return found

    def _text(self, _: int, found: Found) -> str:
        return found.best.text.replace("\n", " ") + "\n"

    def _nbest(self, number: int, found: Found) -> str:
        return "".join(f"{line}\n" for line in nbest_lines(number, found.nbest[: self.nbest]))

    def _matches(self, number: int, found: Found) -> str:
        told = [match.told() for match in found.prepared.offers]
        line = {"sentence": number, "source": found.best.source, "matches": told}
        return json.dumps(line, ensure_ascii=False) + "\n"

    def _confidence(self, number: int, found: Found) -> str:
        line = {"sentence": number, **found.best.told_confidence()}
        return json.dumps(line, ensure_ascii=False) + "\n"

    def _trace(self, number: int, found: Found) -> str:
        if found.best.problem:
            return ""
        line = found.prepared.line
        story = trace(line.text, found.result, self.translator.bundle.features, line.order)
        return json.dumps({"sentence": number, **story}, ensure_ascii=False) + "\n"

    def _graph(self, number: int, found: Found) -> str:
        drawn, order = found.result.graph, found.prepared.line.order
        if drawn is None or found.best.problem:
            return ""
        lines = (
            graph_dot(number, drawn, order)
            if self.graph_dot
            else graph_lines(number, drawn, self.translator.bundle.features, order)
        )
        return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True)
class Lines:
    """Consecutive lines of the input, and translations to be reached if there are any."""

    first: int  # their place in the input, from 0
    raw: list[bytes]
    references: list[bytes] | None = None


@dataclass(frozen=True)
class Complaint:
    """What is wrong with a line."""

    index: int  # in its batch
    problem: str
    stops: bool = True  # whether it ends a job that does not want bad lines


@dataclass
class Written:
    """What lines have become: for each of them, what each writer wrote."""

    texts: list[tuple[str, ...]] = field(default_factory=list)
    unreadable: list[Complaint] = field(default_factory=list)  # known before any was translated
    complaints: list[Complaint] = field(default_factory=list)
    totals: Totals = field(default_factory=Totals)


def translate_lines(work: LineWork, lines: Lines, threads: int) -> Written:
    """Translate some lines; the translator knows how many threads it has."""
    del threads
    translator, written = work.translator, Written()
    for preordering in translator.preorderings:
        preordering.begin_at(lines.first)
    prepared: list[Prepared] = []
    references: list[str] = []
    bad: set[int] = set()
    forced = lines.references is not None
    for index, raw in enumerate(lines.raw):
        try:
            sentence = _prepare(work, raw)
            if lines.references is not None:
                target = lines.references[index].decode("utf-8")
                references.append(_reference(translator, sentence, target))
        except (UnicodeDecodeError, InputError) as problem:
            unreadable = isinstance(problem, UnicodeDecodeError)
            what = "not UTF-8" if unreadable else str(problem)
            written.unreadable.append(Complaint(index, what))
            bad.add(index)
            sentence = Prepared(Source.of_line(""), MarkedLine())
            references[index:] = [""] if forced else []
        prepared.append(sentence)
    results = translator.search(
        prepared,
        work.wants,
        references=references if forced else None,
        totals=written.totals,
    )
    writers = [write for _, write in work.writers()]
    for index, (sentence, result) in enumerate(zip(prepared, results, strict=True)):
        found = translator.finish(sentence, result)
        if found.best.problem and index not in bad:
            # An unreachable reference is a result, not a mistake.
            unreached = forced and not result.error
            what = "its reference cannot be reached" if unreached else found.best.problem
            written.complaints.append(Complaint(index, what, stops=not unreached))
        number = lines.first + index
        written.texts.append(tuple(write(number, found) for write in writers))
    return written


def _prepare(work: LineWork, raw: bytes) -> Prepared:
    source = work.translator.source_of(raw.decode("utf-8"), markup=work.demands.markup)
    return work.translator.prepare(source, work.demands)


def _reference(translator: Translator, sentence: Prepared, target: str) -> str:
    """A translation to be reached, in tokens."""
    if translator.form.classed:
        return translator.form.prepare_pair(sentence.source.spelt, target)[1]
    return translator.form.prepare_target(target)
