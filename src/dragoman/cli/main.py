"""The ``dragoman`` program: registers the commands, turns errors into exit codes."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dragoman.cli import (
    align,
    corpus,
    evaluate,
    factor,
    fill,
    inspect,
    lm,
    moses,
    parse,
    preorder,
    reestimate,
    rules,
    serve,
    sweep,
    train,
    translate,
    tune,
)
from dragoman.errors import DragomanError, FileError

app = typer.Typer(
    name="dragoman",
    help="From parallel text to a translator, on your own machine, in minutes.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# In the order in which somebody meets them.
app.command("train")(train.train)
app.command("translate")(translate.translate)
app.command("fill")(fill.fill)
app.command("tune")(tune.tune)
app.command("serve")(serve.serve)
app.command("evaluate")(evaluate.evaluate)
app.add_typer(inspect.app, name="inspect")
app.command("sweep")(sweep.sweep)
app.command("reestimate")(reestimate.reestimate)
app.add_typer(corpus.app, name="corpus")
app.command("align")(align.align)
app.add_typer(preorder.app, name="preorder")
app.add_typer(lm.app, name="lm")
app.add_typer(rules.app, name="rules")
app.add_typer(moses.import_app, name="import")
app.add_typer(moses.export_app, name="export")
app.command("factor")(factor.factor)
app.command("parse")(parse.parse)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"dragoman {version('dragoman')}")
        raise typer.Exit


@app.callback()
def _global_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    pass


def run() -> None:
    """Run the program; every foreseen problem is one line and an exit code."""
    try:
        app(prog_name="dragoman")
    except DragomanError as problem:
        _fail(problem)
    except OSError as problem:
        _fail(FileError.of(problem))
    except MemoryError:
        _fail(DragomanError("not enough memory"))


def _fail(problem: DragomanError) -> None:
    line = " ".join(str(problem).split())
    print(f"dragoman: error: {line}", file=sys.stderr)
    sys.exit(problem.exit_code)
