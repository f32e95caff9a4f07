"""ARPA files: the text form in which toolkits exchange language models."""

from __future__ import annotations

import gzip
from contextlib import nullcontext
from pathlib import Path

from dragoman._core import ArpaPieces, ArpaReader
from dragoman.corpus.read.lines import open_bytes
from dragoman.files import require_place, written_whole
from dragoman.lm.query import LanguageModel
from dragoman.progress import SILENT, Progress

_PIECE = 1 << 22


def read_arpa(
    arpa: str | Path, output: str | Path, *, threads: int = 1, progress: Progress = SILENT
) -> LanguageModel:
    """Make a model file of an ARPA file of any toolkit, perhaps compressed, and open it."""
    arpa, output = Path(arpa), Path(output)
    require_place(output)
    reader = ArpaReader(str(arpa))
    with (
        progress.task("reading ARPA", unit="bytes") as task,
        open_bytes(arpa) as stream,
    ):
        while piece := stream.read(_PIECE):
            reader.add(piece)
            task.advance(len(piece))
    with written_whole(output) as temporary:
        reader.write(str(temporary), threads)
    return LanguageModel.open(output)


def write_arpa(model: LanguageModel, arpa: str | Path, *, progress: Progress = SILENT) -> None:
    """Write a model as ARPA, compressed when the name ends in .gz."""
    arpa = Path(arpa)
    require_place(arpa)
    pieces = ArpaPieces(model.native)
    with (
        progress.task("writing ARPA", unit="bytes") as task,
        written_whole(arpa) as temporary,
        temporary.open("wb") as raw,
        # No time stamp and no name of the temporary file: the same model gives the same bytes.
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0)
        if arpa.suffix == ".gz"
        else nullcontext(raw) as file,
    ):
        while (piece := pieces.next()) is not None:
            file.write(piece)
            task.advance(len(piece))
