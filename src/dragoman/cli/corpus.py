"""``dragoman corpus``: prepare parallel text and look at it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options
from dragoman.cli.declared import Given, Offer, offering
from dragoman.corpus.config import PrepareConfig
from dragoman.errors import UsageError

app = typer.Typer(
    no_args_is_help=True,
    help="Prepare parallel text and look at it.\n\n"
    "Example: dragoman corpus prepare --tmx memory.tmx --from en --to fr -o model",
)

_PREPARING = "How text is cut, cleaned and split"


@app.command()
@offering(
    "given",
    Offer(
        PrepareConfig,
        only=(
            *("tokeniser", "source_tokeniser", "target_tokeniser", "pieces", "truecase"),
            *("max_words", "max_ratio", "dev_size", "test_size"),
        ),
        panel=_PREPARING,
    ),
)
def prepare(
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="MODEL", help="The model directory to write to."),
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
    given: Given = {},  # noqa: B006 - stands for declared options
    duplicates: Annotated[
        bool,
        typer.Option(
            "--keep-duplicates",
            help="Keep pairs that occur more than once.",
            rich_help_panel=_PREPARING,
        ),
    ] = False,
    copies: Annotated[
        bool,
        typer.Option(
            "--keep-copies",
            help="Keep pairs whose two sides are the same text.",
            rich_help_panel=_PREPARING,
        ),
    ] = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Read, normalise, tokenise, clean and split parallel text into a bitext.

    Example: dragoman corpus prepare -s train.en -t train.fr --from en --to fr -o model
    """
    from dragoman.corpus.clean import reasons_told
    from dragoman.declared import from_mapping
    from dragoman.layout import CORPUS_REPORT
    from dragoman.model.directory import ModelDirectory
    from dragoman.progress import to_terminal
    from dragoman.training import pipeline
    from dragoman.training.stages.prepare import prepare_stage

    said = given | {
        "source_language": source_language,
        "target_language": target_language,
        "drop_duplicates": not duplicates,
        "drop_copies": not copies,
    }
    config = from_mapping(PrepareConfig, said, "option")
    files = options.parallel_files(source, target, tsv, columns, tmx, po, xliff)
    stage = prepare_stage(config, files, options.optional_pair(dev), options.optional_pair(test))
    directory = ModelDirectory(output)
    pipeline.run(directory, [stage], progress=to_terminal(quiet or as_json))
    report = directory.story(CORPUS_REPORT)
    if as_json:
        typer.echo(json.dumps(report, indent=2))
    elif not quiet:
        typer.echo(f"{report['read']:,} pairs read, {report['kept']:,} kept")
        typer.echo(f"dropped: {reasons_told(report['dropped']) or 'none'}")
        typer.echo(
            f"train {report['train']:,}, dev {report['dev']:,}, test {report['test']:,} pairs"
        )


@app.command()
def show(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model directory.")],
    first: Annotated[int, typer.Option(min=1, help="The number of the first pair to show.")] = 1,
    count: Annotated[int, typer.Option(min=1, help="How many pairs to show.")] = 10,
) -> None:
    """Print pairs of the training bitext, tab-separated, as the model sees them.

    Example: dragoman corpus show model --first 100 --count 5
    """
    from dragoman.training.train import open_bitext

    bitext = open_bitext(model)
    if first > len(bitext):
        raise UsageError(f"--first {first:,}: there are only {len(bitext):,} pairs")
    for index in range(first - 1, min(first - 1 + count, len(bitext))):
        typer.echo(f"{bitext.source_text(index)}\t{bitext.target_text(index)}")
