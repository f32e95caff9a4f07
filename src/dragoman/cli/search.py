"""The options of the searches, as the commands that translate offer them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.cli.declared import Given, Offer
from dragoman.errors import UsageError
from dragoman.search.options import ChartOptions, SearchOptions

if TYPE_CHECKING:
    from dragoman.search.options import AnyOptions

_PANEL = "Search and pruning"
# A model may have asked for others, so the help tells no defaults.
SEARCH_OFFERS = (
    Offer(SearchOptions, panel=_PANEL, defaults=False),
    Offer(ChartOptions, panel=_PANEL, defaults=False),
)


def chosen_options(model: Path, given: Given) -> AnyOptions:
    """The options of a model, changed as asked."""
    from dragoman.model.directory import ModelDirectory
    from dragoman.search.choice import changed_options, model_options

    options = model_options(ModelDirectory(model))
    # A limit on gaps takes the place of the one on jumps, unless both are given.
    phrases = isinstance(options, SearchOptions)
    if phrases and given.get("gap_limit") is not None and "distortion_limit" not in given:
        given = given | {"distortion_limit": None}
    try:
        return changed_options(options, given)
    except UsageError as problem:
        raise UsageError(f"{model}: {problem}") from problem
