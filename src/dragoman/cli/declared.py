"""Options of commands made from declared ones (dragoman.declared), so that each is said once.

A command that offers them takes what was given as one mapping::

    @offering("given", Offer(SearchOptions, panel="Search and pruning"))
    def translate(model: ..., given: Given) -> None:
        options = changed_options(base, given)
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from dragoman.declared import Option, Options, declared
from dragoman.errors import UsageError

# What was given on the command line, by the names of the options; None means "none".
Given = dict[str, Any]

_NONE = "none"


@dataclass(frozen=True)
class Offer:
    """A group of options that a command offers, or some of it."""

    group: type[Options]
    only: Collection[str] = ()  # empty: all
    panel: str | None = None  # of the help
    flags: Mapping[str, str] = field(default_factory=dict)  # other names than their own
    # Whether the help tells defaults; not where a model or a file may have set others.
    defaults: bool = True

    def options(self) -> list[Option]:
        """Those that are offered, in the order of their declaration."""
        return [one for one in declared(self.group) if not self.only or one.name in self.only]


def offering(parameter: str, *offers: Offer) -> Callable[[Callable[..., None]], Any]:
    """Let a command have the offered options in the place of `parameter`, which gets the values
    of those that were given."""
    offered: dict[str, inspect.Parameter] = {}
    kinds: dict[str, tuple[Option, str]] = {}
    for offer in offers:
        for one in offer.options():
            if one.name not in offered:
                flag = offer.flags.get(one.name, "--" + one.name.replace("_", "-"))
                offered[one.name] = _parameter(one, flag, offer)
                kinds[one.name] = one, flag

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for name, own in signature.parameters.items():
            parameters += offered.values() if name == parameter else [own]

        @functools.wraps(command)
        def run(**values: Any) -> None:
            texts = {name: values.pop(name) for name in offered}
            given = {
                name: _value(*kinds[name], text)
                for name, text in texts.items()
                if text is not None
            }
            command(**values, **{parameter: given})

        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorate


def _parameter(one: Option, flag: str, offer: Offer) -> inspect.Parameter:
    kind = one.plain_type
    settings: dict[str, Any] = {"help": one.help, "rich_help_panel": offer.panel}
    settings["show_default"] = False  # it is None, for "not given"
    if kind is bool:
        flag = f"{flag}/--no-{flag.removeprefix('--')}"
        annotation: Any = bool | None
    elif one.choices and typing.get_origin(kind) is not tuple:
        settings["metavar"] = f"[{'|'.join(one.choices)}]"
        annotation = str | None
    elif typing.get_origin(kind) is tuple:
        settings["metavar"] = "LIST"
        settings["help"] += " By commas, or none."
        annotation = str | None
    else:
        # Numbers come as text, since some options take "none" as well.
        settings["metavar"] = {int: "N", float: "X"}.get(kind, "TEXT")
        annotation = str | None
    if offer.defaults:
        settings["help"] += f" [default: {_shown(one.default)}]"
    return inspect.Parameter(
        one.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=None,
        annotation=Annotated[annotation, typer.Option(flag, **settings)],
    )


def _shown(default: Any) -> str:
    if isinstance(default, tuple):
        return ",".join(map(str, default)) or _NONE
    if isinstance(default, bool):
        return "yes" if default else "no"
    return _NONE if default is None or default == "" else str(default)


def _value(one: Option, flag: str, text: Any) -> Any:
    """What was given as the type of the option, within its bounds and choices; the group checks
    the rest."""
    kind = one.plain_type
    if kind is bool or not isinstance(text, str):
        return text
    if typing.get_origin(kind) is tuple:
        item = typing.get_args(kind)[0]
        return (
            [] if text == _NONE else [_single(one, flag, item, part) for part in text.split(",")]
        )
    if one.optional and text == _NONE:
        return None
    return _single(one, flag, kind, text)


def _single(one: Option, flag: str, kind: Any, text: str) -> Any:
    if one.choices:
        if text not in one.choices:
            raise UsageError(f"{flag} must be one of {', '.join(one.choices)}, not {text!r}")
        return text
    if kind not in (int, float):
        return text
    try:
        number = kind(text)
    except ValueError as problem:
        what = "a whole number" if kind is int else "a number"
        or_none = ' or "none"' if one.optional else ""
        raise UsageError(f"{flag} takes {what}{or_none}, not {text!r}") from problem
    problem_of_number = one.bounds.problem(number) if one.bounds is not None else ""
    if problem_of_number:
        raise UsageError(f"{flag} {problem_of_number}")
    return number
