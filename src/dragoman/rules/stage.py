"""The stage that makes the phrase table, and where its files lie in a model directory."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from dragoman import layout
from dragoman._core import build_vocabulary
from dragoman.alignment.links import Links
from dragoman.alignment.stage import LINKS
from dragoman.config import HieroConfig, RulesConfig
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.prepare import BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.errors import ModelError
from dragoman.pipeline import Stage, StageContext
from dragoman.rules.bilingual import attach_bilingual, bilingual_text
from dragoman.rules.build import DEFAULT_MEMORY
from dragoman.rules.extract import extract_table
from dragoman.rules.hiero import extract_rules
from dragoman.rules.table import PhraseTable, open_file
from dragoman.workspace import Workspace

BILINGUAL_MODEL = layout.BILINGUAL_MODEL
BILINGUAL_VOCABULARY = layout.BILINGUAL_VOCABULARY
HIERO = layout.HIERO
PHRASES = layout.PHRASES
table_name = layout.table_name


def rules_stage(
    config: RulesConfig,
    workspace: Workspace,
    links: Path | None = None,
    memory: int = DEFAULT_MEMORY,
    bitext: str = BITEXT,
) -> Stage:
    """From the bitext and the links of the model; or other links, in Pharaoh format, or another
    bitext there."""
    inputs = _inputs(workspace, links, bitext)
    outputs: tuple[str, ...] = (PHRASES,)
    if config.bilingual_order > 0:
        outputs += (BILINGUAL_VOCABULARY, BILINGUAL_MODEL)

    def run(context: StageContext) -> None:
        text, pairs = _aligned(context, links is not None)
        report = extract_table(
            text,
            pairs,
            context.output(PHRASES),
            config,
            memory=memory,
            threads=context.threads,
            progress=context.progress,
        )
        if report.remark:
            context.progress.message(f"smoothing: {report.remark}")
        context.progress.message(
            f"{report.instances:,} phrase pairs extracted, {report.phrase_pairs:,} different, "
            f"{report.written:,} written for {report.source_phrases:,} source phrases"
        )
        if config.bilingual_order > 0:
            _add_bilingual(context, text, pairs, config.bilingual_order)

    return Stage("rules", config, inputs, outputs, run)


def hiero_stage(
    config: HieroConfig,
    workspace: Workspace,
    links: Path | None = None,
    memory: int = DEFAULT_MEMORY,
    bitext: str = BITEXT,
) -> Stage:
    """In the place of :func:`rules_stage`: hierarchical rules instead of phrases."""

    def run(context: StageContext) -> None:
        text, pairs = _aligned(context, links is not None)
        report = extract_rules(
            text,
            pairs,
            context.output(HIERO),
            config,
            memory=memory,
            threads=context.threads,
            progress=context.progress,
        )
        context.progress.message(
            f"{report.instances:,} rules extracted, {report.rules:,} different, "
            f"{report.rules_with_gaps:,} of them with gaps; {report.written:,} written for "
            f"{report.source_sides:,} source sides"
        )

    return Stage("rules", config, _inputs(workspace, links, bitext), (HIERO,), run)


def _inputs(workspace: Workspace, links: Path | None, bitext: str) -> dict[str, Path]:
    return {
        "bitext": workspace.file(bitext),
        "source vocabulary": workspace.file(SOURCE_VOCABULARY),
        "target vocabulary": workspace.file(TARGET_VOCABULARY),
        "links": links if links is not None else workspace.file(LINKS),
    }


def _aligned(context: StageContext, pharaoh: bool) -> tuple[Bitext, Links]:
    bitext = Bitext.open(
        context.input("bitext"),
        context.input("source vocabulary"),
        context.input("target vocabulary"),
    )
    path = context.input("links")
    return bitext, Links.read(path) if pharaoh else Links.open(path)


def _add_bilingual(context: StageContext, bitext: Bitext, links: Links, order: int) -> None:
    """The bilingual language model, and its tokens in the table."""
    from dragoman.lm.estimate import estimate_from_lines

    lines = list(chain.from_iterable(bilingual_text(bitext, links, context.progress)))
    vocabulary = build_vocabulary(lines)
    vocabulary.save(str(context.output(BILINGUAL_VOCABULARY)))
    model = context.output(BILINGUAL_MODEL)
    estimate_from_lines(
        lines,
        model,
        order=order,
        spool=model.parent,
        threads=context.threads,
        progress=context.progress,
        name="bilingual tokens",
    )
    table = context.output(PHRASES)
    attach_bilingual(
        open_file(table),
        table,
        bitext.source_vocabulary,
        bitext.target_vocabulary,
        vocabulary.find,
        len(vocabulary),
        context.progress,
    )


def open_phrases(model: str | Path) -> PhraseTable:
    """The table of phrases, or of rules, of a model directory."""
    workspace = Workspace(model)
    path = workspace.file(table_name(workspace))
    if not path.is_file():
        raise ModelError(f"{model}: no phrase table; make one with 'dragoman rules extract'")
    return PhraseTable.open(
        path,
        workspace.file(SOURCE_VOCABULARY),
        workspace.file(TARGET_VOCABULARY),
    )
