"""The commands of the ``dragoman`` program, each loaded when it is asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, NamedTuple

import typer

from dragoman.cli.plain import print_version


class Command(NamedTuple):
    """A command, or a group of them."""

    place: str  # module and name there
    help: str
    panel: str  # of the list
    group: bool = False


_EVERY_DAY = "Every day"
_BETTER = "Understanding and improving a model"
_STEPS = "Single steps"
_OTHER = "Other systems and grammars"


# In panels, and there in the order in which somebody meets them. Modules are loaded when they are
# needed, so that a line is translated without waiting for what trains; hence the first lines of
# their help, which a test compares.
COMMANDS = {
    "train": Command("train:train", "Train a model from parallel text.", _EVERY_DAY),
    "translate": Command(
        "translate:translate", "Translate text, a sentence a line, or a document.", _EVERY_DAY
    ),
    "fill": Command(
        "fill:fill", "Fill the untranslated units of a PO, XLIFF or TMX file.", _EVERY_DAY
    ),
    "suggest": Command(
        "suggest:suggest", "Go on with a translation that somebody has begun.", _EVERY_DAY
    ),
    "serve": Command(
        "serve:serve",
        "Serve models: a REST API that LibreTranslate's clients understand, and a web page.",
        _EVERY_DAY,
    ),
    "evaluate": Command(
        "evaluate:evaluate",
        "Score a model, translations or word orders against references.",
        _EVERY_DAY,
    ),
    "pack": Command(
        "pack:pack", "Write a model to one file, with only what translating needs.", _EVERY_DAY
    ),
    "unpack": Command(
        "pack:unpack", "Turn a packed model into a model directory again.", _EVERY_DAY
    ),
    "inspect": Command(
        "inspect:app",
        "Show why a sentence was translated so, and what a model knows about a phrase.",
        _BETTER,
        group=True,
    ),
    "tune": Command(
        "tune:tune",
        "Tune the weights of a model anew, on another dev set or by another method.",
        _BETTER,
    ),
    "sweep": Command(
        "sweep:sweep",
        "Measure how good and how fast pruning settings are on a dev set, and choose one.",
        _BETTER,
    ),
    "reestimate": Command(
        "reestimate:reestimate",
        "Learn a model anew from its best derivations of its own training text.",
        _BETTER,
    ),
    "config": Command(
        "config:config",
        "Write a configuration file with every option explained, or explain a key.",
        _BETTER,
    ),
    "corpus": Command("corpus:app", "Prepare parallel text and look at it.", _STEPS, group=True),
    "tokenise": Command("tokenise:tokenise", "Cut text into words, a sentence a line.", _STEPS),
    "detokenise": Command(
        "tokenise:detokenise",
        "Join tokens into text again, those of tokenise or of a model.",
        _STEPS,
    ),
    "align": Command(
        "align:align",
        "Link the words of sentence pairs: a line of links such as 0-0 1-2 for each pair.",
        _STEPS,
    ),
    "preorder": Command(
        "preorder:app",
        "Put source sentences into the order of the target language.",
        _STEPS,
        group=True,
    ),
    "lm": Command(
        "lm:app",
        "Estimate, convert and mix language models, and score text with them.",
        _STEPS,
        group=True,
    ),
    "rules": Command("rules:app", "Make phrase tables, and sort them anew.", _STEPS, group=True),
    "import": Command(
        "moses:import_app", "Take over the tables and weights of Moses.", _OTHER, group=True
    ),
    "export": Command(
        "moses:export_app", "Write a model in the formats of Moses.", _OTHER, group=True
    ),
    "factor": Command(
        "factor:factor",
        "Factor permutations or the rules of a synchronous grammar to the smallest rank.",
        _OTHER,
    ),
    "parse": Command(
        "parse:parse",
        "Say whether a synchronous grammar generates pairs, how, and with what probability.",
        _OTHER,
    ),
}


def make_app(names: Sequence[str] = tuple(COMMANDS), *, loaded: bool = True) -> typer.Typer:
    """The program with these commands; without `loaded`, only as far as its help shows them."""
    app = typer.Typer(
        name="dragoman",
        help="From parallel text to a translator, on your own machine, in minutes.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_global_options)
    for name in names:
        command = COMMANDS[name]
        if not loaded:
            app.command(name, help=command.help, rich_help_panel=command.panel)(_not_loaded)
            continue
        module, attribute = command.place.split(":")
        found = getattr(import_module(f"dragoman.cli.{module}"), attribute)
        if command.group:
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)
    return app


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The program, with as much of it as these arguments need."""
    if "_DRAGOMAN_COMPLETE" in os.environ:  # a shell asks what could come next
        return make_app()
    asked = arguments[0] if arguments else ""
    return make_app([asked]) if asked in COMMANDS else make_app(loaded=False)


def _not_loaded() -> None:
    """Stands for a command in the list of them."""


def _print_version(wanted: bool) -> None:
    if wanted:
        print_version()
        raise typer.Exit


def _global_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    pass
