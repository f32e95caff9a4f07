"""Translating with a model: lines in, translations out."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from dragoman._core import (
    ChartDecoder,
    Decoder,
    DecodeResult,
    DecodeWants,
    Demands,
    NbestArrays,
    OfferedTranslation,
    PhraseDecoder,
    decode_nbest,
)
from dragoman.errors import UsageError
from dragoman.model.bundle import Bundle
from dragoman.search.options import MOST_TRANSLATIONS, AnyOptions, SearchOptions
from dragoman.search.result import Totals, target_text

BATCH = 256  # sentences between two looks at the keyboard


class Search:
    """A model ready to translate with certain options.

    Keeps what it has learnt about phrases or rules from call to call. Calls from several threads
    go on at the same time, each with as many threads as asked for.
    """

    def __init__(
        self,
        bundle: Bundle,
        options: AnyOptions,
        *,
        weights: Iterable[float] | None = None,
        threads: int = 1,
    ) -> None:
        if threads < 1:
            raise UsageError(f"threads must be at least 1, not {threads}")
        self.bundle = bundle
        self.options = options
        self.weights = array("d", bundle.values if weights is None else weights)
        self.threads = threads
        self._sources = bundle.sources if options.unknown_sources else None
        self._decoder: Decoder = (
            PhraseDecoder(bundle.native, self.weights, options.native())
            if isinstance(options, SearchOptions)
            else ChartDecoder(bundle.native, self.weights, options.native())
        )

    def __reduce__(self) -> tuple[Callable[..., Search], tuple[Any, ...]]:
        """To other processes it travels as the model's files, options and weights."""
        return partial(type(self), weights=self.weights), (self.bundle, self.options)

    def decode(
        self,
        lines: Iterable[str],
        *,
        demands: Iterable[Demands | None] | None = None,
        references: Iterable[str] | None = None,
        nbest: int = 0,
        distinct: bool = False,
        graph: bool = False,
        graph_values: bool = False,
        features: bool = True,
        picture: bool = False,
        totals: Totals | None = None,
    ) -> Iterator[DecodeResult]:
        """Decode tokenised lines; results come in their order, in batches.

        `demands`: what the user asks of each line, None where that is nothing.
        `references`: forced decoding, only derivations of exactly these tokens. `nbest`, `graph`:
        also return n-best lists, hypergraphs; `picture`: also the stacks of the search. A line
        that cannot be translated has `error` set, or `found` not set; it does not stop the
        others.
        """
        _check_nbest(nbest)
        wants = DecodeWants(
            nbest=nbest,
            distinct=distinct,
            graph=graph,
            graph_values=graph_values,
            features=features,
            picture=picture,
        )
        all_demands = iter(demands) if demands is not None else None
        all_references = iter(references) if references is not None else None
        for batch in _batches(lines):
            begun = time.perf_counter()
            results = self._decoder.decode(
                batch,
                wants,
                demands=_take(all_demands, len(batch), "demands"),
                references=_take(all_references, len(batch), "references"),
                offers=self._offers(batch),
                threads=self.threads,
            )
            if totals is not None:
                totals.seconds += time.perf_counter() - begun
                for result in results:
                    totals.add(result)
            yield from results

    def decode_nbest(
        self, lines: Sequence[str], nbest: int, *, distinct: bool = False
    ) -> Iterator[NbestArrays]:
        """The n-best lists of tokenised lines without their derivations, in batches."""
        _check_nbest(nbest)
        for batch in _batches(lines):
            yield decode_nbest(
                self._decoder,
                batch,
                nbest=nbest,
                distinct=distinct,
                offers=self._offers(batch),
                threads=self.threads,
            )

    def _offers(self, lines: list[str]) -> list[list[OfferedTranslation] | None] | None:
        """What the model's sources offer for words that it does not know."""
        if self._sources is None:
            return None
        return self._sources.of_lines(self.bundle.native, lines)

    def translate(self, lines: Sequence[str]) -> list[str]:
        """The best translation of each tokenised line; empty where there is none."""
        return [
            target_text(result.best, self.options) if result.found else ""
            for result in self.decode(lines, features=False)
        ]


def _check_nbest(nbest: int) -> None:
    if not 0 <= nbest <= MOST_TRANSLATIONS:
        raise UsageError(f"nbest must lie between 0 and {MOST_TRANSLATIONS}, not {nbest}")


def _batches(lines: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _take(items: Iterator[Any] | None, count: int, what: str) -> list[Any] | None:
    if items is None:
        return None
    taken = [item for _, item in zip(range(count), items, strict=False)]
    if len(taken) != count:
        raise UsageError(f"fewer {what} than lines")
    return taken
