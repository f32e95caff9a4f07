"""The changes that mutation testing makes: what they are, that they parse, what is left alone."""

import ast
import tomllib
from pathlib import Path

from tests.mutants.copies import PACKAGE, ROOT
from tests.mutants.operators import mutants_of

SOURCE = '''\
"""Text for people: 3."""

from __future__ import annotations

LIMIT = 5
TOLERANCE = 1e-9


class Box:
    size: int = 2

    def fits(self, a: int | None, b: int, *, exact: bool = False, threads: int = 1) -> bool:
        """Whether 1 fits."""
        if not exact and a < b <= LIMIT:
            self.note(a, b)
            progress.message("7 of 9")
            return min(a, b) + 1 > -b
        total = 0
        for x in zip(a[:b], b, strict=True):
            total += x
        raise ValueError(f"{total} is {3}")
'''


def test_every_kind_of_change(tmp_path):
    (tmp_path / "é.py").write_text("# é\n" + SOURCE, "utf-8")
    found = mutants_of(tmp_path, "é.py")
    said = {f"{one.kind}: {one.before} -> {one.after}" for one in found}
    assert said == {
        "constant: 5 -> 6",
        "constant: 2 -> 3",
        "constant: False -> True",
        "condition: not exact and a < b <= LIMIT -> (not (not exact and a < b <= LIMIT))",
        "and/or: not exact and a < b <= LIMIT -> (not exact or a < b <= LIMIT)",
        "not: not exact -> (exact)",
        "comparison: a < b <= LIMIT -> (a <= b <= LIMIT)",
        "comparison: a < b <= LIMIT -> (a < b < LIMIT)",
        "dropped: self.note(a, b) -> pass",
        "swapped: self.note(a, b) -> (self.note(b, a))",
        "comparison: min(a, b) + 1 > -b -> (min(a, b) + 1 >= -b)",
        "arithmetic: min(a, b) + 1 -> (min(a, b) - 1)",
        "swapped: zip(a[:b], b, strict=True) -> (zip(b, a[:b], strict=True))",
        "opposite: min -> (max)",
        "constant: 1 -> 2",
        "sign: -b -> (b)",
        "constant: 0 -> 1",
        "off by one: b -> (b + 1)",
        "arithmetic: total += x -> total -= x",
        "dropped: total += x -> pass",
        'dropped: raise ValueError(f"{total} is {3}") -> pass',
    }
    for one in found:
        ast.parse(one.text)
        assert one.text != "# é\n" + SOURCE
    inside = {one.function for one in found}
    assert inside == {"", "Box.fits"}


def test_everything_in_the_package_can_be_changed():
    for path in sorted((PACKAGE / "tuning").rglob("*.py")):
        for one in mutants_of(PACKAGE, path.relative_to(PACKAGE).as_posix()):
            ast.parse(one.text)


def test_native_places_are_there_once():
    listed = tomllib.loads((Path(__file__).parent / "native.toml").read_text("utf-8"))["mutant"]
    assert len(listed) >= 20
    for one in listed:
        text = (ROOT / "native" / "core" / one["file"]).read_text("utf-8")
        assert text.count(one["before"]) == 1, one["what"]
        assert one["before"] != one["after"]
        assert all((ROOT / path).exists() for path in one["python"])
