"""Lines of input in batches: large ones when there is much to read, at once when it pauses."""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import IO

PIECE = 1 << 16  # bytes, what a pipe holds


def line_batches(source: IO[bytes], size: int) -> Iterator[list[bytes]]:
    """The lines of `source`, up to `size` at a time, with their line ends.

    From a pipe or a terminal a batch is what is there, so that somebody who writes a line and
    waits for the answer gets it. `source` must not have been read from before.
    """
    try:
        descriptor = source.fileno()
        waits = not stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:  # not a file of the system
        waits = False
    if waits:
        yield from _as_they_come(descriptor, size)
        return
    while batch := list(islice(source, size)):
        yield batch


def _as_they_come(descriptor: int, size: int) -> Iterator[list[bytes]]:
    lines: list[bytes] = []
    unfinished: list[bytes] = []  # pieces of the line under way
    ended = False
    while not ended or lines:
        while not ended and (not lines or (len(lines) < size and _more_is_there(descriptor))):
            piece = os.read(descriptor, PIECE)
            whole, line_end, rest = piece.rpartition(b"\n")
            if line_end:
                lines += BytesIO(b"".join([*unfinished, whole, line_end]))
                unfinished = []
            unfinished.append(rest)
            ended = not piece
        if ended and any(unfinished):
            lines.append(b"".join(unfinished))
            unfinished = []
        if lines:
            yield lines[:size]
            del lines[:size]


def _more_is_there(descriptor: int) -> bool:
    return bool(select.select([descriptor], [], [], 0)[0])
