"""``dragoman train``: parallel text in, a model out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, cast

import typer

from dragoman.cli import options
from dragoman.config import TokeniserName

# What nearly everybody needs stands first in the help.
_MORE = "Less often needed"


class Preordering(StrEnum):
    """Where the trees come from, if source sentences are reordered first."""

    off = "off"
    trees = "trees"
    btg = "btg"


class Kind(StrEnum):
    """What translates."""

    phrase = "phrase"
    hiero = "hiero"


class Method(StrEnum):
    """How phrase table and weights come about."""

    pipeline = "pipeline"
    joint = "joint"


def train(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="The model directory.")
    ],
    source: Annotated[
        list[Path] | None,
        typer.Option(
            "--source",
            "-s",
            metavar="FILE",
            help="Source sentences, one a line; may be repeated, each with its -t.",
        ),
    ] = None,
    target: Annotated[
        list[Path] | None,
        typer.Option("--target", "-t", metavar="FILE", help="Their translations, line by line."),
    ] = None,
    source_language: Annotated[
        str, typer.Option("--from", metavar="LANG", help="Source language, e.g. en.")
    ] = "",
    target_language: Annotated[
        str, typer.Option("--to", metavar="LANG", help="Target language, e.g. fr.")
    ] = "",
    dev: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="SRC REF", help="Two files to tune on; without them some pairs are set aside."
        ),
    ] = None,
    tokeniser: Annotated[
        str | None,
        typer.Option(help="moses (raw text), whitespace (tokenised), char, mecab or jieba."),
    ] = None,
    threads: options.Threads = options.ALL_THREADS,
    tsv: options.Tsv = None,
    columns: options.Columns = "1,2",
    tmx: options.Tmx = None,
    po: options.Po = None,
    xliff: options.Xliff = None,
    test: options.Test = None,
    lm_text: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="More text in the target language; may be repeated.",
            rich_help_panel="Parallel text",
        ),
    ] = None,
    kind: Annotated[
        Kind | None,
        typer.Option("--model", help="Phrases, or hierarchical rules (Hiero)."),
    ] = None,
    method: Annotated[
        Method | None,
        typer.Option(
            help="Extract phrases, then tune; or learn rules and weights in one loop.",
            rich_help_panel=_MORE,
        ),
    ] = None,
    preorder: Annotated[
        Preordering | None,
        typer.Option(
            help="Put source sentences into the target's order first: along parse trees "
            "(--trees), or without a parser (btg).",
            rich_help_panel=_MORE,
        ),
    ] = None,
    trees: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Trees of all source sentences, in brackets or CoNLL-U; may be repeated.",
            rich_help_panel=_MORE,
        ),
    ] = None,
    config_file: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", help="TOML with all parameters.", rich_help_panel=_MORE
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Of tuning.", rich_help_panel=_MORE)
    ] = None,
    start_from: Annotated[
        str | None,
        typer.Option(
            "--from-stage",
            metavar="STAGE",
            help="Run this stage and later ones anew.",
            rich_help_panel=_MORE,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only say what would run, and why.", rich_help_panel=_MORE),
    ] = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Train a model from parallel text.

    Stages that are up to date are skipped; after an interruption the same command goes on.

    Example: dragoman train -s train.en -t train.fr --from en --to fr -o model
    """
    from dataclasses import replace

    from dragoman import config, training
    from dragoman.cli.summary import print_outcomes, print_scores
    from dragoman.progress import to_terminal

    chosen = config.load(config_file) if config_file else config.Config()
    if seed is not None:
        chosen = replace(chosen, tune=replace(chosen.tune, seed=seed))
    if preorder is not None:
        chosen = replace(chosen, preorder=replace(chosen.preorder, method=preorder.value))
    outcomes = training.train(
        options.parallel_files(source, target, tsv, columns, tmx, po, xliff),
        None,
        output,
        dev=options.optional_pair(dev),
        test=options.optional_pair(test),
        lm_texts=lm_text or (),
        trees=trees or (),
        source_language=source_language,
        target_language=target_language,
        tokeniser=cast(TokeniserName | None, tokeniser),
        kind=kind.value if kind else None,
        method=method.value if method else None,
        config=chosen,
        start_from=start_from,
        dry_run=dry_run,
        threads=threads,
        progress=to_terminal(quiet or as_json),
    )
    if not quiet or as_json:
        print_outcomes(outcomes, dry_run=dry_run, as_json=as_json)
    if not (quiet or as_json or dry_run):
        print_scores(output)
