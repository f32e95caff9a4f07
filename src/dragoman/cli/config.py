"""``dragoman config``: what a configuration file may say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def config(
    key: Annotated[
        str | None,
        typer.Argument(metavar="KEY", help="A key to explain, e.g. lm.order.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The file to write the template to."),
    ] = None,
) -> None:
    """Write a configuration file with every option explained, or explain a key.

    Example: dragoman config -o training.toml

    Example: dragoman config lm.order
    """
    from dragoman.errors import UsageError
    from dragoman.files import require_place, written_whole
    from dragoman.training.template import explain, template

    if key is not None and output is not None:
        raise UsageError("--output is for the whole template, without a key")
    if output is None:
        print(explain(key) if key is not None else template(), end="\n" if key else "")
        return
    require_place(output)
    if output.exists():
        raise UsageError(f"{output}: is there already and may hold your settings")
    with written_whole(output) as temporary:
        temporary.write_text(template(), "utf-8")
