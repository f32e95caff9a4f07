"""``dragoman rules``: make phrase tables and sort them anew."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options
from dragoman.config import RulesConfig
from dragoman.errors import ModelError, UsageError

app = typer.Typer(no_args_is_help=True, help="Make phrase tables and sort them anew.")


@app.command()
def extract(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model directory with a prepared corpus.")
    ],
    links: Annotated[
        Path | None,
        typer.Option(
            "--links",
            "-l",
            metavar="FILE",
            help="Lines of links such as 0-0 1-2; without, those the model was aligned with.",
        ),
    ] = None,
    max_length: Annotated[
        int, typer.Option(help="Longest phrase, in words.")
    ] = RulesConfig.max_length,
    smoothing: Annotated[
        str, typer.Option(help="none, good-turing or kneser-ney.")
    ] = RulesConfig.smoothing,
    lexical_weights: Annotated[
        str, typer.Option(help="viterbi (best partner) or links (mean over links).")
    ] = RulesConfig.lexical_weights,
    reordering: Annotated[
        str,
        typer.Option(
            metavar="LIST", help="Any of word, phrase, hierarchical, by commas; or none."
        ),
    ] = ",".join(RulesConfig.reordering),
    significance: Annotated[
        str, typer.Option(help="Fisher's exact test: off, lenient or strict.")
    ] = RulesConfig.significance,
    quantise: Annotated[
        bool, typer.Option("--quantise", help="Store scores in one byte each.")
    ] = False,
    bilingual: Annotated[
        int, typer.Option(metavar="ORDER", help="Also a bilingual language model; 0: none.")
    ] = RulesConfig.bilingual_order,
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="Bound on phrase pairs in memory, e.g. 500M or 4G.")
    ] = "2G",
    threads: options.Threads = options.ALL_THREADS,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Extract and score phrase pairs and reordering models.

    Example: dragoman rules extract model --links model.gdfa --memory 4G
    """
    from dragoman import pipeline
    from dragoman.cli.summary import print_outcomes
    from dragoman.config import from_mapping
    from dragoman.corpus.prepare import BITEXT
    from dragoman.progress import to_terminal
    from dragoman.rules.stage import rules_stage
    from dragoman.workspace import Workspace

    config = from_mapping(
        RulesConfig,
        {
            "max_length": max_length,
            "smoothing": smoothing,
            "lexical_weights": lexical_weights,
            "reordering": [] if reordering == "none" else reordering.split(","),
            "significance": significance,
            "quantise": quantise,
            "bilingual_order": bilingual,
        },
        "option",
    )
    workspace = Workspace(model)
    if not workspace.file(BITEXT).exists():
        raise ModelError(f"{model}: no prepared corpus; make one with 'dragoman corpus prepare'")
    stage = rules_stage(config, workspace, links, parse_size(memory))
    outcomes = pipeline.run(
        workspace, [stage], threads=threads, progress=to_terminal(quiet or as_json)
    )
    if not quiet or as_json:
        print_outcomes(outcomes, dry_run=False, as_json=as_json)


@app.command()
def sort(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="A phrase table.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to.")],
    weights: Annotated[
        list[str] | None,
        typer.Option("--weight", "-w", metavar="NAME=VALUE", help="A feature's weight."),
    ] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="Keep so many translations of a phrase; 0: all.")
    ] = 0,
    quantise: Annotated[
        bool, typer.Option("--quantise", help="Store scores in one byte each.")
    ] = False,
    quiet: options.Quiet = False,
) -> None:
    """Sort the translations of each phrase by falling score under new weights.

    Example: dragoman rules sort phrases.table -o sorted.table -w tm.fwd=0.4 -w lex.fwd=0.1
    """
    from dragoman.progress import to_terminal
    from dragoman.rules.table import open_file
    from dragoman.rules.thin import rewrite

    written = rewrite(
        open_file(table, verify=True),
        output,
        weights=parse_weights(weights) if weights else None,
        limit=limit,
        quantise=quantise,
        progress=to_terminal(quiet),
    )
    if not quiet:
        typer.echo(f"{written:,} phrase pairs written")


def parse_size(text: str) -> int:
    """Bytes from a number with an optional K, M or G."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?)B?", text.strip(), re.IGNORECASE)
    if not match:
        raise UsageError(f"a size such as 500M or 4G is needed, not {text!r}")
    return int(float(match[1]) * 1024 ** " KMG".index(match[2].upper() or " "))


def parse_weights(entries: list[str]) -> dict[str, float]:
    """Weights from NAME=VALUE."""
    weights = {}
    for entry in entries:
        name, _, value = entry.partition("=")
        try:
            weights[name] = float(value)
        except ValueError as problem:
            raise UsageError(f"a weight is given as NAME=VALUE, not {entry!r}") from problem
    return weights
