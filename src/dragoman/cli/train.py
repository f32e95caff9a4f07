"""``dragoman train``: parallel text in, a model out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, cast

import typer

from dragoman.cli import options
from dragoman.config import TokeniserName


class Kind(StrEnum):
    """What translates."""

    phrase = "phrase"
    hiero = "hiero"


def train(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="The model directory.")
    ],
    source: options.Sources = None,
    target: options.Targets = None,
    tsv: options.Tsv = None,
    columns: options.Columns = "1,2",
    tmx: options.Tmx = None,
    po: options.Po = None,
    xliff: options.Xliff = None,
    source_language: options.SourceLanguage = "",
    target_language: options.TargetLanguage = "",
    dev: options.Dev = None,
    test: options.Test = None,
    tokeniser: Annotated[
        str | None, typer.Option(help="moses, whitespace, char, mecab or jieba.")
    ] = None,
    kind: Annotated[
        Kind | None,
        typer.Option("--model", help="Phrases, or hierarchical rules (Hiero)."),
    ] = None,
    config_file: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="TOML with all parameters.")
    ] = None,
    start_from: Annotated[
        str | None,
        typer.Option("--from-stage", metavar="STAGE", help="Run this stage and later ones anew."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would run, and why.")
    ] = False,
    threads: options.Threads = options.ALL_THREADS,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Train a model from parallel text.

    Stages that are up to date are skipped; after an interruption the same command goes on.

    Example: dragoman train -s train.en -t train.fr --from en --to fr -o model
    """
    from dragoman import config, training
    from dragoman.cli.summary import print_outcomes
    from dragoman.progress import to_terminal

    outcomes = training.train(
        options.parallel_files(source, target, tsv, columns, tmx, po, xliff),
        None,
        output,
        dev=options.optional_pair(dev),
        test=options.optional_pair(test),
        source_language=source_language,
        target_language=target_language,
        tokeniser=cast(TokeniserName | None, tokeniser),
        kind=kind.value if kind else None,
        config=config.load(config_file) if config_file else None,
        start_from=start_from,
        dry_run=dry_run,
        threads=threads,
        progress=to_terminal(quiet or as_json),
    )
    if not quiet or as_json:
        print_outcomes(outcomes, dry_run=dry_run, as_json=as_json)
