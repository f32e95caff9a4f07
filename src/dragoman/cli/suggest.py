"""``dragoman suggest``: the beginning of a translation in, ways to go on out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options
from dragoman.cli.declared import Given, Offer, offering
from dragoman.translation.config import SuggestOptions


@offering("given", Offer(SuggestOptions))
def suggest(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model directory.")],
    sentence: Annotated[
        str, typer.Argument(metavar="SENTENCE", help="The sentence to translate.")
    ],
    prefix: Annotated[
        str, typer.Argument(metavar="BEGINNING", help="What has been typed of its translation.")
    ] = "",
    most: Annotated[
        int, typer.Option(min=1, max=100, help="How many ways to go on are printed.")
    ] = 1,
    terms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Terms that translations must use: a glossary in TSV, CSV or TBX."
        ),
    ] = None,
    corrections: Annotated[
        bool, typer.Option("--corrections", help="Obey the corrections that the model was taught.")
    ] = False,
    given: Given = {},  # noqa: B006 - stands for declared options
    as_json: options.Json = False,
) -> None:
    """Go on with a translation that somebody has begun.

    What was typed need not be what the model would have said.

    Example: dragoman suggest model "Where is the station?" "Où se"
    """
    from dragoman.declared import from_mapping
    from dragoman.translation.translator import Translator

    found = Translator.open(model).suggest(
        sentence,
        prefix,
        most=most,
        terms=terms,
        corrections=corrections,
        options=from_mapping(SuggestOptions, given, "option"),
    )
    if as_json:
        told = [{"text": one.text, "pieces": one.pieces, "score": one.score} for one in found]
        typer.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    for one in found:
        typer.echo(one.text)
