"""Sentences translated and explained, without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dragoman.errors import InputError, ModelError
from dragoman.search.options import SearchName, SearchOptions
from dragoman.translation.demands import Demands
from dragoman.translation.result import Prepared, Wants
from dragoman.translation.source import text_passage
from dragoman.translation.story import Storyteller, picture

if TYPE_CHECKING:
    from dragoman.translation.translator import Translator

SEARCHES: tuple[SearchName, ...] = ("pharaoh", "estimate", "early")


def explain(
    translator: Translator,
    text: str,
    demands: Demands,
    *,
    nbest: int = 10,
    searches: Sequence[SearchName] = SEARCHES,
) -> dict[str, Any]:
    """Every sentence of a text: its phrases, rivals, alignment and n-best list, and its searches.

    The same as the server's /inspect and /search answer.
    """
    check_explicable(translator)
    translator.check_trees()
    sources = translator.cut(text_passage(text), demands).sentences
    if not sources:
        raise InputError("there is nothing to translate")
    wants = Wants(nbest=nbest, distinct=True, features=True, graph=True)
    teller = Storyteller(translator.bundle, translator.directory.phrase_table())
    sentences = []
    for found in translator.find(sources, demands, wants):
        if found.best.problem:
            raise InputError(found.best.problem)
        told = teller.tell(found)
        told["searches"] = [drawn_search(translator, found.prepared, name) for name in searches]
        sentences.append(told)
    return {
        "weights": translator.bundle.named_weights(),
        "pruning": translator.options.pruning,
        "sentences": sentences,
    }


def drawn_search(translator: Translator, prepared: Prepared, name: SearchName) -> dict[str, Any]:
    """One sentence searched in one way, with its stacks."""
    assert isinstance(translator.options, SearchOptions)
    options = replace(translator.options, search=name)
    (result,) = translator.search([prepared], Wants(options, picture=True))
    best = translator.finish(prepared, result, options).best
    return {
        "search": name,
        "target": None if best.problem else best.text,
        "score": None if best.problem else best.score,
        **picture(result),
    }


def check_explicable(translator: Translator) -> None:
    """Raise ModelError for a model that cannot be looked into."""
    if translator.consensus is not None:
        raise ModelError(
            "this is a consensus of models; only one phrase model can be looked into (--alone)"
        )
    if translator.bundle.hierarchical:
        raise ModelError("this is a hierarchical model; only phrase models can be looked into")
