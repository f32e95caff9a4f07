"""From a bitext with links to a table of hierarchical rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dragoman._core import LexicalTable, RuleTableBuilder
from dragoman.alignment.lexical import lexical_table_from_links, train_model1_table
from dragoman.alignment.links import Links
from dragoman.config import HieroConfig
from dragoman.corpus.bitext import Bitext
from dragoman.errors import UsageError
from dragoman.progress import SILENT, Progress
from dragoman.rules.extract import DEFAULT_MEMORY, PARTITIONS_PER_STEP
from dragoman.workspace import written_whole

# How much is done between two looks at the keyboard.
PAIRS_PER_STEP = 4_000


@dataclass(frozen=True)
class RuleReport:
    """What came of an extraction."""

    sentence_pairs: int
    instances: int  # rules, counted as often as they occur
    rules: int  # different ones
    rules_with_gaps: int  # of these
    source_sides: int
    written: int  # rules in the table, after filtering
    spilled_bytes: int


def extract_rules(
    bitext: Bitext,
    links: Links,
    path: str | Path,
    config: HieroConfig | None = None,
    *,
    lexical: tuple[LexicalTable, LexicalTable] | None = None,
    memory: int = DEFAULT_MEMORY,
    threads: int = 1,
    progress: Progress = SILENT,
) -> RuleReport:
    """Write the hierarchical rules of a bitext to `path`.

    `lexical` and `memory` are as in :func:`dragoman.rules.extract.extract_table`.
    """
    from dragoman.rules.table import open_file
    from dragoman.rules.thin import rewrite

    config = config if config is not None else HieroConfig()
    if threads < 1:
        raise UsageError(f"threads must be at least 1, not {threads}")
    path = Path(path)
    builder = RuleTableBuilder(
        bitext.source.ids,
        bitext.source.offsets,
        bitext.target.ids,
        bitext.target.offsets,
        links.array,
        links.offsets,
        max_span=config.max_span,
        max_symbols=config.max_symbols,
        max_gaps=config.max_gaps,
        min_gap=config.min_gap,
        tight=config.tight,
        memory=memory,
        directory=str(path.parent),
        threads=threads,
    )

    def in_steps(
        label: str, unit: str, total: int, size: int, work: Callable[[int, int], None]
    ) -> None:
        with progress.task(label, total=total, unit=unit) as task:
            for first in range(0, total, size):
                last = min(total, first + size)
                work(first, last)
                task.advance(last - first)

    def over_partitions(label: str, work: Callable[[int, int], None]) -> None:
        in_steps(label, "parts", builder.partitions, PARTITIONS_PER_STEP, work)

    in_steps("extracting rules", "pairs", builder.pairs, PAIRS_PER_STEP, builder.extract)
    over_partitions("counting rules", builder.aggregate)
    over_partitions("totalling rules", builder.join)
    if lexical is None:
        lexical = _lexical(bitext, links, config, threads, progress)
    builder.begin_scoring(
        *lexical,
        weighting=config.lexical_weights,
        min_count=config.min_count,
        max_options=config.max_options,
        source_words=len(bitext.source_vocabulary),
        target_words=len(bitext.target_vocabulary),
    )
    over_partitions("scoring rules", builder.score)
    with written_whole(path) as temporary:
        with progress.task("writing rules", None, "rules") as task:
            done, written = False, 0
            while not done:
                done = builder.write(str(temporary))
                task.advance(builder.written - written)
                written = builder.written
        if config.quantise:
            rewrite(open_file(temporary), temporary, quantise=True, progress=progress)
        table = open_file(temporary)
        return RuleReport(
            sentence_pairs=builder.pairs,
            instances=builder.instances,
            rules=builder.rules,
            rules_with_gaps=builder.rules_with_gaps,
            source_sides=table.source_phrases,
            written=len(table),
            spilled_bytes=builder.spilled_bytes,
        )


def _lexical(
    bitext: Bitext, links: Links, config: HieroConfig, threads: int, progress: Progress
) -> tuple[LexicalTable, LexicalTable]:
    if config.lexical_weights == "links":
        return (
            lexical_table_from_links(bitext, links, "forward"),
            lexical_table_from_links(bitext, links, "backward"),
        )
    return (
        train_model1_table(bitext, "forward", threads=threads, progress=progress),
        train_model1_table(bitext, "backward", threads=threads, progress=progress),
    )
