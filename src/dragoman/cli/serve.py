"""``dragoman serve``: models over HTTP, with a page to question them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options

_LIMITS = "Limits"


def serve(
    models: Annotated[list[Path], typer.Argument(metavar="MODEL", help="Model directories.")],
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")
    ] = 8000,
    api_key: Annotated[
        str | None,
        typer.Option(
            envvar="DRAGOMAN_API_KEY",
            show_envvar=True,
            help="A key that clients must send; needed with --host.",
        ),
    ] = None,
    everybody: Annotated[
        bool, typer.Option("--open", help="Let other machines ask without a key.")
    ] = False,
    max_bytes: Annotated[
        int, typer.Option(min=1, help="Most bytes of a request.", rich_help_panel=_LIMITS)
    ] = 1 << 20,
    max_file_bytes: Annotated[
        int, typer.Option(min=1, help="Most bytes of a document.", rich_help_panel=_LIMITS)
    ] = 20 << 20,
    max_sentences: Annotated[
        int, typer.Option(min=1, help="Most sentences of a request.", rich_help_panel=_LIMITS)
    ] = 2000,
    max_words: Annotated[
        int, typer.Option(min=1, help="Most words of a sentence.", rich_help_panel=_LIMITS)
    ] = 200,
    max_waiting: Annotated[
        int, typer.Option(min=1, help="Most sentences that wait.", rich_help_panel=_LIMITS)
    ] = 20_000,
    timeout: Annotated[
        float,
        typer.Option(min=0.1, help="Seconds until a request fails.", rich_help_panel=_LIMITS),
    ] = 60.0,
    max_connections: Annotated[
        int, typer.Option(min=1, help="Most open connections.", rich_help_panel=_LIMITS)
    ] = 1000,
    rate: Annotated[
        float,
        typer.Option(
            min=0, help="Most requests a minute of a client; 0: no limit.", rich_help_panel=_LIMITS
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
