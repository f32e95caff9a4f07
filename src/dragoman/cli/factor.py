"""``dragoman factor``: permutations and grammars, by the smallest rank."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import options
from dragoman.errors import InputError, UsageError

if TYPE_CHECKING:
    from dragoman.grammar.factor import Factoring
    from dragoman.grammar.notation import GrammarFormat

GrammarFormatOption = Annotated[
    str,
    typer.Option(
        "--format", metavar="[auto|rules|hiero|moses]", help="The format of the grammar."
    ),
]


def factor(
    grammar: Annotated[
        Path | None,
        typer.Argument(
            metavar="GRAMMAR", help="A file of rules, or a rule table; - is standard input."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write the factored grammar to; - prints it.",
        ),
    ] = None,
    permutation: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBERS", help='A permutation, e.g. "2 4 1 3"; may be repeated.'),
    ] = None,
    permutations: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A file of permutations, one a line; - is standard input."
        ),
    ] = None,
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Draw runs of equal binary nodes as one node.")
    ] = False,
    format: GrammarFormatOption = "auto",
    output_format: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="[rules|hiero|moses]", help="The format to write, if it is another."
        ),
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Factor permutations or the rules of a synchronous grammar to the smallest rank.

    Examples: dragoman factor --permutation "7 1 4 6 3 5 8 2"
    dragoman factor grammar.txt -o factored.txt
    """
    wants_permutations = bool(permutation) or permutations is not None
    if wants_permutations == (grammar is not None):
        raise UsageError("give either a GRAMMAR or permutations (--permutation, --permutations)")
    if wants_permutations:
        if output is not None:
            raise UsageError("-o is for grammars; trees of permutations are printed")
        _factor_permutations(permutation or [], permutations, canonical, as_json)
        return
    assert grammar is not None
    _factor_grammar(grammar, output, format, output_format, as_json, quiet)


def _factor_permutations(
    given: list[str], path: Path | None, canonical: bool, as_json: bool
) -> None:
    from dragoman.grammar.permutation import permutation_tree

    for place, text in _lines(given, path):
        try:
            values = [int(number) for number in text.replace(",", " ").split()]
        except ValueError:
            raise InputError(f"{place}: {text.strip()!r} is not a row of whole numbers") from None
        try:
            tree = permutation_tree(values, "canonical" if canonical else "left-branching")
        except (InputError, OverflowError) as problem:
            raise InputError(f"{place}: {problem}") from problem
        if as_json:
            report = {
                "permutation": values,
                "rank": tree.rank,
                "tree": str(tree),
                "nodes": list(tree.nodes()),
            }
            typer.echo(json.dumps(report))
        else:
            typer.echo(f"{tree}\trank {tree.rank}")


def _lines(given: list[str], path: Path | None) -> Iterator[tuple[str, str]]:
    yield from (("--permutation", text) for text in given)
    if path is None:
        return
    if path == Path("-"):
        for number, line in enumerate(sys.stdin, 1):
            yield f"standard input:{number}", line
        return
    from dragoman.corpus.read import read_lines

    for number, line in enumerate(read_lines(path), 1):
        yield f"{path}:{number}", line


def format_named(name: str, option: str) -> GrammarFormat:
    """The format that an option names."""
    from dragoman.grammar.notation import FORMATS

    for known in FORMATS:
        if name == known:
            return known
    raise UsageError(f"{option} is {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, not {name!r}")


def _factor_grammar(
    path: Path,
    output: Path | None,
    format: str,
    output_format: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    from dragoman.grammar.factor import factor as factor_grammar
    from dragoman.grammar.notation import STANDARD_STREAM, read_grammar

    known = format_named(format, "--format") if format != "auto" else "auto"
    written = format_named(output_format, "--to") if output_format is not None else None
    grammar = read_grammar(path, known)
    factoring = factor_grammar(grammar)
    if output is not None:
        factoring.grammar.write(output, written)
    # What is printed is the grammar or the report; the other one goes out of its way.
    to_errors = output == STANDARD_STREAM
    if as_json:
        typer.echo(json.dumps(factoring.report(), indent=2), err=to_errors)
    elif not quiet:
        _print_report(factoring, to_errors)


def _print_report(factoring: Factoring, to_errors: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    report = factoring.report()
    before, after = report["ranks"]["before"], report["ranks"]["after"]
    table = Table("", box=None, pad_edge=False)
    for heading in ("before", "after"):
        table.add_column(heading, justify="right")
    table.add_row("rules", f"{report['rules']['before']:,}", f"{report['rules']['after']:,}")
    for rank in range(len(before)):
        left, right = before[rank], after[rank] if rank < len(after) else 0
        if left or right:
            table.add_row(f"  of rank {rank}", f"{left:,}", f"{right:,}")
    table.add_row("symbols", f"{report['size']['before']:,}", f"{report['size']['after']:,}")
    console = Console(stderr=to_errors)
    console.print(table)
    console.print(
        f"rank {report['rank']['before']} to {report['rank']['after']}, "
        f"size times {report['size_ratio']:.2f}, {report['fresh']:,} fresh nonterminals",
        highlight=False,
    )
