"""``dragoman parse``: does a synchronous grammar generate this pair, and how?"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import options
from dragoman.cli.factor import GrammarFormatOption, format_named
from dragoman.errors import InputError, UsageError

if TYPE_CHECKING:
    from dragoman.grammar.parse import Parse, Parser

# Exit code when a pair is not generated: an answer, not a mistake, and so none of the mistakes'.
NOT_GENERATED = 3


def parse(
    grammar: Annotated[
        Path,
        typer.Argument(
            metavar="GRAMMAR", help="A file of rules, or a rule table; - is standard input."
        ),
    ],
    source: Annotated[
        str | None,
        typer.Option("--source", "-s", metavar="TEXT", help="The tokens of the source."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="TEXT", help="The tokens of the target."),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file of pairs, one a line, with a tab between source and target; - is "
            "standard input.",
        ),
    ] = None,
    start: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The start symbol; without it S, or what the first rule rewrites."
        ),
    ] = "",
    score: Annotated[
        str,
        typer.Option(
            help="Which score of a table is the probability: the number of its column, or its "
            "name in cdec."
        ),
    ] = "",
    format: GrammarFormatOption = "auto",
    factoring: Annotated[
        bool,
        typer.Option(
            "--factor/--no-factor", help="Whether the grammar is factored first, which is faster."
        ),
    ] = True,
    partial: Annotated[
        bool, typer.Option("--partial", help="Accept nonterminals that never derive anything.")
    ] = False,
    max_items: Annotated[
        int, typer.Option(min=1, help="Give up when the chart has more items (100 bytes each).")
    ] = 30_000_000,
    as_json: options.Json = False,
) -> None:
    """Say whether a synchronous grammar generates pairs, how, and with what probability.

    Tokens are separated by spaces. The exit code is 3 if some pair is not generated.

    Example: dragoman parse grammar.txt --source "a b" --target "B A"
    """
    if (source is None) != (target is None) or (source is None) == (pairs is None):
        raise UsageError("give --source and --target, or --pairs")
    if grammar == pairs == Path("-"):
        raise UsageError("grammar and pairs cannot both come from standard input")
    from dragoman.grammar.notation import read_grammar
    from dragoman.grammar.parse import Parser

    known = format_named(format, "--format") if format != "auto" else "auto"
    parser = Parser(
        read_grammar(grammar, known, score=score),
        start=start,
        factored=factoring,
        partial=partial,
        max_items=max_items,
    )
    failed = False
    for left, right in _pairs(source, target, pairs):
        parsed = parser.parse(left, right)
        failed = failed or not parsed.generated
        if as_json:
            typer.echo(json.dumps(parser.to_json(parsed)))
        else:
            typer.echo(_shown(parser, parsed))
    if failed:
        raise typer.Exit(NOT_GENERATED)


def _pairs(source: str | None, target: str | None, path: Path | None) -> Iterator[tuple[str, str]]:
    if path is None:
        assert source is not None
        assert target is not None
        yield source, target
        return
    from dragoman.corpus.read import read_lines

    standard = path == Path("-")
    lines = (line.rstrip("\n") for line in sys.stdin) if standard else read_lines(path)
    for number, line in enumerate(lines, 1):
        columns = line.split("\t")
        if len(columns) != 2:
            raise InputError.at(
                "standard input" if standard else path,
                number,
                f"found {len(columns)} columns, expected source and target with a tab between",
            )
        yield columns[0], columns[1]


def _shown(parser: Parser, parsed: Parse) -> str:
    if not parsed.generated:
        return "not generated"
    return (
        f"generated: inside {math.exp(parsed.log_inside):.6g} (log {parsed.log_inside:.6f}), "
        f"best {math.exp(parsed.log_best):.6g} (log {parsed.log_best:.6f})\n"
        f"{parser.render(parsed)}"
    )
