"""The search that a model needs, and the options that go with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from dragoman.errors import UsageError
from dragoman.layout import SEARCH
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import Vector
from dragoman.search.chart import ChartSearch
from dragoman.search.engine import Search
from dragoman.search.options import AnyOptions, ChartOptions, SearchOptions, options_in
from dragoman.search.stack import PhraseSearch


def make_search(
    bundle: Bundle,
    options: AnyOptions | None = None,
    *,
    weights: Vector | None = None,
    threads: int = 1,
) -> Search:
    """A stack search for a phrase model, a chart search for a hierarchical one."""
    if bundle.hierarchical:
        if isinstance(options, SearchOptions):
            raise UsageError("the model is hierarchical: it takes ChartOptions")
        return ChartSearch(bundle, options, weights=weights, threads=threads)
    if isinstance(options, ChartOptions):
        raise UsageError("the model is a phrase model: it takes SearchOptions")
    return PhraseSearch(bundle, options, weights=weights, threads=threads)


def model_options(directory: ModelDirectory) -> AnyOptions:
    """The options a model asks for; the defaults of its kind when it says nothing."""
    path = directory.file(SEARCH) if directory.has(SEARCH) else None
    return options_in(path, hierarchical=directory.shape.hierarchical)


def changed_options(options: AnyOptions, changes: Mapping[str, Any]) -> AnyOptions:
    """Options with some of them changed; those that the search does not have are refused."""
    strange = sorted(changes.keys() - {field.name for field in fields(options)})
    if strange:
        kind = "hierarchical" if isinstance(options, ChartOptions) else "phrase"
        raise UsageError(f"the search of a {kind} model has no {', '.join(strange)}")
    return replace(options, **changes)
