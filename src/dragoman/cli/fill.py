"""``dragoman fill``: translate what is empty in a document."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options as shared
from dragoman.cli.declared import Given, offering
from dragoman.cli.search import SEARCH_OFFERS, chosen_options


class Format(StrEnum):
    """What kind of file it is."""

    po = "po"
    xliff = "xliff"
    tmx = "tmx"


@offering("given", *SEARCH_OFFERS)
def fill(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model directory.")],
    document: Annotated[
        Path, typer.Argument(metavar="FILE", help="A PO, XLIFF or TMX file; it is not changed.")
    ],
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file to write, instead of standard output."
        ),
    ] = None,
    kind: Annotated[
        Format | None,
        typer.Option("--format", help="The format, if the file's name does not say it."),
    ] = None,
    final: Annotated[
        bool, typer.Option("--final", help="Do not mark the translations for review.")
    ] = False,
    terms: Annotated[
        Path | None,
        typer.Option(metavar="TSV", help="Terms to obey: source, target, perhaps a probability."),
    ] = None,
    corrections: Annotated[
        bool, typer.Option("--corrections", help="Obey what the model was taught on the web page.")
    ] = False,
    protect: shared.Protect = None,
    given: Given = {},  # noqa: B006 - stands for the options of the search
    threads: shared.Threads = 1,
) -> None:
    """Fill the untranslated units of a PO, XLIFF or TMX file.

    What is translated already, comments, order and spacing stay byte by byte.

    Example: dragoman fill model messages.po -o filled.po
    """
    from dragoman.documents.fill import fill_document
    from dragoman.files import require_place, written_whole
    from dragoman.translation.translator import Translator

    if output_file is not None:
        require_place(output_file)
    translator = Translator.open(
        model, options=chosen_options(model, given), protect=protect or (), threads=threads
    )
    filled = fill_document(
        document,
        translator,
        kind=kind.value if kind else None,
        final=final,
        demands=translator.demands(terms=terms, corrections=corrections),
    )
    if output_file is None:
        sys.stdout.buffer.write(filled.content)
        sys.stdout.buffer.flush()
    else:
        with written_whole(output_file) as temporary:
            temporary.write_bytes(filled.content)
    print(
        f"{document}: {filled.filled} filled, {filled.kept} were translated already",
        file=sys.stderr,
    )
