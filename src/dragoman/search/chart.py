"""Chart search with a hierarchical model."""

from __future__ import annotations

from dragoman.model.bundle import Bundle
from dragoman.model.weights import Vector
from dragoman.search.engine import Search
from dragoman.search.options import ChartOptions


class ChartSearch(Search):
    """Translations have a step for each rule, those in its gaps before it.

    A step's target has ``[1]`` and ``[2]`` for what its gaps derive; its spans include them.
    """

    def __init__(
        self,
        bundle: Bundle,
        options: ChartOptions | None = None,
        *,
        weights: Vector | None = None,
        threads: int = 1,
    ) -> None:
        options = options if options is not None else ChartOptions()
        super().__init__(bundle, options, weights=weights, threads=threads)
