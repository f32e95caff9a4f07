"""The options of the search over HTTP are those that are declared."""

from __future__ import annotations

from dragoman.declared import Bounds, declared
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.server.schema import _BOUNDS, SearchSettings


def test_settings_are_the_declared_options() -> None:
    options = {one.name: one for one in (*declared(ChartOptions), *declared(SearchOptions))}
    assert SearchSettings.model_fields.keys() == options.keys()
    for name, field in SearchSettings.model_fields.items():
        assert field.description in {
            one.help
            for group in (SearchOptions, ChartOptions)
            for one in declared(group)
            if one.name == name
        }


def test_the_servers_bounds_lie_within_the_declared_ones() -> None:
    for group in (SearchOptions, ChartOptions):
        for one in declared(group):
            if one.name in _BOUNDS:
                bounds = one.bounds or Bounds()
                assert not any(bounds.problem(value) for value in _BOUNDS[one.name]), one.name
