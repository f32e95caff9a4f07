"""``dragoman serve``: models over HTTP, with a page to question them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options

_LIMITS = "Limits"


def serve(
    models: Annotated[
        list[Path], typer.Argument(metavar="MODEL", help="One or more model directories.")
    ],
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="The port to listen at; 0 takes any that is free."),
    ] = 8000,
    api_key: Annotated[
        str | None,
        typer.Option(
            envvar="DRAGOMAN_API_KEY",
            show_envvar=True,
            help="A key that clients must send; needed where --host lets other machines in.",
        ),
    ] = None,
    everybody: Annotated[
        bool, typer.Option("--open", help="Let other machines in without a key.")
    ] = False,
    max_bytes: Annotated[
        int,
        typer.Option(min=1, help="How many bytes a request may have.", rich_help_panel=_LIMITS),
    ] = 1 << 20,
    max_file_bytes: Annotated[
        int,
        typer.Option(min=1, help="How many bytes a document may have.", rich_help_panel=_LIMITS),
    ] = 20 << 20,
    max_sentences: Annotated[
        int,
        typer.Option(
            min=1, help="How many sentences a request may have.", rich_help_panel=_LIMITS
        ),
    ] = 2000,
    max_words: Annotated[
        int,
        typer.Option(min=1, help="How many words a sentence may have.", rich_help_panel=_LIMITS),
    ] = 200,
    max_waiting: Annotated[
        int,
        typer.Option(
            min=1, help="How many sentences may wait to be translated.", rich_help_panel=_LIMITS
        ),
    ] = 20_000,
    timeout: Annotated[
        float,
        typer.Option(
            min=0.1, help="After how many seconds a request fails.", rich_help_panel=_LIMITS
        ),
    ] = 60.0,
    max_connections: Annotated[
        int, typer.Option(min=1, help="How many connections may be open.", rich_help_panel=_LIMITS)
    ] = 1000,
    rate: Annotated[
        float,
        typer.Option(
            min=0,
            help="How many requests a client may make in a minute; 0: no limit.",
            rich_help_panel=_LIMITS,
        ),
    ] = 0.0,
    threads: options.Threads = options.ALL_THREADS,
    quiet: options.Quiet = False,
) -> None:
    """Serve models: a REST API that LibreTranslate's clients understand, and a web page.

    Open http://127.0.0.1:8000 in a browser once it runs.

    Example: dragoman serve model
    """
    from dragoman.server.limits import Limits
    from dragoman.server.run import Address, run

    limits = Limits(
        body_bytes=max_bytes,
        file_bytes=max_file_bytes,
        sentences=max_sentences,
        words=max_words,
        waiting=max_waiting,
        seconds=timeout,
        connections=max_connections,
        requests_per_minute=rate,
    )
    run(
        models,
        Address(host, port, everybody),
        limits=limits,
        api_key=api_key,
        threads=threads,
        quiet=quiet,
    )
