"""Counting and scoring a table part by part, wherever the parts are worked on.

Four steps, each of which goes over parts that the data alone cuts: sentence pairs are extracted;
partitions of what was found, by source side, are counted; partitions by target side are totalled;
partitions by source side are scored. What comes of a part is a file, which the parts of later
steps take up: the same records, in the same partitions, as a single builder has in memory or
spills. So the table is the same, byte for byte.

Files appear when they are whole and are named by what they hold, so work that was interrupted
goes on behind the parts that are done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dragoman._core import LexicalTable, WorkResources
from dragoman.alignment.lexical import model1_tables
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext, BitextFiles
from dragoman.crew import Crew, Effort, Part
from dragoman.files import written_whole
from dragoman.progress import Progress
from dragoman.rules.build import Builder, LexicalTables, Recipe, lexical_tables

A_PAIR = Effort(1e-4, threaded=True)
# Sentence pairs of a part: at least so many, and so many parts at most.
PAIRS, MOST_PARTS = 20_000, 512
# Partitions of a part.
PARTITIONS = 16

EXTRACTED, COUNTED, TOTALLED, SCORED = "extracted", "counted", "totalled", "scored"


@dataclass(frozen=True)
class Span:
    """A part of a step: some sentence pairs, or some partitions."""

    begin: int
    end: int


@dataclass(frozen=True)
class TableMaker:
    """Opens builders; all of them have the same text and options."""

    recipe: Recipe
    files: BitextFiles
    links: Path
    place: Path  # of the files that parts share
    memory: int
    # How many there are, and how many of them are a part; by step.
    pairs: tuple[int, int] = (0, 1)
    partitions: tuple[int, int] = (0, 1)

    @cached_property
    def bitext(self) -> Bitext:
        """Mapped when it is first used, also after a journey."""
        return self.files.open()

    @cached_property
    def all_links(self) -> Links:
        """Mapped as well."""
        return Links.open(self.links)

    @cached_property
    def _lexical(self) -> LexicalTables:
        forward, backward = self.lexical
        return LexicalTable.open(str(forward)), LexicalTable.open(str(backward))

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def lexical(self) -> tuple[Path, Path]:
        """The files of p(target | source) and p(source | target)."""
        return self.place / "forward", self.place / "backward"

    def spans(self, step: str) -> list[Span]:
        """The parts of a step, cut by the data alone."""
        total, size = self.pairs if step == EXTRACTED else self.partitions
        return [Span(begin, min(total, begin + size)) for begin in range(0, total, size)]

    def file(self, step: str, span: Span) -> Path:
        """What comes of a part."""
        return self.place / f"{step}.{span.begin:010}-{span.end:010}"

    def all_files(self, step: str) -> list[Path]:
        """What comes of all parts of a step, in their order."""
        return [self.file(step, span) for span in self.spans(step)]

    def builder(self, *steps: str, threads: int) -> Builder:
        """One that goes on with what came of these steps."""
        resources = WorkResources(memory=self.memory, directory=str(self.place), threads=threads)
        builder = self.recipe.builder(self.bitext, self.all_links, resources)
        for step in steps:
            for path in self.all_files(step):
                builder.take_up_counts(str(path))
        return builder

    def scorer(self, *steps: str, threads: int) -> Builder:
        """The same, ready to score."""
        builder = self.builder(*steps, threads=threads)
        self.recipe.begin_scoring(builder, self.bitext, self._lexical)
        return builder


def extract_part(maker: TableMaker, span: Span, threads: int) -> None:
    """Find what some sentence pairs hold."""
    builder = maker.builder(threads=threads)
    builder.extract(span.begin, span.end)
    _write(builder.put_away_counts, maker.file(EXTRACTED, span))


def count_part(maker: TableMaker, span: Span, threads: int) -> None:
    """Count some partitions of what was found."""
    builder = maker.builder(EXTRACTED, threads=threads)
    builder.aggregate(span.begin, span.end)
    _write(builder.put_away_counts, maker.file(COUNTED, span))


def total_part(maker: TableMaker, span: Span, threads: int) -> None:
    """Add up what target sides in some partitions count."""
    builder = maker.builder(COUNTED, threads=threads)
    builder.join(span.begin, span.end)
    _write(builder.put_away_counts, maker.file(TOTALLED, span))


def score_part(maker: TableMaker, span: Span, threads: int) -> None:
    """Score some partitions of what was counted."""
    builder = maker.scorer(COUNTED, TOTALLED, threads=threads)
    builder.score(span.begin, span.end)
    _write(builder.put_away_scores, maker.file(SCORED, span))


def _write(put_away: Callable[[str], None], path: Path) -> None:
    with written_whole(path) as temporary:
        put_away(str(temporary))


@dataclass(frozen=True)
class PartsBuilder:
    """In the place of :func:`dragoman.rules.build.build`: the parts are done by a crew.

    `place` is a directory that everybody sees; what is found there from an earlier attempt at the
    same table is not made again.
    """

    crew: Crew
    files: BitextFiles
    place: Path

    def __call__(
        self,
        recipe: Recipe,
        bitext: Bitext,
        links: Links,
        lexical: LexicalTables | None,
        resources: WorkResources,
        progress: Progress,
    ) -> Builder:
        place, threads = self.place.absolute(), resources.threads
        place.mkdir(parents=True, exist_ok=True)
        if not (place / "links").exists():
            links.save(place / "links")
        size = len(bitext)
        maker = TableMaker(
            recipe,
            self.files.absolute(),
            place / "links",
            place,
            resources.memory,
            (size, max(PAIRS, -(-size // MOST_PARTS))),
        )
        partitions = maker.builder(threads=threads).partitions
        maker = replace(maker, partitions=(partitions, PARTITIONS))
        if not _all_there(maker.all_files(COUNTED)):
            self._step(EXTRACTED, extract_part, maker, progress)
            self._step(COUNTED, count_part, maker, progress)
        _remove(maker.all_files(EXTRACTED))
        if not _all_there(maker.all_files(SCORED)):
            self._make_lexical(maker, lexical, progress)
            self._step(TOTALLED, total_part, maker, progress)
            self._step(SCORED, score_part, maker, progress)
        _remove(maker.all_files(TOTALLED))
        builder = maker.scorer(COUNTED, threads=threads)
        for path in maker.all_files(SCORED):
            builder.take_up_scores(str(path))
        return builder

    def _step(
        self,
        name: str,
        work: Callable[[TableMaker, Span, int], None],
        maker: TableMaker,
        progress: Progress,
    ) -> None:
        what, unit = maker.recipe.what, "pairs" if name == EXTRACTED else "partitions"
        spans = maker.spans(name)
        missing = [span for span in spans if not maker.file(name, span).exists()]
        parts = [
            Part(f"{unit} {span.begin + 1:,} to {span.end:,} of the {what}", span)
            for span in missing
        ]
        with progress.task(f"{what} {name}", total=spans[-1].end, unit=unit) as task:
            task.advance(spans[-1].end - sum(span.end - span.begin for span in missing))
            for span, _ in zip(missing, self.crew.run(work, maker, parts, task), strict=True):
                task.advance(span.end - span.begin)

    def _make_lexical(
        self, maker: TableMaker, lexical: LexicalTables | None, progress: Progress
    ) -> None:
        if _all_there(maker.lexical):
            return
        if lexical is None and maker.recipe.config.lexical_weights == "viterbi":
            lexical = model1_tables(maker.files, maker.place, self.crew, maker.memory, progress)
        elif lexical is None:
            resources = WorkResources(memory=maker.memory, directory=str(maker.place), threads=1)
            lexical = lexical_tables(maker.bitext, maker.all_links, "links", resources, progress)
        for table, path in zip(lexical, maker.lexical, strict=True):
            _write(table.save, path)


def better_in_parts(pairs: int, crew: Crew) -> bool:
    """Whether others can help."""
    return crew.elsewhere and pairs > PAIRS


def _all_there(paths: Iterable[Path]) -> bool:
    return all(path.exists() for path in paths)


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
