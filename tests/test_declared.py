"""Options declared once: what they take, what they refuse, and what they say about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import pytest

from dragoman.declared import (
    Bounds,
    Options,
    declared,
    find_option,
    from_mapping,
    option,
    require,
    to_mapping,
)
from dragoman.errors import ConfigError


@dataclass(frozen=True)
class Kettle(Options):
    section = "kettle"

    litres: float = option(1.5, "How much goes in.", above=0, high=3)
    cups: int = option(4, "How many it fills.", low=1)
    lid: bool = option(True, "Whether it has a lid.")
    colour: Literal["red", "blue"] = option("red", "Of the outside.")
    label: str = option("", "What is written on it.")
    whistle: int | None = option(None, "At how many degrees it whistles.", low=50, high=100)
    marks: tuple[float, ...] = option((0.5, 1.0), "Where its scale has lines.", low=0, below=3)
    feet: tuple[Literal["round", "square"], ...] = option((), "What it stands on.")

    def check(self):
        require(self.lid or self.whistle is None, "only a kettle with a lid whistles")


@dataclass(frozen=True)
class Kitchen(Options):
    size: int = option(9, "In square metres.", low=1)
    kettle: Kettle = field(default_factory=Kettle)


def test_a_group_that_exists_is_valid():
    kettle = Kettle(litres=2, cups=7, whistle=90, marks=[1, 2], feet=["round"])
    assert (kettle.litres, kettle.marks, kettle.feet) == (2.0, (1.0, 2.0), ("round",))
    assert isinstance(kettle.litres, float)
    assert all(isinstance(mark, float) for mark in kettle.marks)
    assert Kettle(whistle=None, marks=()) == Kettle(marks=())
    same = Kettle(litres=2.0, cups=7, whistle=90, marks=(1, 2), feet=("round",))
    assert (kettle, hash(kettle), repr(kettle)) == (same, hash(same), repr(same))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"litres": 0}, "kettle.litres must lie between 0 and 3, not 0"),
        ({"litres": 3.25}, "kettle.litres must lie between 0 and 3, not 3.25"),
        ({"litres": math.nan}, "kettle.litres must lie between 0 and 3, not nan"),
        ({"litres": "much"}, "kettle.litres must be of type float, not 'much'"),
        ({"cups": 0}, "kettle.cups must be 1 or more, not 0"),
        ({"cups": 2.0}, "kettle.cups must be of type int, not 2.0"),
        ({"cups": True}, "kettle.cups must be of type int, not True"),
        ({"lid": 1}, "kettle.lid must be of type bool, not 1"),
        ({"colour": "green"}, "kettle.colour must be one of 'red', 'blue', not 'green'"),
        ({"label": 3}, "kettle.label must be of type str, not 3"),
        ({"whistle": 20}, "kettle.whistle must lie between 50 and 100, not 20"),
        ({"marks": 1.0}, "kettle.marks must be a list, not 1.0"),
        ({"marks": (1.0, "two")}, "kettle.marks must be of type float, not 'two'"),
        ({"marks": (1.0, 3.0)}, "kettle.marks must lie between 0 and 3, not 3"),
        ({"feet": ("round", "oval")}, "kettle.feet must be one of 'round', 'square', not 'oval'"),
        ({"lid": False, "whistle": 90}, "only a kettle with a lid whistles"),
    ],
)
def test_what_is_refused(wrong, message):
    with pytest.raises(ConfigError) as caught:
        Kettle(**wrong)
    assert str(caught.value) == message
    assert caught.value.exit_code == 2


def test_other_groups_are_not_touched_by_a_section():
    with pytest.raises(ConfigError, match="^size must be 1 or more, not 0$"):
        Kitchen(size=0)


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        (Bounds(low=1), "be 1 or more"),
        (Bounds(high=5), "be 5 or less"),
        (Bounds(above=0), "be above 0"),
        (Bounds(below=1.5), "be below 1.5"),
        (Bounds(low=1, high=8), "lie between 1 and 8"),
        (Bounds(above=0, below=1), "lie between 0 and 1"),
    ],
)
def test_bounds_in_words(bounds, text):
    assert bounds.text == text
    assert bounds.problem(-1e9 if bounds.low or bounds.above is not None else 1e9).startswith(
        f"must {text}, not"
    )


def test_bounds_that_are_excluded_themselves():
    assert Bounds(above=0, below=1).problem(0)
    assert Bounds(above=0, below=1).problem(1)
    assert not Bounds(low=0, high=1).problem(0)
    assert not Bounds(low=0, high=1).problem(1)
    assert Bounds(low=0).problem(math.nan)
    assert not Bounds(low=0).problem(math.inf)


def test_what_a_declaration_says():
    names = ["litres", "cups", "lid", "colour", "label", "whistle", "marks", "feet"]
    assert [one.name for one in declared(Kettle)] == names
    assert [one.name for one in declared(Kitchen)] == ["size"]  # a group inside is no option
    whistle = find_option(Kettle, "whistle")
    assert (whistle.optional, whistle.plain_type, whistle.default) == (True, int, None)
    assert (whistle.help, whistle.bounds) == (
        "At how many degrees it whistles.",
        Bounds(low=50, high=100),
    )
    assert find_option(Kettle, "colour").choices == ("red", "blue")
    assert find_option(Kettle, "feet").choices == ("round", "square")
    assert find_option(Kettle, "cups").choices == ()
    assert not find_option(Kettle, "cups").optional
    assert find_option(Kettle, "lid").bounds is None


def test_groups_in_groups_from_plain_values():
    plain = {"size": 12, "kettle": {"cups": 2, "marks": [1, 2], "colour": "blue"}}
    kitchen = from_mapping(Kitchen, plain, "here")
    assert kitchen == Kitchen(12, Kettle(cups=2, marks=(1.0, 2.0), colour="blue"))
    assert from_mapping(Kitchen, {"kettle": Kettle(cups=1)}, "here").kettle.cups == 1
    assert from_mapping(Kitchen, {}, "here") == Kitchen()


def test_there_and_back():
    kitchen = Kitchen(3, Kettle(whistle=99, feet=("square",)))
    assert from_mapping(Kitchen, to_mapping(kitchen), "here") == kitchen
    assert "whistle" not in to_mapping(Kettle())  # TOML has no None


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ({"sise": 3}, "here: unknown key 'sise'; did you mean 'size'?"),
        ({"zebra": 3}, "here: unknown key 'zebra'; there are size, kettle"),
        ({"kettle": {"cup": 3}}, "here: unknown key 'kettle.cup'; did you mean 'kettle.cups'?"),
        ({"kettle": 3}, "here: kettle must be a table, not 3"),
        ({"size": "big"}, "here: size must be of type int, not 'big'"),
        ({"size": 0}, "here: size must be 1 or more, not 0"),
        (
            {"kettle": {"colour": "green"}},
            "here: kettle.colour must be one of 'red', 'blue', not 'green'",
        ),
    ],
)
def test_plain_values_that_are_refused(plain, message):
    with pytest.raises(ConfigError) as caught:
        from_mapping(Kitchen, plain, "here")
    assert str(caught.value).endswith(message)
    assert str(caught.value).startswith("here: ")
