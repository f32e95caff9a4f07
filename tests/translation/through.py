"""Passages on their way without a model."""

from __future__ import annotations

from collections.abc import Callable

from dragoman.text.form import TextForm
from dragoman.translation.demands import mark_line
from dragoman.translation.source import CutPassage, Source

FORM = TextForm.tokenised()


def restored(source: Source, text: str) -> str:
    """A translation of a sentence, in which characters stand for what is held, as text."""
    return source.held.spelt(source.held.spaced(text))


def through(passage: CutPassage, change: Callable[[str], str] = str) -> str:
    """As if every sentence were translated by `change`."""
    finished = []
    for source in passage.sentences:
        line = mark_line(source.text, source.held, FORM)
        assert all(given.begin + 1 == given.end for given in line.given)
        codes = [line.source.items.get(token, token) for token in line.tokens]
        finished.append(restored(source, change(" ".join(codes))))
    return passage.assemble(finished)
