"""The list of commands, and the help of each."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib import import_module

import pytest
import typer

from dragoman.cli.help import make_command
from dragoman.cli.main import COMMANDS, app_for, make_app
from dragoman.errors import UsageError


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
    said = value.info.help if command.group else inspect.getdoc(value) or ""
    assert command.help == " ".join(said.split("\n\n")[0].split())
    assert re.search(rf"Examples?: dragoman {name}\b", said)


@pytest.mark.parametrize(("name", "function"), ALL, ids=[name for name, _ in ALL])
def test_every_command_has_an_example(name: str, function: object) -> None:
    text = " ".join((inspect.getdoc(function) or "").split())
    assert re.search(f"Examples?: dragoman {name}", text)


@pytest.fixture
def shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], str]:
    """The help of a command as it is printed."""
    monkeypatch.setenv("COLUMNS", "250")
    monkeypatch.setenv("TERM", "dumb")

    def show(name: str) -> str:
        command = make_command(make_app([name.split()[0]]))
        command([*name.split(), "--help"], prog_name="dragoman", standalone_mode=False)
        return capsys.readouterr().out

    return show


@pytest.mark.parametrize(("name", "function"), ALL, ids=[name for name, _ in ALL])
def test_help_is_for_people(name: str, function: object, shown: Callable[[str], str]) -> None:
    first = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    assert re.fullmatch(r"[A-Z].*[A-Za-z0-9)]\.", first), "one whole sentence"
    text = shown(name)
    assert name in text
    assert not re.search(r"<(bool|int|float|str|path|list)", text), "types are no words"
    assert not re.search(r"\((see )?\)|\\\[", text), "brackets are neither eaten nor escaped"


def test_brackets_are_shown(shown: Callable[[str], str]) -> None:
    assert "whose table [tune] counts" in shown("tune")


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


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["train", "office.tmx", "--from", "en"], "--tmx office.tmx"),
        (["train", "a.en", "a.fr"], "-s SOURCE -t TARGET"),
        (["evaluate", "model", "test.en", "test.fr"], "-s for source text, -r for references"),
        (["translate", "model", "Where is it?"], "echo 'Where is it?' | dragoman translate model"),
    ],
)
def test_text_in_the_wrong_place_is_told_its_place(arguments: list[str], remedy: str) -> None:
    with pytest.raises(UsageError, match=re.escape(remedy)):
        make_command(app_for(arguments)).main(arguments, standalone_mode=False)


def test_usage_shows_what_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    for name, usage in (
        ("suggest", "dragoman suggest [OPTIONS] MODEL SENTENCE [BEGINNING]"),
        ("train", "dragoman train [OPTIONS]"),
    ):
        with pytest.raises(SystemExit):
            make_command(app_for([name]))([name, "--help"], prog_name="dragoman")
        shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
        assert f"Usage: {usage}" in shown
