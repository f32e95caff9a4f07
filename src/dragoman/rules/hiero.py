"""From a bitext with links to a table of hierarchical rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dragoman._core import (
    AlignedText,
    RuleExtractionOptions,
    RuleScoringOptions,
    RuleTableBuilder,
    WorkResources,
)
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.errors import UsageError
from dragoman.files import written_whole
from dragoman.progress import SILENT, Progress
from dragoman.rules import build
from dragoman.rules.build import DEFAULT_MEMORY, Builder, LexicalTables, Make
from dragoman.rules.config import HieroConfig

# How much is done between two looks at the keyboard.
PAIRS_PER_STEP = 4_000


@dataclass(frozen=True)
class RuleRecipe:
    """What makes a table of hierarchical rules."""

    config: HieroConfig

    what = "rules"
    pairs_per_step = PAIRS_PER_STEP

    def builder(self, bitext: Bitext, links: Links, resources: WorkResources) -> Builder:
        """What counts, scores and writes."""
        config = self.config
        options = RuleExtractionOptions(
            max_span=config.max_span,
            max_symbols=config.max_symbols,
            max_gaps=config.max_gaps,
            min_gap=config.min_gap,
            tight=config.tight,
        )
        text = AlignedText(bitext.native, links.native)
        return RuleTableBuilder(text, options, resources)

    def begin_scoring(self, builder: Builder, bitext: Bitext, lexical: LexicalTables) -> None:
        """Let it score from now on."""
        assert isinstance(builder, RuleTableBuilder)
        config = self.config
        scoring = RuleScoringOptions(
            lexical_weights=config.lexical_weights,
            min_count=config.min_count,
            discount=config.discount,
            max_options=config.max_options,
            source_words=len(bitext.source_vocabulary),
            target_words=len(bitext.target_vocabulary),
        )
        builder.begin_scoring(*lexical, scoring)


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
    lexical: LexicalTables | None = None,
    memory: int = DEFAULT_MEMORY,
    threads: int = 1,
    make: Make | None = None,
    progress: Progress = SILENT,
) -> RuleReport:
    """Write the hierarchical rules of a bitext to `path`.

    `lexical`, `memory` and `make` are as in :func:`dragoman.rules.extract.extract_table`.
    """
    from dragoman.rules.table import open_file
    from dragoman.rules.thin import rewrite

    config = config if config is not None else HieroConfig()
    if threads < 1:
        raise UsageError(f"threads must be at least 1, not {threads}")
    path = Path(path)
    resources = WorkResources(memory=memory, directory=str(path.parent), threads=threads)
    recipe = RuleRecipe(config)
    builder = (make or build.build)(recipe, bitext, links, lexical, resources, progress)
    assert isinstance(builder, RuleTableBuilder)
    with written_whole(path) as temporary:
        build.write(builder, temporary, "rules", None, "rules", progress)
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
