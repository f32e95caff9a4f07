"""Stack search with a phrase model."""

from __future__ import annotations

from dragoman.model.bundle import Bundle
from dragoman.model.weights import Vector
from dragoman.search.engine import Search
from dragoman.search.options import SearchOptions


class PhraseSearch(Search):
    """The three algorithms of paper 000, and cube pruning."""

    def __init__(
        self,
        bundle: Bundle,
        options: SearchOptions | None = None,
        *,
        weights: Vector | None = None,
        threads: int = 1,
    ) -> None:
        options = options if options is not None else SearchOptions()
        super().__init__(bundle, options, weights=weights, threads=threads)
