"""Word alignments in Pharaoh format: a line of ``i-j`` (source-target) per sentence pair."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.corpus.bitext import Bitext
from dragoman.errors import FileError, InputError

LINES_PER_STEP = 20_000
# Nine digits: more would not fit the numbers they are read into.
LINE = re.compile(rb"\s*(?:\d{1,9}-\d{1,9}(?:\s+|$))*")


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
    pieces: list[NDArray[np.uint16]] = []
    counts: list[NDArray[np.int64]] = []
    done = 0
    for lines in _batches(path):
        if done + len(lines) > len(bitext):
            raise InputError.at(
                path,
                len(bitext) + 1,
                f"more lines than the {len(bitext)} sentence pairs of the bitext",
            )
        for number, line in enumerate(lines, done + 1):
            if not LINE.fullmatch(line):
                raise InputError.at(path, number, _what_is_wrong(line))
        text = b" ".join(lines).replace(b"-", b" ").strip()
        # Of nothing but space it would make a zero.
        numbers = np.fromstring(text, dtype=np.int64, sep=" ") if text else np.zeros(0, np.int64)
        links = numbers.reshape(-1, 2)
        pair = np.repeat(np.arange(done, done + len(lines)), [line.count(b"-") for line in lines])
        outside = (links[:, 0] >= source_lengths[pair]) | (links[:, 1] >= target_lengths[pair])
        if outside.any():
            first = int(np.argmax(outside))
            at = int(pair[first])
            raise InputError.at(
                path,
                at + 1,
                f"the link {links[first, 0]}-{links[first, 1]} points outside the sentence pair "
                f"of {source_lengths[at]} and {target_lengths[at]} words; is this the alignment "
                "of this text, in this direction?",
            )
        rows = np.unique(np.column_stack([pair, links]), axis=0)  # sorted, each link once
        pieces.append(rows[:, 1:].astype(np.uint16))
        counts.append(np.bincount(rows[:, 0] - done, minlength=len(lines)))
        done += len(lines)
    if done < len(bitext):
        raise InputError.at(
            path, done, f"the file ends here, but the bitext has {len(bitext)} sentence pairs"
        )
    offsets = np.zeros(done + 1, dtype=np.uint64)
    offsets[1:] = np.cumsum(np.concatenate([np.zeros(0, np.int64), *counts]))
    return Alignments(np.concatenate([np.zeros((0, 2), np.uint16), *pieces]), offsets)


def _batches(path: str | Path) -> Iterator[list[bytes]]:
    try:
        with Path(path).open("rb") as file:
            while lines := list(islice(file, LINES_PER_STEP)):
                yield lines
    except OSError as problem:
        raise FileError.of(problem, path) from problem


def _what_is_wrong(line: bytes) -> str:
    for token in line.split():
        if not LINE.fullmatch(token):
            return f"{token.decode('utf-8', 'replace')!r} is not a link such as 0-0"
    return "not a line of links such as 0-0 1-2"
