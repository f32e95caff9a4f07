"""Options, each declared once: its name, type, default, bounds and what it does.

A group of options is a frozen dataclass derived from :class:`Options`::

    @dataclass(frozen=True)
    class LmConfig(Options):
        section = "lm"
        order: int = option(5, "How many words the longest n-grams have.", low=1, high=8)

From the declaration come the checks (a group that exists is a valid one), the TOML that is read
and written, the options of commands (dragoman.cli.declared), the schema of the server
(dragoman.server.schema) and the reference documentation.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, TypeVar

from dragoman.errors import ConfigError

Group = TypeVar("Group")

_KEY = "dragoman option"


@dataclass(frozen=True)
class Bounds:
    """What a number must lie between; `above` and `below` are excluded themselves."""

    low: float | None = None
    high: float | None = None
    above: float | None = None
    below: float | None = None

    def problem(self, value: float) -> str:
        """What is wrong with a value; empty when it lies within."""
        within = (
            (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )
        if within and not math.isnan(value):
            return ""
        return (
            f"must {self.text}, not {value:g}"
            if isinstance(value, float)
            else (f"must {self.text}, not {value}")
        )

    @property
    def text(self) -> str:
        """The bounds in words."""
        lowest = self.low if self.low is not None else self.above
        highest = self.high if self.high is not None else self.below
        if lowest is not None and highest is not None:
            return f"lie between {lowest} and {highest}"
        if self.above is not None:
            return f"be above {self.above}"
        if self.low is not None:
            return f"be {self.low} or more"
        if self.below is not None:
            return f"be below {self.below}"
        return f"be {self.high} or less" if self.high is not None else "be a number"


@dataclass(frozen=True)
class Option:
    """One declared option."""

    name: str
    type: Any  # int, float, bool, str, a Literal, a tuple of these, or one of them or None
    default: Any
    help: str
    bounds: Bounds | None = None  # None: any value of the type

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of a Literal; empty for other types."""
        kind = _without_none(self.type)
        if typing.get_origin(kind) is tuple:
            kind = typing.get_args(kind)[0]
        return typing.get_args(kind) if typing.get_origin(kind) is Literal else ()

    @property
    def optional(self) -> bool:
        """Whether None is a value."""
        return _without_none(self.type) is not self.type

    @property
    def plain_type(self) -> Any:
        """The type without None."""
        return _without_none(self.type)


def option(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    below: float | None = None,
) -> Any:
    """A field of a group: its default, what it does, and between what its value must lie."""
    bounded = any(limit is not None for limit in (low, high, above, below))
    bounds = Bounds(low, high, above, below) if bounded else None
    return dataclasses.field(default=default, metadata={_KEY: (help, bounds)})


class Options:
    """Base of a group of options; its dataclass must be frozen."""

    # The name of the group: a table of a configuration file. Empty: options stand by themselves.
    section: ClassVar[str] = ""

    def __post_init__(self) -> None:
        prefix = f"{self.section}." if self.section else ""
        for one in declared(type(self)):
            given = getattr(self, one.name)
            value = converted(given, one.type, f"{prefix}{one.name}")
            if one.bounds is not None:
                for number in value if isinstance(value, tuple) else (value,):
                    problem = one.bounds.problem(number) if number is not None else ""
                    if problem:
                        raise ConfigError(f"{prefix}{one.name} {problem}")
            if value is not given:
                object.__setattr__(self, one.name, value)
        self.check()

    def check(self) -> None:
        """Raise ConfigError when options do not go together."""


def declared(group: type[Options]) -> tuple[Option, ...]:
    """The options of a group, in their order; fields that are groups themselves are left out."""
    found: Any = group  # hashable, as all types are
    return _declared(found)


@lru_cache(maxsize=64)
def _declared(group: Any) -> tuple[Option, ...]:
    hints = typing.get_type_hints(group)
    return tuple(
        Option(field.name, hints[field.name], field.default, *field.metadata[_KEY])
        for field in dataclasses.fields(group)
        if _KEY in field.metadata
    )


def find_option(group: type[Options], name: str) -> Option:
    """One option of a group."""
    return next(one for one in declared(group) if one.name == name)


def require(condition: bool, problem: str) -> None:
    """Raise ConfigError unless `condition` holds."""
    if not condition:
        raise ConfigError(problem)


def to_mapping(group: Any) -> dict[str, Any]:
    """A dataclass as nested plain values; None, which TOML cannot say, is left out."""
    plain = dataclasses.asdict(group)
    return {key: value for key, value in plain.items() if value is not None}


def from_mapping(kind: type[Group], mapping: Mapping[str, Any], where: str) -> Group:
    """Make a dataclass from plain values, refusing unknown keys and wrong types."""
    hints = typing.get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    section = getattr(kind, "section", "")
    prefix = f"{section}." if section else ""
    for key in mapping:
        if key not in names:
            nearest = difflib.get_close_matches(key, names, n=1)
            hint = f"did you mean {prefix + nearest[0]!r}?" if nearest else ""
            hint = hint or f"there are {', '.join(names)}"
            raise ConfigError(f"{where}: unknown key {prefix + key!r}; {hint}")
    values = {
        key: converted(value, hints[key], f"{where}: {prefix}{key}")
        for key, value in mapping.items()
    }
    try:
        return kind(**values)
    except ConfigError as problem:
        raise ConfigError(f"{where}: {problem}") from problem


def converted(value: Any, hint: Any, where: str) -> Any:
    """`value` as the type `hint` says, or ConfigError."""
    if dataclasses.is_dataclass(hint):
        if isinstance(value, typing.cast(type, hint)):
            return value
        if not isinstance(value, Mapping):
            raise ConfigError(f"{where} must be a table, not {value!r}")
        # Groups with a section name it themselves.
        outside = where.removesuffix(f": {hint.section}") if hasattr(hint, "section") else where
        return from_mapping(typing.cast(type, hint), value, outside)
    origin = typing.get_origin(hint)
    if origin is Literal:
        choices = typing.get_args(hint)
        if value not in choices:
            allowed = ", ".join(map(repr, choices))
            raise ConfigError(f"{where} must be one of {allowed}, not {value!r}")
        return value
    if _without_none(hint) is not hint:
        return None if value is None else converted(value, _without_none(hint), where)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise ConfigError(f"{where} must be a list, not {value!r}")
        item = typing.get_args(hint)[0]
        return tuple(converted(one, item, where) for one in value)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    # bool is an int to Python, but not to somebody who writes max_words = true.
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        raise ConfigError(f"{where} must be of type {hint.__name__}, not {value!r}")
    return value


def _without_none(hint: Any) -> Any:
    """X of "X | None", the only kind of union that is used; any other type as it is."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return next(one for one in typing.get_args(hint) if one is not type(None))
    return hint
