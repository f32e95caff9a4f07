"""Tab-separated text: a pair a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dragoman.corpus.read.lines import read_lines
from dragoman.errors import InputError


def read_tsv(path: Path, columns: tuple[int, int] = (1, 2)) -> Iterator[tuple[str, str]]:
    """Pairs from two columns, counted from 1."""
    needed = max(columns)
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if len(cells) < needed:
            columns_told = f"{len(cells)} column{'' if len(cells) == 1 else 's'}"
            raise InputError.at(
                path,
                number,
                f"{columns_told}, but column {needed} is wanted; tabs separate columns",
            )
        yield cells[columns[0] - 1], cells[columns[1] - 1]
