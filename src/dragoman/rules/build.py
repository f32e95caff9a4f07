"""The stages from links to a table, the same for phrases and for hierarchical rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, Protocol

from dragoman._core import LexicalTable, PhraseTableBuilder, RuleTableBuilder, WorkResources
from dragoman.alignment.lexical import lexical_table_from_links, train_model1_table
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.progress import Progress
from dragoman.rules.config import HieroConfig, RulesConfig

Builder = PhraseTableBuilder | RuleTableBuilder
LexicalTables = tuple[LexicalTable, LexicalTable]

# As :func:`build`.
Make = Callable[["Recipe", Bitext, Links, LexicalTables | None, WorkResources, Progress], Builder]

DEFAULT_MEMORY = 2 << 30
# How much is done between two looks at the keyboard.
PARTITIONS_PER_STEP = 16


class Recipe(Protocol):
    """What makes a table of one kind; travels to those who help."""

    @property
    def what(self) -> str:
        """What the table holds, e.g. "phrases"."""

    @property
    def pairs_per_step(self) -> int:
        """How many sentence pairs are extracted between two looks at the keyboard."""

    @property
    def config(self) -> RulesConfig | HieroConfig:
        """How it is made."""

    def builder(self, bitext: Bitext, links: Links, resources: WorkResources) -> Builder:
        """What counts, scores and writes."""

    def begin_scoring(self, builder: Builder, bitext: Bitext, lexical: LexicalTables) -> None:
        """Let it score from now on."""


def build(
    recipe: Recipe,
    bitext: Bitext,
    links: Links,
    lexical: LexicalTables | None,
    resources: WorkResources,
    progress: Progress,
) -> Builder:
    """Everything up to the writing of the table."""
    builder = recipe.builder(bitext, links, resources)
    what = recipe.what
    _in_steps(
        builder.extract,
        f"extracting {what}",
        builder.pairs,
        recipe.pairs_per_step,
        "pairs",
        progress,
    )
    _over_partitions(builder, builder.aggregate, f"counting {what}", progress)
    _over_partitions(builder, builder.join, f"totalling {what}", progress)
    if lexical is None:
        weights = recipe.config.lexical_weights
        lexical = lexical_tables(bitext, links, weights, resources, progress)
    recipe.begin_scoring(builder, bitext, lexical)
    _over_partitions(builder, builder.score, f"scoring {what}", progress)
    return builder


def lexical_tables(
    bitext: Bitext,
    links: Links,
    weights: Literal["viterbi", "links"],
    resources: WorkResources,
    progress: Progress,
) -> LexicalTables:
    """p(target | source) and p(source | target) as the lexical weights need them."""
    if weights == "links":
        return (
            lexical_table_from_links(bitext, links, "forward"),
            lexical_table_from_links(bitext, links, "backward"),
        )
    memory, threads = resources.memory, resources.threads
    return (
        train_model1_table(bitext, "forward", memory=memory, threads=threads, progress=progress),
        train_model1_table(bitext, "backward", memory=memory, threads=threads, progress=progress),
    )


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
