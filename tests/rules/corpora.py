"""Small bitexts for the tests of rules."""

from __future__ import annotations

from pathlib import Path

from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext, write_bitext

Pair = tuple[list[str], list[str], set[tuple[int, int]]]


def make_bitext(directory: Path, pairs: list[Pair]) -> tuple[Bitext, Links]:
    """The pairs as the package takes them."""
    files = [directory / name for name in ("bitext", "source.vocab", "target.vocab")]
    write_bitext(((" ".join(source), " ".join(target)) for source, target, _ in pairs), *files)
    return Bitext.open(*files), Links.of(links for _, _, links in pairs)
