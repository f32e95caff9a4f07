"""``dragoman pack`` and ``unpack``: a model as one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options


def pack(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model directory.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The pack, e.g. shop.dragoman.")
    ],
    quiet: options.Quiet = False,
) -> None:
    """Write a model to one file, with only what translating needs.

    translate, serve, inspect and evaluate take the file in the place of a model.

    Example: dragoman pack model -o shop.dragoman
    """
    from dragoman.cli.summary import readable_size
    from dragoman.model.pack import pack as packed_model
    from dragoman.progress import to_terminal

    packed = packed_model(model, output, progress=to_terminal(quiet))
    if quiet:
        return
    kept, left = sum(packed.kept.values()), sum(packed.left_out.values())
    print(
        f"{output}: {readable_size(packed.bytes)}, {len(packed.kept)} files "
        f"({readable_size(kept)} unpacked)"
    )
    if packed.left_out:
        largest = sorted(packed.left_out, key=lambda name: -packed.left_out[name])[:3]
        print(
            f"left out: {len(packed.left_out)} files ({readable_size(left)}; {', '.join(largest)}"
            " ...), so that a pack cannot be tuned, re-estimated, trained on or asked with other "
            "weights, and does not know what the model was taught; keep the directory for that"
        )


def unpack(
    path: Annotated[Path, typer.Argument(metavar="PACK", help="The file that pack has made.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="A new model directory.")
    ],
    quiet: options.Quiet = False,
) -> None:
    """Turn a packed model into a model directory again.

    Example: dragoman unpack shop.dragoman -o model
    """
    from dragoman.model.pack import unpack as unpacked_model
    from dragoman.progress import to_terminal

    unpacked_model(path, output, progress=to_terminal(quiet))
