"""The list of commands, and the help of each."""

from __future__ import annotations

import inspect
import re
from importlib import import_module

import pytest
import typer

from dragoman.cli.main import COMMANDS, app_for, make_app


def commands() -> list[tuple[str, object]]:
    """Every command by its words, and its function."""
    found: list[tuple[str, object]] = []
    for name, command in COMMANDS.items():
        module, attribute = command.place.split(":")
        value = getattr(import_module(f"dragoman.cli.{module}"), attribute)
        if command.group:
            assert isinstance(value, typer.Typer)
            for one in value.registered_commands:
                assert one.callback is not None
                found.append((f"{name} {one.name or one.callback.__name__}", one.callback))
        else:
            found.append((name, value))
    return found


ALL = commands()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    command = COMMANDS[name]
    module, attribute = command.place.split(":")
    value = getattr(import_module(f"dragoman.cli.{module}"), attribute)
    said = value.info.help if command.group else (inspect.getdoc(value) or "").split("\n\n")[0]
    assert command.help == " ".join(said.split())


@pytest.mark.parametrize(("name", "function"), ALL, ids=[name for name, _ in ALL])
def test_every_command_has_an_example(name: str, function: object) -> None:
    text = " ".join((inspect.getdoc(function) or "").split())
    assert re.search(f"Examples?: dragoman {name}", text)


def test_only_what_is_asked_for_is_loaded() -> None:
    assert [one.name for one in app_for(["translate", "model"]).registered_commands] == [
        "translate"
    ]
    listed = app_for(["--help"])
    assert [one.name for one in listed.registered_commands] == list(COMMANDS)
    whole = make_app()
    groups = [one.name for one in whole.registered_groups]
    single = [one.name for one in whole.registered_commands]
    assert sorted(map(str, [*groups, *single])) == sorted(COMMANDS)
