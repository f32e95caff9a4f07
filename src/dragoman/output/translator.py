"""A model to call: text in, text out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dragoman.model.bundle import Bundle
from dragoman.output.corrections import Corrections
from dragoman.output.passage import Passage
from dragoman.output.preordering import ModelPreordering
from dragoman.output.text import TextForm
from dragoman.search.choice import make_search, model_options
from dragoman.search.markup import Terms
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.search.phrase import Search


class Translator:
    """Translates text as people write it; tokenising, casing and back are the model's own."""

    def __init__(
        self, search: Search, form: TextForm, preordering: ModelPreordering | None = None
    ) -> None:
        self.search, self.form, self.preordering = search, form, preordering

    @classmethod
    def open(
        cls,
        model: str | Path,
        *,
        options: SearchOptions | ChartOptions | None = None,
        threads: int = 1,
        trees: str | Path | None = None,
    ) -> Translator:
        """Open a model directory; without `options`, those the model asks for.

        `trees`: a file with the trees of the lines that will be translated, in their order, when
        the model was trained on trees.
        """
        chosen = options if options is not None else model_options(model)
        search = make_search(Bundle.open(model), chosen, threads=threads)
        return cls(search, TextForm.of_model(model), ModelPreordering.of_model(model, trees))

    def translate(self, lines: Sequence[str]) -> list[str]:
        """The best translation of each line, in their order; empty where there is none."""
        prepared = [self.form.prepare_source(line) for line in lines]
        if self.preordering is not None:
            prepared = self.preordering.reordered(prepared)
        return [self.form.finish(tokens) for tokens in self.search.translate(prepared)]

    def translate_passages(
        self,
        passages: Sequence[Passage],
        *,
        terms: Terms | None = None,
        corrections: Corrections | None = None,
    ) -> list[str]:
        """Each passage put together again from its translated sentences.

        A sentence that has no translation stays as it is.
        """
        owners = [passage for passage in passages for _ in passage.sentences]
        texts = [text for passage in passages for text in passage.texts()]
        lines = [owner.mark(text, self.form) for owner, text in zip(owners, texts, strict=True)]
        dictated: list[str | None] = []
        for line in lines:
            if terms is not None:
                terms.apply(line)
            dictated.append(corrections.apply(line) if corrections is not None else None)
        seen = lines if self.preordering is None else self.preordering.apply(lines)
        results = self.search.decode(
            [line.text for line in seen],
            demands=[line.demands for line in seen],
            features=False,
        )
        finished = [
            owner.restore((said or self.form.finish(result.best.target)) if result.found else text)
            for owner, text, said, result in zip(owners, texts, dictated, results, strict=True)
        ]
        translations: list[str] = []
        at = 0
        for passage in passages:
            count = len(passage.sentences)
            translations.append(passage.assemble(finished[at : at + count]))
            at += count
        return translations
