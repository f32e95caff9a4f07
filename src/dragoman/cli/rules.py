"""``dragoman rules``: make phrase tables and sort them anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options
from dragoman.cli.declared import Given, Offer, offering
from dragoman.errors import ModelError, UsageError
from dragoman.rules.config import RulesConfig

app = typer.Typer(
    no_args_is_help=True,
    help="Make phrase tables, and sort them anew.\n\nExample: dragoman rules extract model",
)


@app.command()
@offering("given", Offer(RulesConfig, flags={"bilingual_order": "--bilingual"}))
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
            help="Links to extract by, lines such as 0-0 1-2, instead of the model's own.",
        ),
    ] = None,
    given: Given = {},  # noqa: B006 - stands for declared options
    memory: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="How much memory phrase pairs may take, e.g. 500M; what needs more goes through "
            "files.",
        ),
    ] = "2G",
    threads: options.Threads = options.ALL_THREADS,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Extract phrase pairs and reordering models from a model's bitext and links, and score them.

    Example: dragoman rules extract model --links model.gdfa --memory 4G
    """
    from dragoman.cli.summary import print_outcomes
    from dragoman.declared import from_mapping
    from dragoman.layout import BITEXT
    from dragoman.model.directory import ModelDirectory
    from dragoman.progress import to_terminal
    from dragoman.training import pipeline
    from dragoman.training.stages.rules import rules_stage

    directory = ModelDirectory(model)
    if not directory.has(BITEXT):
        raise ModelError(f"{model}: no prepared corpus; make one with 'dragoman corpus prepare'")
    config = from_mapping(RulesConfig, given, "option")
    stage = rules_stage(config, directory, directory.shape, links, options.parse_size(memory))
    outcomes = pipeline.run(
        directory, [stage], threads=threads, progress=to_terminal(quiet or as_json)
    )
    if not quiet or as_json:
        print_outcomes(outcomes, dry_run=False, as_json=as_json)


@app.command()
def sort(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="A phrase table.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The table to write.")
    ],
    weights: Annotated[
        list[str] | None,
        typer.Option(
            "--weight",
            "-w",
            metavar="NAME=VALUE",
            help="The weight of a feature; may be repeated.",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="How many translations of a phrase are kept; 0: all.")
    ] = 0,
    quantise: Annotated[
        bool, typer.Option("--quantise", help="Store each score in one byte.")
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
        open_file(table),
        output,
        weights=parse_weights(weights) if weights else None,
        limit=limit,
        quantise=quantise,
        progress=to_terminal(quiet),
    )
    if not quiet:
        typer.echo(f"{written:,} phrase pairs written")


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
