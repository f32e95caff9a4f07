"""Writes the reference of the command line from the commands themselves.

Run as  make reference  (or  python docs/reference/cli.py > docs/reference/cli.md)
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from dragoman.cli.help import make_command
from dragoman.cli.main import make_app
from dragoman.cli.options import AllThreads

BEGIN = """# Command line

Written by `docs/reference/cli.py` from the commands themselves, whose `--help` prints the same.
`FILE` is a path, `N` a whole number, `X` a number, and words between vertical bars are a choice.
Where no default is shown, nothing happens unless the option is given; options of the search are
then as the model has them ([their defaults](configuration.md#searchtoml-of-phrase-models)).

Every command ends with 0 when its work is done, 1 after a failure, 2 after wrong usage, and 130
when it was interrupted. A failure is one line on standard error; results go to standard output or
to the file that `-o` names.
"""


def main() -> None:
    """Print the page."""
    print(BEGIN)
    found = list(commands(make_command(make_app())))
    print("| command | what it does |\n|---|---|")
    for words, command in found:
        anchor = f"dragoman {words}".replace(" ", "-")
        print(f"| [`dragoman {words}`](#{anchor}) | {paragraphs(command)[0]} |")
    for words, command in found:
        print_command(words, command)


def commands(group: Any, words: str = "") -> Any:
    """Each command with its words, in the order of the help."""
    for name, command in group.commands.items():
        inner = f"{words} {name}".strip()
        if hasattr(command, "commands"):
            yield from commands(command, inner)
        else:
            yield inner, command


def print_command(words: str, command: Any) -> None:
    """A section: what it does, an example, its arguments and options by their panels."""
    arguments = [
        one for one in command.params if one.param_type_name == "argument" and not one.hidden
    ]
    options = [one for one in command.params if one.param_type_name == "option"]
    print(f"\n## dragoman {words}\n")
    about = paragraphs(command)
    for text in about:
        if not text.startswith("Example"):
            print(f"{text}\n")
    for text in about:
        if text.startswith("Example"):
            calls = re.sub(r"^Examples?: ", "", text).replace(" dragoman ", "\ndragoman ")
            print(f"```sh\n{calls}\n```\n")
    if arguments:
        print("| argument | |\n|---|---|")
        for one in arguments:
            print(f"| `{one.metavar}` | {cell(one.help)} |")
        print()
    for panel in dict.fromkeys(one.rich_help_panel for one in options):
        print(f"| {panel or 'option'} | default | |\n|---|---|---|")
        for one in options:
            if one.rich_help_panel == panel:
                print_option(one)
        print()


def print_option(one: Any) -> None:
    """A row of a table."""
    names = ", ".join(f"`{flag}`" for flag in (*one.opts, *one.secondary_opts))
    about, default = split_default(plain(one.help), one)
    value = f" `{cell(one.metavar)}`" if one.metavar else ""
    print(f"| {names}{value} | {default} | {cell(about)} |")


def split_default(text: str, one: Any) -> tuple[str, str]:
    """What an option is for and what it is if not given."""
    declared = re.fullmatch(r"(.*) \[default: (.*)\]", text, re.DOTALL)
    if declared:
        return declared[1], declared[2]
    if one.required:
        return text, "required"
    if isinstance(one.default, AllThreads):
        return text, "all cores"
    if isinstance(one.default, bool):
        return text, "on" if one.default else "off"
    shown = "" if one.default is None else one.default
    return text, str(getattr(shown, "value", shown))


def paragraphs(command: Any) -> list[str]:
    """The help of a command, a string for each paragraph."""
    text = inspect.cleandoc(plain(command.help))
    return [" ".join(part.split()) for part in text.split("\n\n")]


def plain(text: str | None) -> str:
    """Help without the backslashes that keep brackets from being colours."""
    return (text or "").replace(r"\[", "[")


def cell(text: str | None) -> str:
    """A text that does not end a cell of a table, and is not taken for HTML."""
    return plain(text).replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    main()
