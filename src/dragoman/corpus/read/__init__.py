"""Reading parallel text: one module per format, all streaming pairs of strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from dragoman.corpus.read.lines import read_lines
from dragoman.corpus.read.plain import read_plain
from dragoman.corpus.read.po import read_po
from dragoman.corpus.read.tmx import read_tmx
from dragoman.corpus.read.tsv import read_tsv
from dragoman.corpus.read.xliff import read_xliff
from dragoman.errors import UsageError

__all__ = ["ParallelFile", "format_of", "read_lines", "read_pairs"]

Format = Literal["plain", "tsv", "tmx", "po", "xliff"]
_ENDINGS: dict[str, Format] = {
    ".tsv": "tsv",
    ".tmx": "tmx",
    ".po": "po",
    ".xliff": "xliff",
    ".xlf": "xliff",
}


def format_of(place: Path) -> Format | None:
    """The format of parallel text that the name of a file tells."""
    return _ENDINGS.get(place.suffix.lower())


@dataclass(frozen=True)
class ParallelFile:
    """One place that parallel text comes from: two plain files, or one file of another format."""

    format: Format
    paths: tuple[Path, ...]
    columns: tuple[int, int] = (1, 2)  # of TSV, counted from 1

    @classmethod
    def plain(cls, source: str | Path, target: str | Path) -> ParallelFile:
        """Two files of lines, the second with the translations of the first."""
        return cls("plain", (Path(source), Path(target)))

    @classmethod
    def of(cls, path: str | Path) -> ParallelFile:
        """A file whose name says what it is."""
        place = Path(path)
        kind = format_of(place)
        if kind is None:
            raise UsageError(
                f"{path}: the name says no format ({', '.join(_ENDINGS)}); of plain text, give "
                "two files"
            )
        return cls(kind, (place,))

    def parts(self) -> dict[str, Path]:
        """The files, each under a name that says everything about how it is read."""
        if self.format == "plain":
            source, target = self.paths
            return {f"source {source.name}": source, f"target {target.name}": target}
        path = self.paths[0]
        columns = " columns {},{}".format(*self.columns) if self.format == "tsv" else ""
        return {f"{self.format} {path.name}{columns}": path}

    def moved(self, paths: Iterable[Path]) -> ParallelFile:
        """The same files in other places, in the order of `parts`."""
        return replace(self, paths=tuple(paths))

    def read(self, source_language: str, target_language: str) -> Iterator[tuple[str, str]]:
        """The pairs, as they stand in the file."""
        match self.format:
            case "plain":
                return read_plain(*self.paths)
            case "tsv":
                return read_tsv(self.paths[0], self.columns)
            case "tmx":
                return read_tmx(self.paths[0], source_language, target_language)
            case "po":
                return read_po(self.paths[0], source_language, target_language)
            case "xliff":
                return read_xliff(self.paths[0], source_language, target_language)


def read_pairs(
    files: Iterable[ParallelFile], source_language: str = "", target_language: str = ""
) -> Iterator[tuple[str, str]]:
    """The pairs of several files, one after another."""
    for file in files:
        yield from file.read(source_language, target_language)
