"""``dragoman import moses`` and ``dragoman export moses``: models from Moses and for it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options
from dragoman.errors import UsageError

import_app = typer.Typer(
    no_args_is_help=True,
    help="Take over the tables and weights of Moses.\n\n"
    "Example: dragoman import moses --ini moses.ini --from de --to en -o model",
)
export_app = typer.Typer(
    no_args_is_help=True,
    help="Write a model in the formats of Moses.\n\n"
    "Example: dragoman export moses model -o moses-model",
)


class Tokeniser(StrEnum):
    """How text of models that others have made is tokenised."""

    moses = "moses"
    whitespace = "whitespace"
    char = "char"


@import_app.callback()
def _imports() -> None:
    """Take over models of other systems."""


@export_app.callback()
def _exports() -> None:
    """Write models for other systems."""


@import_app.command("moses")
def import_moses(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="The model directory.")
    ],
    ini: Annotated[
        Path | None,
        typer.Option("--ini", metavar="FILE", help="A moses.ini, which names tables and weights."),
    ] = None,
    phrase_table: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Moses' phrase table, perhaps .gz.")
    ] = None,
    reordering_table: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Moses' reordering table, perhaps .gz."),
    ] = None,
    language_model: Annotated[
        list[Path] | None,
        typer.Option(
            "--lm", metavar="FILE", help="An ARPA file, perhaps .gz, instead of --ini's."
        ),
    ] = None,
    source_language: options.SourceLanguage = "",
    target_language: options.TargetLanguage = "",
    tokeniser: Annotated[
        Tokeniser | None,
        typer.Option(
            help="How the text of the model was cut: by the Moses scripts (moses), at its spaces "
            "(whitespace), or into letters (char). Without it, the model takes tokens only "
            "(--tokenised).",
        ),
    ] = None,
    threads: options.Threads = options.ALL_THREADS,
    quiet: options.Quiet = False,
) -> None:
    """Turn Moses' tables into a model directory.

    Example: dragoman import moses --ini moses.ini --from de --to en --tokeniser moses -o model
    """
    from dragoman.model.directory import ModelDirectory
    from dragoman.progress import to_terminal
    from dragoman.rules import moses
    from dragoman.text.config import TextConfig
    from dragoman.training import pipeline
    from dragoman.training.stages.import_moses import import_stage

    named = moses.read_ini(ini) if ini is not None else moses.MosesIni()
    table = phrase_table or named.phrase_table
    if table is None:
        raise UsageError("no phrase table given: use --ini or --phrase-table")
    reordering = dict(named.reordering)
    for path in reordering_table or []:
        reordering[moses.reordering_model_of(path)] = path
    models = language_model or list(named.language_models)
    text = None
    if tokeniser is not None:
        text = TextConfig(
            source_language=source_language,
            target_language=target_language,
            tokeniser=tokeniser.value,
            truecase="no",
        ).resolved()
    stage = import_stage(table, reordering, models, named.weights, text)
    pipeline.run(
        ModelDirectory(output), [stage], whole=True, threads=threads, progress=to_terminal(quiet)
    )


@export_app.command("moses")
def export_moses(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model directory.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write to.")
    ],
    quiet: options.Quiet = False,
) -> None:
    """Write phrase and reordering tables, the language model and a moses.ini.

    Example: dragoman export moses model -o moses-model
    """
    from dragoman.layout import LANGUAGE_MODEL, WEIGHTS
    from dragoman.lm.arpa import write_arpa
    from dragoman.lm.query import LanguageModel
    from dragoman.model.directory import ModelDirectory
    from dragoman.model.weights import read_weights
    from dragoman.progress import to_terminal
    from dragoman.rules import moses

    progress = to_terminal(quiet)
    directory = ModelDirectory.open(model)
    binary = directory.file(LANGUAGE_MODEL)
    weights = read_weights(directory.file(WEIGHTS)) if directory.has(WEIGHTS) else {}
    left = [name for name, weight in weights.items() if weight and moses.is_left_out(name)]
    if left:
        progress.message(
            f"note: Moses gets a model without {', '.join(left)}; tune the exported weights anew, "
            "or train with rules.bilingual_order = 0, lm.classes = 0, context.use = false and "
            "unknown.sources = false"
        )
    paths = moses.export_tables(
        directory.phrase_table(),
        output,
        weights=moses.handed_over(weights),
        language_model="lm.arpa.gz" if binary.is_file() else None,
        progress=progress,
    )
    if binary.is_file():
        write_arpa(LanguageModel.open(binary), output / "lm.arpa.gz", progress=progress)
        paths.append(output / "lm.arpa.gz")
    if not quiet:
        for path in paths:
            typer.echo(str(path))
