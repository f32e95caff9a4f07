"""From a bitext with links to a phrase table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman._core import (
    AlignedText,
    ExtractionOptions,
    PhraseTableBuilder,
    ScoringOptions,
    WorkResources,
)
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.errors import UsageError
from dragoman.files import written_whole
from dragoman.progress import SILENT, Progress
from dragoman.rules import build
from dragoman.rules.build import DEFAULT_MEMORY, Builder, LexicalTables, Make
from dragoman.rules.config import RulesConfig

# How much is done between two looks at the keyboard.
PAIRS_PER_STEP = 20_000


@dataclass(frozen=True)
class PhraseRecipe:
    """What makes a phrase table; `times`: how often each sentence pair counts, else once."""

    config: RulesConfig
    times: Sequence[int] = ()

    what = "phrases"
    pairs_per_step = PAIRS_PER_STEP

    def builder(self, bitext: Bitext, links: Links, resources: WorkResources) -> Builder:
        """What counts, scores and writes."""
        config = self.config
        options = ExtractionOptions(
            max_length=config.max_length, reordering=config.reordering, times=self.times
        )
        text = AlignedText(bitext.native, links.native)
        return PhraseTableBuilder(text, options, config.smoothing, resources)

    def begin_scoring(self, builder: Builder, bitext: Bitext, lexical: LexicalTables) -> None:
        """Let it score from now on."""
        assert isinstance(builder, PhraseTableBuilder)
        scoring = ScoringOptions(
            lexical_weights=self.config.lexical_weights,
            reordering_smoothing=self.config.reordering_smoothing,
            source_words=len(bitext.source_vocabulary),
            target_words=len(bitext.target_vocabulary),
        )
        builder.begin_scoring(*lexical, scoring)


@dataclass(frozen=True)
class ExtractionReport:
    """What came of an extraction."""

    sentence_pairs: int
    instances: int  # phrase pairs, counted as often as they occur
    phrase_pairs: int  # different ones
    source_phrases: int
    written: int  # phrase pairs in the table, after filtering
    spilled_bytes: int
    remark: str = ""  # what could not be done as asked


def extract_table(
    bitext: Bitext,
    links: Links,
    path: str | Path,
    config: RulesConfig | None = None,
    *,
    lexical: LexicalTables | None = None,
    times: Sequence[int] = (),
    memory: int = DEFAULT_MEMORY,
    threads: int = 1,
    make: Make | None = None,
    progress: Progress = SILENT,
) -> ExtractionReport:
    """Write the phrase table of a bitext to `path`.

    `lexical` holds p(target | source) and p(source | target). Without it they are those of IBM
    Model 1, trained here, for "viterbi" weights, and the relative frequencies of the links for
    "links". `times`: how often each sentence pair counts; else once each. `memory` bounds, in
    bytes, the phrase pairs kept in memory while counting; more go to temporary files beside
    `path`. `make`: who counts and scores, if not this process.
    """
    config = config if config is not None else RulesConfig()
    if threads < 1:
        raise UsageError(f"threads must be at least 1, not {threads}")
    path = Path(path)
    resources = WorkResources(memory=memory, directory=str(path.parent), threads=threads)
    recipe = PhraseRecipe(config, times)
    builder = (make or build.build)(recipe, bitext, links, lexical, resources, progress)
    assert isinstance(builder, PhraseTableBuilder)
    with written_whole(path) as temporary:
        build.write(builder, temporary, "phrases", builder.phrase_pairs, "phrase pairs", progress)
        return _finish(temporary, bitext, config, builder, threads, progress)


def _finish(
    temporary: Path,
    bitext: Bitext,
    config: RulesConfig,
    builder: PhraseTableBuilder,
    threads: int,
    progress: Progress,
) -> ExtractionReport:
    """Filter and quantise what was written, if that was asked for; then tell about it."""
    from dragoman.rules.table import open_file
    from dragoman.rules.thin import rewrite, significant

    table = open_file(temporary)
    if config.significance != "off" or config.quantise:
        keep = None
        if config.significance != "off":
            keep = significant(table, bitext, config.significance, threads, progress)
        rewrite(table, temporary, keep=keep, quantise=config.quantise, progress=progress)
        table = open_file(temporary)
    return ExtractionReport(
        sentence_pairs=builder.pairs,
        instances=builder.instances,
        phrase_pairs=builder.phrase_pairs,
        source_phrases=table.source_phrases,
        written=len(table),
        spilled_bytes=builder.spilled_bytes,
        remark=builder.smoothing_fallback,
    )
