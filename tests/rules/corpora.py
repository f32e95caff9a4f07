"""Small bitexts for the tests of rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dragoman.corpus.bitext import Bitext, write_bitext
from dragoman.rules.links import Alignments

Pair = tuple[list[str], list[str], set[tuple[int, int]]]


def make_bitext(directory: Path, pairs: list[Pair]) -> tuple[Bitext, Alignments]:
    """The pairs as the package takes them."""
    files = [directory / name for name in ("bitext", "source.vocab", "target.vocab")]
    write_bitext(((" ".join(source), " ".join(target)) for source, target, _ in pairs), *files)
    links = [link for _, _, links in pairs for link in sorted(links)]
    offsets = np.cumsum([0] + [len(links) for _, _, links in pairs], dtype=np.uint64)
    return Bitext.open(*files), Alignments(
        np.array(links, dtype=np.uint16).reshape(-1, 2), offsets
    )
