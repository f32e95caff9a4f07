"""What the commands that translate documents share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dragoman.errors import UsageError

if TYPE_CHECKING:
    from dragoman.documents.document import DocumentFormat
    from dragoman.translation.demands import Demands
    from dragoman.translation.translator import Translator


FilledKind = Literal["po", "xliff", "tmx"]
# What kind of file it is.
Kind = Literal["lines", "po", "xliff", "tmx", "text", "html", "markdown", "srt", "vtt", "docx"]


def as_format(kind: Kind) -> DocumentFormat | None:
    """The format that was named; None for lines."""
    return None if kind == "lines" else kind


def check_places(
    document: Path, output: Path | None, kind: DocumentFormat, also_read: Sequence[Path] = ()
) -> None:
    """Before long work: can its result be written where it should go?"""
    from dragoman.files import require_place, same_file

    if output is None:
        if kind == "docx" and sys.stdout.isatty():
            raise UsageError(f"{document}: no text for a terminal; say where to with -o")
        return
    require_place(output)
    if any(same_file(path, output) for path in (document, *also_read)):
        raise UsageError(f"{output}: is read and cannot be written at the same time")


def write_document(
    translator: Translator,
    document: Path,
    output: Path | None,
    kind: DocumentFormat,
    *,
    final: bool,
    demands: Demands,
    quiet: bool = False,
) -> None:
    """Translate a document and write it, whole or not at all."""
    from dragoman.documents.document import FILLED, translate_document
    from dragoman.files import written_whole
    from dragoman.progress import to_terminal

    filled = translate_document(
        document,
        translator,
        kind=kind,
        final=final,
        demands=demands,
        progress=to_terminal(quiet or not sys.stderr.isatty()),
    )
    if output is None:
        sys.stdout.buffer.write(filled.content)
        sys.stdout.buffer.flush()
    else:
        with written_whole(output) as temporary:
            temporary.write_bytes(filled.content)
    if quiet:
        return
    told = f"{filled.filled} passage{'' if filled.filled == 1 else 's'} translated"
    if kind in FILLED:
        told = f"{filled.filled} filled, {filled.kept} translated already"
    print(f"{document}: {told}", file=sys.stderr)
