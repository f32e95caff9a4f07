"""The stage that makes the table of phrases, or of hierarchical rules."""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path

from dragoman._core import build_vocabulary
from dragoman.alignment.lexical import model1_tables
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.layout import (
    BILINGUAL_MODEL,
    BILINGUAL_VOCABULARY,
    HIERO,
    LINKS,
    PHRASES,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
)
from dragoman.lm.estimate import estimate_from_lines
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.rules.bilingual import attach_bilingual, bilingual_text
from dragoman.rules.build import DEFAULT_MEMORY, LexicalTables
from dragoman.rules.config import HieroConfig, RulesConfig
from dragoman.rules.extract import extract_table
from dragoman.rules.hiero import extract_rules
from dragoman.rules.table import open_file
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.align import bitext_files, open_bitext

_PHARAOH = "links in Pharaoh format"


def rules_stage(
    config: RulesConfig,
    directory: ModelDirectory,
    shape: Shape,
    links: Path | None = None,
    memory: int | None = None,
) -> Stage:
    """From the bitext and the links of the model, or other links, in Pharaoh format, to a table
    of phrases."""
    outputs: tuple[str, ...] = (PHRASES,)
    if config.bilingual_order > 0:
        outputs += (BILINGUAL_VOCABULARY, BILINGUAL_MODEL)
    run = partial(_extract_phrases, memory)
    return Stage("rules", config, _inputs(directory, shape, links), outputs, run)


def hiero_stage(
    config: HieroConfig,
    directory: ModelDirectory,
    shape: Shape,
    links: Path | None = None,
    memory: int | None = None,
) -> Stage:
    """In the place of :func:`rules_stage`: hierarchical rules instead of phrases."""
    run = partial(_extract_rules, memory)
    return Stage("rules", config, _inputs(directory, shape, links), (HIERO,), run)


def _inputs(directory: ModelDirectory, shape: Shape, links: Path | None) -> dict[str, Path]:
    return {
        "bitext": directory.file(shape.bitext),
        "source vocabulary": directory.file(SOURCE_VOCABULARY),
        "target vocabulary": directory.file(TARGET_VOCABULARY),
        **({_PHARAOH: links} if links is not None else {"links": directory.file(LINKS)}),
    }


def _extract_phrases(memory: int | None, context: StageContext) -> None:
    config: RulesConfig = context.config
    text, pairs = open_bitext(context), _links(context)
    report = extract_table(
        text,
        pairs,
        context.output(PHRASES),
        config,
        lexical=_lexical(context),
        memory=memory or context.memory or DEFAULT_MEMORY,
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


def _extract_rules(memory: int | None, context: StageContext) -> None:
    report = extract_rules(
        open_bitext(context),
        _links(context),
        context.output(HIERO),
        context.config,
        lexical=_lexical(context),
        memory=memory or context.memory or DEFAULT_MEMORY,
        threads=context.threads,
        progress=context.progress,
    )
    context.progress.message(
        f"{report.instances:,} rules extracted, {report.rules:,} different, "
        f"{report.rules_with_gaps:,} of them with gaps; {report.written:,} written for "
        f"{report.source_sides:,} source sides"
    )


def _lexical(context: StageContext) -> LexicalTables | None:
    """Word translation tables that others have made, if others help; else they are made here
    when they are needed."""
    if not context.crew.elsewhere or context.config.lexical_weights != "viterbi":
        return None
    return model1_tables(bitext_files(context), context.staging, context.crew, context.progress)


def _links(context: StageContext) -> Links:
    if context.has_input(_PHARAOH):
        return Links.read(context.input(_PHARAOH))
    return Links.open(context.input("links"))


def _add_bilingual(context: StageContext, bitext: Bitext, links: Links, order: int) -> None:
    """The bilingual language model, and its tokens in the table."""
    lines = list(chain.from_iterable(bilingual_text(bitext, links, context.progress)))
    vocabulary = build_vocabulary(lines)
    vocabulary.save(str(context.output(BILINGUAL_VOCABULARY)))
    model = context.output(BILINGUAL_MODEL)
    estimate_from_lines(
        lines,
        model,
        order=order,
        memory=context.memory,
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
