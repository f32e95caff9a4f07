"""The stages from links to a table, the same for phrases and for hierarchical rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from dragoman._core import LexicalTable, PhraseTableBuilder, RuleTableBuilder
from dragoman.alignment.lexical import lexical_table_from_links, train_model1_table
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.progress import Progress

Builder = PhraseTableBuilder | RuleTableBuilder
LexicalTables = tuple[LexicalTable, LexicalTable]

DEFAULT_MEMORY = 2 << 30
# How much is done between two looks at the keyboard.
PARTITIONS_PER_STEP = 16


def count(builder: Builder, what: str, pairs_per_step: int, progress: Progress) -> None:
    """Extract, count, and total over target sides."""
    _in_steps(
        builder.extract, f"extracting {what}", builder.pairs, pairs_per_step, "pairs", progress
    )
    _over_partitions(builder, builder.aggregate, f"counting {what}", progress)
    _over_partitions(builder, builder.join, f"totalling {what}", progress)


def lexical_tables(
    bitext: Bitext,
    links: Links,
    weights: Literal["viterbi", "links"],
    threads: int,
    progress: Progress,
) -> LexicalTables:
    """p(target | source) and p(source | target) as the lexical weights need them."""
    if weights == "links":
        return (
            lexical_table_from_links(bitext, links, "forward"),
            lexical_table_from_links(bitext, links, "backward"),
        )
    return (
        train_model1_table(bitext, "forward", threads=threads, progress=progress),
        train_model1_table(bitext, "backward", threads=threads, progress=progress),
    )


def score(builder: Builder, what: str, progress: Progress) -> None:
    """Score what was counted, after `begin_scoring`."""
    _over_partitions(builder, builder.score, f"scoring {what}", progress)


def write(
    builder: Builder, path: Path, what: str, total: int | None, unit: str, progress: Progress
) -> None:
    """Write what was scored."""
    with progress.task(f"writing {what}", total, unit) as task:
        done, written = False, 0
        while not done:
            done = builder.write(str(path))
            task.advance(builder.written - written)
            written = builder.written


def _over_partitions(
    builder: Builder, work: Callable[[int, int], None], label: str, progress: Progress
) -> None:
    _in_steps(work, label, builder.partitions, PARTITIONS_PER_STEP, "parts", progress)


def _in_steps(
    work: Callable[[int, int], None],
    label: str,
    total: int,
    size: int,
    unit: str,
    progress: Progress,
) -> None:
    with progress.task(label, total=total, unit=unit) as task:
        for first in range(0, total, size):
            last = min(total, first + size)
            work(first, last)
            task.advance(last - first)
