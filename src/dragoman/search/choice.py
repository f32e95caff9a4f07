"""The search that a model needs, and the options that go with it."""

from __future__ import annotations

from pathlib import Path

from dragoman.errors import UsageError
from dragoman.layout import HIERO, table_name
from dragoman.model.bundle import Bundle
from dragoman.model.weights import Vector
from dragoman.search.options import ChartOptions, SearchOptions, load_options
from dragoman.search.phrase import ChartSearch, PhraseSearch, Search
from dragoman.workspace import Workspace


def make_search(
    bundle: Bundle,
    options: SearchOptions | ChartOptions | None = None,
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


def model_options(directory: str | Path) -> SearchOptions | ChartOptions:
    """The options a model asks for; the defaults of its kind when it says nothing."""
    if table_name(Workspace(directory)) == HIERO:
        return load_options(directory, ChartOptions)
    return load_options(directory, SearchOptions)
