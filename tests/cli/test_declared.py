"""Options of commands that come from declarations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
import typer
from typer.testing import CliRunner

from dragoman.cli.declared import Given, Offer, offering
from dragoman.cli.help import make_command
from dragoman.declared import Options, option
from dragoman.errors import UsageError


@dataclass(frozen=True)
class Kettle(Options):
    cups: int = option(4, "How many it fills.", low=1)
    heat: float = option(0.5, "How hot it is made.")
    lid: bool = option(True, "Whether it has a lid.")
    colour: Literal["red", "blue"] = option("red", "Of the outside.")
    whistle: int | None = option(None, "At how many degrees it whistles.")
    marks: tuple[int, ...] = option((), "Where its scale has lines.")
    secret: int = option(0, "Nothing for the command line.")


@dataclass(frozen=True)
class Teapot(Options):
    cups: int = option(2, "Never asked for, since the kettle has it.")
    spout: str = option("", "Its form.")


SHOWN = ("cups", "heat", "lid", "colour", "whistle", "marks")
app = typer.Typer()
seen: list[tuple[str, Given]] = []


@app.command()
@offering(
    "given",
    Offer(Kettle, only=SHOWN, flags={"heat": "--fire"}, panel="Kettles"),
    Offer(Teapot, defaults=False),
)
def boil(
    water: Annotated[str, typer.Argument()],
    given: Given = {},  # noqa: B006 - stands for declared options
    loud: bool = False,
) -> None:
    """Boil."""
    seen.append((water, given))


def boiling(*arguments):
    seen.clear()
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200", "TERM": "dumb"})


def test_help_tells_what_was_declared(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(SystemExit):
        make_command(app)(["--help"])
    shown = capsys.readouterr().out
    for text in (
        *("How many it fills.", "[red|blue]", "--fire", "--lid", "--no-lid", "Kettles"),
        *("At how many degrees it whistles.", "By commas, or none.", "Its form."),
    ):
        assert text in shown
    assert re.search(r"--cups +N +How many it fills\. \[default: 4\]", shown)
    assert re.search(r"--whistle +N +.*\[default: none\]", shown)
    assert not re.search(r"--spout.*default", shown)
    assert "--secret" not in shown
    assert "--heat" not in shown
    assert "Never asked for" not in shown
    assert "--given" not in shown


def test_only_what_was_given_reaches_the_command():
    assert boiling("tap").exit_code == 0
    assert seen == [("tap", {})]
    boiling("tap", "--cups", "3", "--no-lid", "--fire", "1", "--colour", "blue", "--spout", "long")
    given = {"cups": 3, "heat": 1.0, "lid": False, "colour": "blue", "spout": "long"}
    assert seen == [("tap", given)]


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["--whistle", "none"], {"whistle": None}),
        (["--whistle", "90"], {"whistle": 90}),
        (["--marks", "1,2,5"], {"marks": [1, 2, 5]}),
        (["--marks", "none"], {"marks": []}),
    ],
)
def test_none_and_lists(arguments, given):
    assert boiling("tap", *arguments).exit_code == 0
    assert seen == [("tap", given)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cups", "many"], "--cups takes a whole number, not 'many'"),
        (["--cups", "1.5"], "--cups takes a whole number, not '1.5'"),
        (["--cups", "none"], "--cups takes a whole number, not 'none'"),
        (["--fire", "hot"], "--fire takes a number, not 'hot'"),
        (["--whistle", "soon"], "--whistle takes a whole number or \"none\", not 'soon'"),
        (["--marks", "1,x"], "--marks takes a whole number, not 'x'"),
        (["--cups", "0"], "--cups must be 1 or more, not 0"),
        (["--colour", "green"], "--colour must be one of red, blue, not 'green'"),
    ],
)
def test_wrong_values_are_told_by_the_flag(arguments, message):
    done = boiling("tap", *arguments)
    assert isinstance(done.exception, UsageError)
    assert str(done.exception) == message
    assert not seen


def test_a_wrong_value_ends_a_command(run, trained):
    done = run("translate", trained, "--beam-limit", -3, input="a\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--beam-limit must lie between 0 and" in done.stderr
    done = run("translate", trained, "--search", "astar", input="a\n")
    assert "--search must be one of pharaoh, estimate, early, cube, not 'astar'" in done.stderr
