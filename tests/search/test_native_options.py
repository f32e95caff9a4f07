"""Options of native code: the same names and defaults as where users find them."""

from __future__ import annotations

import math
from dataclasses import fields

import pytest

from dragoman import _core
from dragoman.errors import InputError
from dragoman.search.options import ChartOptions, SearchOptions


def names_of(group):
    return {name for name in dir(group) if not name.startswith("_")}


@pytest.mark.parametrize("ours", [SearchOptions, ChartOptions])
def test_names_and_defaults_are_the_same(ours):
    native = type(ours().native())
    assert {field.name for field in fields(ours)} == names_of(native)
    for made in (native(), ours().native()):
        for field in fields(ours):
            assert getattr(made, field.name) == field.default, field.name


def test_every_option_arrives():
    ours = SearchOptions("cube", 1.5, 2.5, 7, 8, 0.5, 9, None, 3, "mark")
    native = ours.native()
    assert [getattr(native, field.name) for field in fields(ours)] == [
        getattr(ours, field.name) for field in fields(ours)
    ]
    native.distortion_limit, native.gap_limit, native.early_threshold = 4, None, None
    assert (native.distortion_limit, native.gap_limit, native.early_threshold) == (4, None, None)
    assert ChartOptions(span_limit=0, beam_threshold=math.inf).native().span_limit == 0


def test_what_is_no_option_is_refused():
    with pytest.raises(TypeError, match="SearchOptions has no option beam$"):
        _core.SearchOptions(beam=3)
    with pytest.raises(TypeError, match="SearchOptions: beam_limit must be int"):
        _core.SearchOptions(beam_limit="many")
    with pytest.raises(InputError, match="unknown search 'fast'; there are pharaoh, estimate"):
        _core.SearchOptions(search="fast")
    with pytest.raises(AttributeError):
        _core.SearchOptions().beam = 3
