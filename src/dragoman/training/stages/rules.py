"""The stage that makes the table of phrases, or of hierarchical rules."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

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
from dragoman.lm.estimate import Settings, estimate_from_texts
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.rules.bilingual import (
    A_BILINGUAL_PAIR,
    attach_bilingual,
    bilingual_texts,
)
from dragoman.rules.build import DEFAULT_MEMORY, Make
from dragoman.rules.config import HieroConfig, RulesConfig
from dragoman.rules.extract import extract_table
from dragoman.rules.hiero import extract_rules
from dragoman.rules.parts import A_PAIR, PartsBuilder, better_in_parts
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
        memory=memory or context.memory or DEFAULT_MEMORY,
        threads=context.threads,
        make=_make(context, len(text)),
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
    text = open_bitext(context)
    report = extract_rules(
        text,
        _links(context),
        context.output(HIERO),
        context.config,
        memory=memory or context.memory or DEFAULT_MEMORY,
        threads=context.threads,
        make=_make(context, len(text)),
        progress=context.progress,
    )
    context.progress.message(
        f"{report.instances:,} rules extracted, {report.rules:,} different, "
        f"{report.rules_with_gaps:,} of them with gaps; {report.written:,} written for "
        f"{report.source_sides:,} source sides"
    )


def _make(context: StageContext, pairs: int) -> Make | None:
    """Who counts and scores: others, if they help; else it is done here."""
    crew = context.crew.suited(pairs * A_PAIR)
    if not better_in_parts(pairs, crew):
        return None
    return PartsBuilder(crew, bitext_files(context), context.resume() / "parts")


def _links(context: StageContext) -> Links:
    if context.has_input(_PHARAOH):
        return Links.read(context.input(_PHARAOH))
    return Links.open(context.input("links"))


def _add_bilingual(context: StageContext, bitext: Bitext, links: Links, order: int) -> None:
    """The bilingual language model, and its tokens in the table."""
    crew = context.crew.suited(len(bitext) * A_BILINGUAL_PAIR)
    place = context.staging / "bilingual"
    place.mkdir()
    vocabulary, texts = bilingual_texts(
        bitext_files(context), links, place, crew, context.progress
    )
    vocabulary.save(str(context.output(BILINGUAL_VOCABULARY)))
    model = context.output(BILINGUAL_MODEL)
    settings = Settings(order, memory=context.memory, spool=place, threads=context.threads)
    estimate_from_texts(texts, model, settings, crew=crew, place=place, progress=context.progress)
    shutil.rmtree(place)
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
