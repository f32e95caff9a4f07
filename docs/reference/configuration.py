"""Writes the reference of options from their declarations (dragoman.declared).

Run as  python docs/reference/configuration.py > docs/reference/configuration.md
"""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

from dragoman.declared import Option, Options, declared
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.training.config import Config

BEGIN = """# Options

Written by `docs/reference/configuration.py` from the declarations that the program itself reads.
`dragoman train --config FILE` takes a TOML file with any of the tables below; what it does not say
has its default. Options of the search go into `search.toml` of a model, or to `dragoman translate`
as flags of the same names (`beam_limit` is `--beam-limit`); infinity is `inf` and none "none".
"""


def main() -> None:
    """Print the page."""
    print(BEGIN)
    print_table("The top of the file", Config)
    for field, kind in typing.get_type_hints(Config).items():
        if dataclasses.is_dataclass(kind):
            print_table(f"[{field}]", typing.cast(type[Options], kind))
    print_table("search.toml of phrase models", SearchOptions)
    print_table("search.toml of hierarchical models", ChartOptions)


def print_table(title: str, group: type[Options]) -> None:
    """A section: what the group is for, and its options."""
    about = (group.__doc__ or "").strip().splitlines()[0]
    print(f"## {title}\n\n{about}\n\n| option | default | may be | |\n|---|---|---|---|")
    for one in declared(group):
        print(f"| `{one.name}` | {shown(one.default)} | {allowed(one)} | {escaped(one.help)} |")
    print()


def shown(value: Any) -> str:
    """A value as TOML has it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(shown(one) for one in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def allowed(one: Option) -> str:
    """What the option may be."""
    if one.choices:
        words = ", ".join(one.choices)
        return f"of {words}" if typing.get_origin(one.plain_type) is tuple else words
    if one.plain_type is bool:
        return "true, false"
    what = one.bounds.text.removeprefix("lie ").removeprefix("be ") if one.bounds else ""
    return ", ".join(part for part in (what, "none" if one.optional else "") if part)


def escaped(text: str) -> str:
    """A text that does not end a cell of a table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
