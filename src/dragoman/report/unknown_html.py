"""Unknown words on a page: how many, and the most frequent ones in their sentences."""

from __future__ import annotations

import html

from dragoman.evaluation.unknown_words import UnknownWords
from dragoman.report.page import table


def unknown_section(unknown: UnknownWords) -> str:
    """Words of the test set that training never saw."""
    said = f"<p>{html.escape(str(unknown))}: they do not occur in the training text.</p>"
    if not unknown.examples:
        return said
    rows = [
        [html.escape(one.word), f"{one.count:,}", html.escape(one.sentence)]
        for one in unknown.examples
    ]
    return said + table(["word", "times", "first in"], rows, frozenset({1}))
