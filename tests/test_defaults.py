"""What options are when nobody sets them, and what they may be: part of what users rely on.

A change on purpose is written down by  python -m tests.test_defaults > tests/golden/options.txt
"""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path

import dragoman
from dragoman.declared import Options, declared
from dragoman.learning.reestimation.config import ReestimateConfig
from dragoman.training.config import Config
from dragoman.training.stages.joint import JointWeights
from dragoman.training.stages.kept_weights import KeptWeights
from dragoman.translation.config import MemoryOptions

GOLDEN = Path(__file__).parent / "golden" / "options.txt"
# And all that they have imported.
LOADED = (Config, ReestimateConfig, JointWeights, KeptWeights, MemoryOptions)


def groups(kind: type = Options) -> list[type]:
    found = {one.__name__: one for one in kind.__subclasses__() if "dragoman" in one.__module__}
    return [found[name] for name in sorted(found)]


def listing() -> str:
    lines = []
    for group in groups():
        lines.append(f"[{group.__name__}]")
        defaults = {one.name: one.default for one in dataclasses.fields(group)}
        for one in declared(group):
            line = f"{one.name} = {defaults[one.name]!r}"
            if one.bounds is not None:
                bounds = dataclasses.asdict(one.bounds)
                line += "".join(f", {k} {v}" for k, v in bounds.items() if v is not None)
            lines.append(line + (f", one of {', '.join(one.choices)}" if one.choices else ""))
    lines.append("[public]")
    for name in sorted(dragoman.__all__):
        value = getattr(dragoman, name)
        if inspect.isfunction(value):
            lines.append(f"{name}{inspect.signature(value)}")
        elif inspect.isclass(value) and not issubclass(value, BaseException | Options):
            methods = inspect.getmembers(value, lambda one: callable(one) or inspect.ismethod(one))
            for member, method in methods:
                if (not member.startswith("_") or member == "__init__") and (
                    inspect.isfunction(method) or inspect.ismethod(method)
                ):
                    lines.append(f"{name}.{member}{inspect.signature(method)}")
    return "\n".join(lines) + "\n"


def test_defaults_and_bounds_are_those_written_down():
    assert listing() == GOLDEN.read_text("utf-8")


if __name__ == "__main__":
    print(listing(), end="")
