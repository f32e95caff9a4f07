"""Options that several commands share, each described once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dragoman.errors import UsageError

if TYPE_CHECKING:
    from dragoman.corpus.read import Format, ParallelFile

Threads = Annotated[
    int, typer.Option("--threads", "-j", min=1, max=1024, help="How many threads to use.")
]


class AllThreads(int):
    """As many threads as the machine has cores; the reference says so instead of a number."""


ALL_THREADS = AllThreads(os.cpu_count() or 1)

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="A Dask cluster that helps with the work: tcp://HOST:PORT, a scheduler file, or "
        "local:N for N processes on this machine.",
    ),
]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def misplaced(remedy: Callable[[list[str]], str]) -> Any:
    """Files that were named without their option: nothing is guessed, but the option is told."""

    def refuse(files: list[str] | None) -> None:
        if files:
            raise UsageError(remedy(files))

    return typer.Argument(hidden=True, is_eager=True, callback=refuse, show_default=False)


Sources = Annotated[
    list[Path] | None,
    typer.Option(
        "--source",
        "-s",
        metavar="FILE",
        help="Source sentences, one a line; may be repeated, each with its -t.",
    ),
]
Targets = Annotated[
    list[Path] | None,
    typer.Option("--target", "-t", metavar="FILE", help="Their translations, line by line."),
]
Tsv = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Sentences and their translations, a pair a line, with a tab between them.",
    ),
]
Columns = Annotated[
    str,
    typer.Option(metavar="N,N", help="Which columns of TSV files hold source and target."),
]
Tmx = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="A translation memory (TMX); needs --from and --to."),
]
Po = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Messages of programs (PO files of gettext)."),
]
Xliff = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="An XLIFF file, 1.2 or 2.x."),
]
SourceLanguage = Annotated[
    str,
    typer.Option("--from", metavar="LANG", help="The source language, e.g. en."),
]
TargetLanguage = Annotated[
    str,
    typer.Option("--to", metavar="LANG", help="The target language, e.g. fr."),
]
Dev = Annotated[
    tuple[Path, Path] | None,
    typer.Option(
        metavar="SRC REF",
        help="Two files to tune the weights on; without them some pairs are set aside.",
    ),
]
Test = Annotated[
    tuple[Path, Path] | None,
    typer.Option(metavar="SRC REF", help="Two files to test on, which are not learnt from."),
]

Protect = Annotated[
    list[str] | None,
    typer.Option(
        "--protect",
        metavar="REGEX",
        help="A regular expression for what is not translated, beside addresses, placeholders, "
        "tags and the like, which never are; may be repeated.",
    ),
]

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_MOST_MEMORY = 2**50


def parse_size(text: str) -> int:
    """A size such as 500M or 2G in bytes."""
    number, unit = text.upper().removesuffix("B"), ""
    if number and number[-1] in _UNITS:
        number, unit = number[:-1], number[-1]
    try:
        size = int(float(number) * _UNITS[unit])
    except (ValueError, OverflowError) as problem:
        raise UsageError(f"--memory takes a size such as 500M or 2G, not {text!r}") from problem
    if not 1 <= size <= _MOST_MEMORY:
        raise UsageError(
            f"--memory must lie between 1 byte and {_MOST_MEMORY} bytes, not {text!r}"
        )
    return size


def parallel_files(
    source: list[Path] | None,
    target: list[Path] | None,
    tsv: list[Path] | None,
    columns: str,
    tmx: list[Path] | None,
    po: list[Path] | None,
    xliff: list[Path] | None,
) -> list[ParallelFile]:
    """The files that the options name, in the order in which they are read."""
    from dragoman.corpus.read import ParallelFile

    source, target = source or [], target or []
    if len(source) != len(target):
        raise UsageError(
            f"each -s needs a -t; -s and -t are given {len(source)} and {len(target)} times"
        )
    for one, other in zip(source, target, strict=True):
        if one == other:
            raise UsageError(f"{one}: is given as source and as target; -t takes its translation")
    files = [ParallelFile.plain(*pair) for pair in zip(source, target, strict=True)]
    files += [ParallelFile("tsv", (path,), _columns(columns)) for path in tsv or []]
    others: tuple[tuple[Format, list[Path] | None], ...] = (
        ("tmx", tmx),
        ("po", po),
        ("xliff", xliff),
    )
    for kind, paths in others:
        files += [ParallelFile(kind, (path,)) for path in paths or []]
    if not files:
        raise UsageError("no parallel text given: use -s and -t, --tsv, --tmx, --po or --xliff")
    return files


def _columns(text: str) -> tuple[int, int]:
    try:
        first, second = (int(part) for part in text.split(","))
    except ValueError as problem:
        raise UsageError(f"--columns takes two numbers such as 1,2, not {text!r}") from problem
    if min(first, second) < 1:
        raise UsageError(f"--columns counts from 1, not {text!r}")
    return first, second


def optional_pair(pair: tuple[Path, Path] | None) -> ParallelFile | None:
    """Two plain files, if they were given."""
    from dragoman.corpus.read import ParallelFile

    return ParallelFile.plain(*pair) if pair else None
