"""Phrase tables from phrase tables: sorted anew, thinned out, extended or quantised."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dragoman._core import PhraseTableFile, PhraseTableRewriter
from dragoman.corpus.bitext import Bitext
from dragoman.errors import UsageError
from dragoman.files import written_whole
from dragoman.progress import SILENT, Progress

# Pairs that occur once, of phrases that occur once, lie exactly at ln(number of sentence pairs);
# a threshold this much beside it keeps or drops all of them.
EPSILON = 1e-3


def sort_weights(features: Sequence[str], weights: Mapping[str, float]) -> list[float]:
    """The weights of these features, in their order; features without one count nothing."""
    if not any(name in weights for name in features):
        raise UsageError(f"no weight for any of the table's features {', '.join(features)}")
    for name, weight in weights.items():
        if not math.isfinite(weight):
            raise UsageError(f"the weight of {name!r} must be a finite number, not {weight}")
    return [float(weights.get(name, 0.0)) for name in features]


def significant(
    table: PhraseTableFile,
    bitext: Bitext,
    threshold: Literal["strict", "lenient"] | float,
    threads: int = 1,
    progress: Progress = SILENT,
) -> NDArray[np.uint8]:
    """Which rows pass Fisher's exact test (Johnson et al. 2007), for :func:`rewrite`.

    The threshold is a value of -ln p, or "strict" (the paper's alpha plus epsilon), which drops
    the pairs that occur once of phrases that occur once, or "lenient" (alpha minus epsilon),
    which keeps them.
    """
    if threshold == "strict":
        least = math.log(max(1, len(bitext))) + EPSILON
    elif threshold == "lenient":
        least = math.log(max(1, len(bitext))) - EPSILON
    else:
        least = float(threshold)
    with progress.task("testing significance", total=len(table), unit="phrase pairs") as task:
        values = table.significances(bitext.native, threads)
        task.advance(len(table))
    return (values >= least).astype(np.uint8)


def rewrite(
    table: PhraseTableFile,
    path: str | Path,
    *,
    weights: Mapping[str, float] | None = None,
    columns: Mapping[str, NDArray[np.float32]] | None = None,
    keep: NDArray[np.uint8] | None = None,
    limit: int = 0,
    quantise: bool = False,
    bilingual: NDArray[np.int32] | None = None,
    bilingual_words: int = 0,
    reordering: NDArray[np.float32] | None = None,
    counts: NDArray[np.float32] | None = None,
    progress: Progress = SILENT,
) -> int:
    """Write `table` to `path` anew; returns the number of phrase pairs.

    `weights` sort the options of each source phrase by falling estimated score (None keeps the
    order); `columns` are further features, a value for each row, or replace those of their name;
    `keep` is 0 for rows to leave out; `limit` bounds the options of a source phrase; `quantise`
    stores scores in a byte; `bilingual` are the tokens of every target word of every row.
    `reordering` (six scores of each reordering model) and `counts` (of the pair, its source, its
    target) take the place of what the rows have.
    """
    if limit < 0:
        raise UsageError(f"limit must not be negative, not {limit}")
    columns = columns or {}
    order: list[float] = []
    if weights is not None:
        added = [name for name in columns if name not in table.features]
        order = sort_weights([*table.features, *added], weights)
    with written_whole(Path(path)) as temporary:
        rewriter = PhraseTableRewriter(
            table,
            str(temporary),
            sort_weights=order,
            column_names=list(columns),
            columns=[
                np.ascontiguousarray(values, dtype=np.float32) for values in columns.values()
            ],
            keep=keep,
            limit=limit,
            quantise=quantise,
            bilingual=bilingual,
            bilingual_words=bilingual_words,
            reordering=None if reordering is None else _flat(reordering),
            counts=None if counts is None else _flat(counts),
        )
        with progress.task("rewriting phrases", total=len(table), unit="phrase pairs") as task:
            done, written = False, 0
            while not done:
                done = rewriter.run()
                task.advance(rewriter.written - written)
                written = rewriter.written
    return written


def _flat(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(values, dtype=np.float32).reshape(-1)
