"""``dragoman fill``: translate what is empty in a document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options as shared
from dragoman.cli.declared import Given, offering
from dragoman.cli.documents import FilledKind, check_places, write_document
from dragoman.cli.memory import MEMORY_OFFER, taken_memory
from dragoman.cli.search import SEARCH_OFFERS, chosen_options


@offering("given", *SEARCH_OFFERS, MEMORY_OFFER)
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
        FilledKind | None,
        typer.Option("--format", help="The format, if the file's name does not say it."),
    ] = None,
    final: Annotated[
        bool, typer.Option("--final", help="Do not mark the translations for review.")
    ] = False,
    terms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Terms that translations must use: a glossary in TSV, CSV or TBX."
        ),
    ] = None,
    corrections: Annotated[
        bool, typer.Option("--corrections", help="Obey the corrections that the model was taught.")
    ] = False,
    protect: shared.Protect = None,
    given: Given = {},  # noqa: B006 - stands for the options of the search
    threads: shared.Threads = 1,
    quiet: shared.Quiet = False,
) -> None:
    """Fill the untranslated units of a PO, XLIFF or TMX file.

    What is translated already, comments, order and spacing stay byte by byte.

    Example: dragoman fill model messages.po -o filled.po
    """
    from dragoman.documents.document import FILLED, document_format
    from dragoman.errors import UsageError
    from dragoman.translation.translator import Translator

    memory, given = taken_memory(given)
    chosen = kind or document_format(document, FILLED)
    if chosen not in FILLED:
        raise UsageError(
            f"{document}: has no units to fill; translate it with 'dragoman translate'"
        )
    check_places(document, output_file, chosen)
    translator = Translator.open(
        model, options=chosen_options(model, given), protect=protect or (), threads=threads
    )
    write_document(
        translator,
        document,
        output_file,
        chosen,
        final=final,
        demands=translator.document_demands(terms=terms, corrections=corrections, memory=memory),
        quiet=quiet,
    )
