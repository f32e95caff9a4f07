"""The stage that makes the phrase table, and where its files lie in a model directory."""

from __future__ import annotations

from pathlib import Path

from dragoman.config import RulesConfig
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.prepare import BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.errors import ModelError
from dragoman.pipeline import Stage, StageContext
from dragoman.rules.extract import DEFAULT_MEMORY, extract_table
from dragoman.rules.links import read_links
from dragoman.rules.table import PhraseTable
from dragoman.workspace import Workspace

PHRASES = "rules/phrases.table"


def rules_stage(
    config: RulesConfig,
    workspace: Workspace,
    links: Path,
    lexical: tuple[Path, Path] | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Stage:
    """From the bitext of the model, links in Pharaoh format, and p(t|s) and p(s|t)."""
    inputs = {
        "bitext": workspace.file(BITEXT),
        "source vocabulary": workspace.file(SOURCE_VOCABULARY),
        "target vocabulary": workspace.file(TARGET_VOCABULARY),
        "links": links,
    }
    if lexical is not None:
        inputs |= {"forward lexicon": lexical[0], "backward lexicon": lexical[1]}

    def run(context: StageContext) -> None:
        from dragoman import _core

        bitext = Bitext.open(
            context.input("bitext"),
            context.input("source vocabulary"),
            context.input("target vocabulary"),
        )
        tables = None
        if lexical is not None:
            tables = (
                _core.LexicalTable.open(str(context.input("forward lexicon"))),
                _core.LexicalTable.open(str(context.input("backward lexicon"))),
            )
        report = extract_table(
            bitext,
            read_links(context.input("links"), bitext),
            context.output(PHRASES),
            config,
            lexical=tables,
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

    return Stage("rules", config, inputs, (PHRASES,), run)


def open_phrases(model: str | Path) -> PhraseTable:
    """The phrase table of a model directory."""
    workspace = Workspace(model)
    if not workspace.file(PHRASES).is_file():
        raise ModelError(f"{model}: no phrase table; make one with 'dragoman rules extract'")
    return PhraseTable.open(
        workspace.file(PHRASES),
        workspace.file(SOURCE_VOCABULARY),
        workspace.file(TARGET_VOCABULARY),
    )
