"""Help as people read it: plain names for what an option takes, and no text taken for markup.

Typer names what an option takes by its Python type (``<bool>``, ``<int range>``), and takes words
in square brackets for colours, so that the table [tune] would vanish from a sentence.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import typer
import typer.main

_PLAIN = {bool: "", int: "N", float: "X", str: "TEXT"}


def make_command(app: typer.Typer) -> Any:
    """The program as Typer makes it, with help for people."""
    command = typer.main.get_command(app)
    _explain(command)
    return command


def _explain(command: Any) -> None:
    command.help = _literal(command.help)
    for one in command.params:
        one.help = _literal(one.help)
        one.metavar = taken(one)
        if one.param_type_name == "argument":
            one.display_type_rich = _nothing  # its name says what it is
            one._usage_display_name = partial(_in_usage, one)
    make_help_option = command.get_help_option

    def help_option(ctx: Any) -> Any:
        made = make_help_option(ctx)
        made.metavar = ""
        made.help = "Show this help."
        return made

    command.get_help_option = help_option
    for inner in getattr(command, "commands", {}).values():
        _explain(inner)


def taken(parameter: Any) -> str:
    """What stands behind an option: nothing behind a flag, else a choice, N, X, FILE or TEXT."""
    if parameter.metavar is not None:
        return str(parameter.metavar)
    if parameter.param_type_name == "argument":
        return str(parameter.name).upper()
    kind = parameter.type_descriptor
    if kind.is_choice:
        return f"[{'|'.join(str(getattr(one, 'value', one)) for one in kind.choices)}]"
    return _PLAIN.get(kind.annotation, "TEXT" if kind.is_list else "FILE")


def _literal(text: str | None) -> str | None:
    return text.replace("[", r"\[") if text else text


def _in_usage(argument: Any) -> str:
    """An argument in the line of usage: no braces to be typed, and no argument that is hidden."""
    if argument.hidden:
        return ""
    shown = taken(argument) if argument.required else f"[{taken(argument)}]"
    return f"{shown}..." if argument.nargs < 0 else shown


def _nothing(ctx: Any) -> None:
    """Instead of the type of an argument."""
