"""``dragoman inspect``: look into a model."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import options

if TYPE_CHECKING:
    from dragoman.rules.table import PhraseTable, TableEntry

app = typer.Typer(
    no_args_is_help=True,
    help="Show why a sentence was translated so, and what a model knows about a phrase.\n\n"
    'Example: dragoman inspect sentence model "Where is the station?"',
)


@app.callback()
def _group() -> None:
    """Show why a sentence was translated so, and what a model knows about a phrase."""


@app.command()
def phrases(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model directory.")],
    phrase: Annotated[
        str,
        typer.Argument(metavar="PHRASE", help="Source words in tokens, as the model sees them."),
    ],
    limit: Annotated[int, typer.Option(min=1, help="How many translations to show.")] = 20,
    reordering: Annotated[
        bool,
        typer.Option("--reordering", help="Show the scores of the reordering models as well."),
    ] = False,
    as_json: options.Json = False,
) -> None:
    """List the translations of a phrase with scores, counts and alignment, best first.

    Example: dragoman inspect phrases model "die katze"
    """
    from dragoman.model.directory import ModelDirectory

    table = ModelDirectory.open(model).phrase_table()
    translations = table.translations(phrase)
    if as_json:
        typer.echo(json.dumps([asdict(t) for t in translations[:limit]], indent=2))
    elif translations:
        _print(table, phrase, translations, limit, reordering)
    else:
        typer.echo(f"no translations of {phrase!r}{_known_parts(table, phrase)}")


def _print(
    table: PhraseTable, phrase: str, translations: list[TableEntry], limit: int, reordering: bool
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    names = table.features if reordering else list(table.file.features)
    rows = Table(box=None, pad_edge=False, header_style="bold")
    rows.add_column("translation", style="bold green")
    rows.add_column("score", justify="right", style="cyan")
    for name in names:
        rows.add_column(name, justify="right")
    rows.add_column("count", justify="right", style="yellow")
    rows.add_column("alignment", style="dim")
    for translation in translations[:limit]:
        count = f"{translation.count:g}/{translation.source_count:g}/{translation.target_count:g}"
        rows.add_row(
            Text(translation.target),
            f"{table.estimate(translation):.3f}",
            *(f"{math.exp(translation.scores[name]):.4g}" for name in names),
            count if translation.count else "",
            " ".join(f"{i}-{j}" for i, j in translation.alignment),
        )
    console = Console()
    console.print(rows)
    more = f", {limit} shown" if len(translations) > limit else ""
    console.print(
        f"{len(translations)} translations of {phrase!r}{more}; columns are probabilities, score "
        "is their weighted log sum, counts are of pair/source/target",
        style="dim",
        highlight=False,
        markup=False,
    )


@app.command()
def sentence(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model directory.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text to translate.")],
    html_file: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Write the explanation to a page that needs no other file.",
        ),
    ] = None,
    terms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Terms that translations must use: a glossary in TSV, CSV or TBX."
        ),
    ] = None,
    markup: Annotated[
        bool,
        typer.Option(
            "--markup", help="Obey the tags <t term=...>, <zone> and <wall/> in the text."
        ),
    ] = False,
    nbest: Annotated[
        int, typer.Option(min=0, max=1000, help="How many translations to list.")
    ] = 10,
    as_json: options.Json = False,
) -> None:
    """Translate a sentence and say why it was translated so.

    Example: dragoman inspect sentence model "Where is the station?" --html why.html
    """
    from dragoman.cli.sentence import print_sentence
    from dragoman.files import written_whole
    from dragoman.server.export import sentence_page
    from dragoman.translation.translator import Translator

    explained = Translator.open(model).explain(text, nbest=nbest, terms=terms, markup=markup)
    if html_file is not None:
        with written_whole(html_file) as temporary:
            temporary.write_text(sentence_page(f"Dragoman: {model.name}", explained), "utf-8")
    if as_json:
        typer.echo(json.dumps(explained, ensure_ascii=False, indent=2))
    elif html_file is None:
        for told in explained["sentences"]:
            print_sentence(told, explained["weights"])


def _known_parts(table: PhraseTable, phrase: str) -> str:
    """What near a phrase does have translations: the same in lower case, or parts of it."""
    usual = phrase.lower()
    if usual != phrase and table.translations(usual):
        return f"; there are some of: {usual}"
    words = phrase.split()
    spans = table.file.spans(table.ids(phrase))
    parts = [" ".join(words[span.begin : span.end]) for span in spans]
    return "; there are some of: " + ", ".join(parts[:10]) if parts else ""
