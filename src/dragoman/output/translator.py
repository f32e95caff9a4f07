"""A model to call: text in, text out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dragoman.model.bundle import Bundle
from dragoman.output.text import TextForm
from dragoman.search.choice import make_search, model_options
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.search.phrase import Search


class Translator:
    """Translates text as people write it; tokenising, casing and back are the model's own."""

    def __init__(self, search: Search, form: TextForm) -> None:
        self.search, self.form = search, form

    @classmethod
    def open(
        cls,
        model: str | Path,
        *,
        options: SearchOptions | ChartOptions | None = None,
        threads: int = 1,
    ) -> Translator:
        """Open a model directory; without `options`, those the model asks for."""
        chosen = options if options is not None else model_options(model)
        search = make_search(Bundle.open(model), chosen, threads=threads)
        return cls(search, TextForm.of_model(model))

    def translate(self, lines: Sequence[str]) -> list[str]:
        """The best translation of each line, in their order; empty where there is none."""
        prepared = [self.form.prepare_source(line) for line in lines]
        return [self.form.finish(tokens) for tokens in self.search.translate(prepared)]
