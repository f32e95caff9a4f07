"""Configuration files explained: a template with all options, and what one key means."""

from __future__ import annotations

import dataclasses
import difflib
import textwrap
import typing
from collections.abc import Iterator
from typing import Any

from dragoman.declared import Option, Options, declared
from dragoman.errors import UsageError
from dragoman.training.config import Config

_WIDTH = 96


def template() -> str:
    """A configuration file with every option, its default and what it does, all commented out;
    what is not said keeps its default."""
    parts = [
        "# All that training can be told. Take the # away before what you change:",
        "# dragoman train --config FILE",
        "",
    ]
    for section, group in sections():
        if section:
            parts += [f"# {line}" for line in textwrap.wrap(_about(group), _WIDTH)]
            parts.append(f"[{section}]")
        for one in declared(group):
            parts += [f"# {line}" for line in textwrap.wrap(_told(one), _WIDTH)]
            parts.append(f"#{one.name} = {as_toml(one.default)}" + _unsaid(one))
        parts.append("")
    return "\n".join(parts)


def explain(key: str) -> str:
    """What a key of a configuration file means, such as ``lm.order``, or all of a table."""
    found = {section: group for section, group in sections() if section}
    if key in found:
        lines = [f"[{key}]  {_about(found[key])}"]
        lines += [f"  {one.name} = {as_toml(one.default)}" for one in declared(found[key])]
        return "\n".join(lines)
    keys = {
        f"{section}.{one.name}" if section else one.name: one
        for section, group in sections()
        for one in declared(group)
    }
    matching = [name for name in keys if name == key or name.endswith(f".{key}")]
    if not matching:
        nearest = difflib.get_close_matches(key, [*keys, *found], n=1)
        guess = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise UsageError(f"there is no key {key!r} in a configuration file{guess}")
    return "\n\n".join(
        f"{name}\n"
        + textwrap.fill(_told(keys[name]), _WIDTH)
        + f"\ndefault: {as_toml(keys[name].default)}{_unsaid(keys[name])}"
        for name in matching
    )


def sections() -> Iterator[tuple[str, type[Options]]]:
    """The groups of options with the names of their tables; those of none first."""
    yield "", Config
    for name, kind in typing.get_type_hints(Config).items():
        if dataclasses.is_dataclass(kind):
            yield name, typing.cast(type[Options], kind)


def as_toml(value: Any) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(as_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) or value is None else str(value)


def allowed(one: Option) -> str:
    """What an option may be, in words."""
    if one.choices:
        words = ", ".join(one.choices)
        return f"of {words}" if typing.get_origin(one.plain_type) is tuple else words
    if one.plain_type is bool:
        return "true, false"
    what = one.bounds.text.removeprefix("lie ").removeprefix("be ") if one.bounds else ""
    return ", ".join(part for part in (what, "none" if one.optional else "") if part)


def _about(group: type[Options]) -> str:
    return (group.__doc__ or "").strip().splitlines()[0]


def _told(one: Option) -> str:
    may = allowed(one)
    return f"{one.help} ({may})" if may else one.help


def _unsaid(one: Option) -> str:
    """TOML has no word for none; who means it leaves the line out."""
    return "  # none: leave it out" if one.default is None else ""
