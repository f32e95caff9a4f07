"""Word alignments in Pharaoh format: a line of ``i-j`` (source-target) per sentence pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.corpus.bitext import Bitext
from dragoman.errors import FileError, InputError


@dataclass(frozen=True)
class Alignments:
    """Pair k has the rows ``links[offsets[k]:offsets[k + 1]]`` (source, target), sorted."""

    links: NDArray[np.uint16]
    offsets: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> NDArray[np.uint16]:
        if not 0 <= index < len(self):
            raise IndexError(f"alignment {index} of {len(self)}")
        return self.links[int(self.offsets[index]) : int(self.offsets[index + 1])]


def read_links(path: str | Path, bitext: Bitext) -> Alignments:
    """Read the links of a bitext; every line is checked against its sentence pair."""
    source_lengths = np.diff(bitext.source.offsets.astype(np.int64))
    target_lengths = np.diff(bitext.target.offsets.astype(np.int64))
    links: list[tuple[int, int]] = []
    offsets = [0]
    for number, line in _numbered_lines(path):
        if number > len(bitext):
            raise InputError.at(
                path, number, f"more lines than the {len(bitext)} sentence pairs of the bitext"
            )
        pairs = sorted({_parse(token, path, number) for token in line.split()})
        for source, target in pairs:
            if source >= source_lengths[number - 1] or target >= target_lengths[number - 1]:
                raise InputError.at(
                    path,
                    number,
                    f"the link {source}-{target} points outside the sentence pair of "
                    f"{source_lengths[number - 1]} and {target_lengths[number - 1]} words; "
                    "is this the alignment of this text, in this direction?",
                )
        links += pairs
        offsets.append(len(links))
    if len(offsets) - 1 < len(bitext):
        raise InputError.at(
            path,
            len(offsets) - 1,
            f"the file ends here, but the bitext has {len(bitext)} sentence pairs",
        )
    return Alignments(
        np.array(links, dtype=np.uint16).reshape(-1, 2), np.array(offsets, dtype=np.uint64)
    )


def _numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield number, line.decode("ascii")
                except UnicodeDecodeError as problem:
                    raise InputError.at(
                        path, number, "not a line of links such as 0-0 1-2"
                    ) from problem
    except OSError as problem:
        raise FileError.of(problem, path) from problem


def _parse(token: str, path: str | Path, number: int) -> tuple[int, int]:
    source, dash, target = token.partition("-")
    if not (dash and source.isdecimal() and target.isdecimal()):
        raise InputError.at(path, number, f"{token!r} is not a link such as 0-0")
    return int(source), int(target)
