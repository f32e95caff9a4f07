"""A sentence translated and explained, without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dragoman.errors import InputError, ModelError
from dragoman.model.bundle import Bundle
from dragoman.output.corrections import Corrections
from dragoman.output.passage import text_passage
from dragoman.output.preordering import ModelPreordering
from dragoman.output.story import Storyteller, picture
from dragoman.output.text import TextForm
from dragoman.rules.stage import open_phrases
from dragoman.search.options import SearchName, load_options
from dragoman.search.phrase import PhraseSearch

SEARCHES: tuple[SearchName, ...] = ("pharaoh", "estimate", "early")


def explain(
    model: str | Path, text: str, *, nbest: int = 10, searches: Sequence[SearchName] = SEARCHES
) -> dict[str, Any]:
    """Every sentence of a text: its phrases, rivals, alignment and n-best list, and its searches.

    The same as the server's /inspect and /search answer.
    """
    bundle = Bundle.open(model)
    if bundle.hierarchical:
        raise ModelError(f"{model}: a hierarchical model; only phrase models can be looked into")
    form = TextForm.of_model(model)
    preordering = ModelPreordering.of_model(model)
    if preordering is not None:
        preordering.check_alone()
    corrections = Corrections(model, form)
    options = load_options(model)
    teller = Storyteller(bundle, open_phrases(model), form)
    passage = text_passage(text)
    lines = [passage.mark(sentence, form) for sentence in passage.texts()]
    if not lines:
        raise InputError("there is nothing to translate")
    dictated = [corrections.apply(line) for line in lines]
    ordered = lines if preordering is None else preordering.apply(lines)
    results = PhraseSearch(bundle, options).decode(
        [line.text for line in ordered],
        demands=[line.demands for line in ordered],
        nbest=nbest,
        distinct=True,
        graph=True,
        graph_values=True,
    )
    sentences = []
    for source, line, seen, said, result in zip(
        passage.texts(), lines, ordered, dictated, results, strict=True
    ):
        if result.error or not result.found:
            raise InputError(result.error or "no translation found")
        told = teller.tell(line.tokens, result, line.order)
        told |= {"source": source, "target": said or told["target"], "dictated": said is not None}
        told["searches"] = []
        for name in searches:
            (found,) = PhraseSearch(bundle, replace(options, search=name)).decode(
                [seen.text], picture=True
            )
            told["searches"].append(
                {
                    "search": name,
                    "target": form.finish(found.best.target) if found.found else None,
                    "score": found.best.score if found.found else None,
                    **picture(found),
                }
            )
        sentences.append(told)
    weights = dict(zip(bundle.features, bundle.weights.tolist(), strict=True))
    return {"weights": weights, "pruning": options.pruning, "sentences": sentences}
