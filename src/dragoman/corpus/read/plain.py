"""Two plain text files, a sentence a line."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from dragoman.corpus.read.lines import read_lines
from dragoman.errors import InputError


def read_plain(source: Path, target: Path) -> Iterator[tuple[str, str]]:
    """Pairs of lines; files of different length are an error that tries to say where."""
    sources, targets = read_lines(source), read_lines(target)
    for number in itertools.count(1):
        left, right = next(sources, None), next(targets, None)
        if left is None and right is None:
            if number == 1:
                raise InputError.at(source, None, "is empty, and so is " + str(target))
            return
        if left is None or right is None:
            raise _unequal(source, target)
        yield left, right


def _unequal(source: Path, target: Path) -> InputError:
    from dragoman.corpus.read.drift import find_drift, traits_of

    traits = [traits_of(read_lines(source)), traits_of(read_lines(target))]
    place = find_drift(*traits)
    hint = f"; they seem to drift apart at about line {place + 1}" if place is not None else ""
    return InputError(
        f"{source} has {len(traits[0]):,} lines but {target} has {len(traits[1]):,}{hint}"
    )
