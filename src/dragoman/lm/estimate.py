"""Text in, a smoothed language model out.

Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998) by the definition of KenLM's
lmplz: without pruning, both give the same n-grams, probabilities and back-offs. Where the
discounts of an order cannot be estimated, as with little or artificial text, that order takes
`fallback` and a message says so.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, BinaryIO

from dragoman._core import EstimateOptions, LmEstimator
from dragoman.corpus.read.lines import open_bytes
from dragoman.errors import InputError, UsageError
from dragoman.files import require_place, written_whole
from dragoman.lm.memory import physical_memory
from dragoman.lm.query import LanguageModel
from dragoman.progress import SILENT, Progress, Task

MAX_ORDER = 8
FALLBACK = (0.5, 1.0, 1.5)  # as lmplz --discount_fallback
_PIECE = 1 << 22  # bytes read at once
_BATCH = 10_000  # lines joined at once
_MERGE = 1_000_000  # n-grams merged between two looks at Ctrl-C


@dataclass(frozen=True)
class Discounts:
    """What is taken off the counts 1, 2, and 3 or more of an order."""

    one: float
    two: float
    more: float
    # Why they are the fall-back; empty when they were estimated.
    fallback_reason: str = ""


@dataclass(frozen=True)
class Estimate:
    """What was estimated from what."""

    path: Path
    order: int
    tokens: int
    sentences: int
    counts: tuple[int, ...]  # n-grams of each order in the model
    discounts: tuple[Discounts, ...]  # of each order of the text
    skipped: int  # <s>, </s> and <unk> found in the text and left out
    spilled: int  # bytes of counts that went through files


def estimate(
    texts: str | Path | Sequence[str | Path | BinaryIO],
    output: str | Path,
    *,
    order: int = 5,
    prune: Sequence[int] = (0,),
    fallback: tuple[float, float, float] = FALLBACK,
    memory: int | None = None,
    spool: str | Path | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Estimate:
    """Estimate a model from files of tokenised text, one sentence a line, perhaps compressed.

    A text may also be an open binary file, e.g. ``sys.stdin.buffer``.

    `prune` holds a threshold per order, the last one also for higher orders: n-grams seen so
    often or less are left out. Above `memory` bytes (default: half of what the machine has),
    counts and tables go through unnamed files in `spool`; the model is the same.
    """
    if isinstance(texts, str | Path):
        texts = [texts]
    if not texts:
        raise UsageError("no text given to estimate a language model from")
    sources = (
        (str(text), _pieces_of_file(Path(text)))
        if isinstance(text, str | Path)
        else (str(getattr(text, "name", "text")), _pieces_of_stream(text))
        for text in texts
    )
    settings = _Settings(order, prune, fallback, memory, spool, threads)
    return _estimate(sources, Path(output), settings, progress)


def estimate_from_lines(
    lines: Iterable[str],
    output: str | Path,
    *,
    order: int = 5,
    prune: Sequence[int] = (0,),
    fallback: tuple[float, float, float] = FALLBACK,
    memory: int | None = None,
    spool: str | Path | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
    name: str = "text",
) -> Estimate:
    """The same from lines in memory or from a generator; `name` appears in error messages."""
    settings = _Settings(order, prune, fallback, memory, spool, threads)
    return _estimate([(name, _pieces_of_lines(lines))], Path(output), settings, progress)


@dataclass(frozen=True)
class _Settings:
    order: int
    prune: Sequence[int]
    fallback: tuple[float, float, float]
    memory: int | None
    spool: str | Path | None
    threads: int

    def estimator(self) -> LmEstimator:
        if not 1 <= self.order <= MAX_ORDER:
            raise UsageError(f"the order must lie between 1 and {MAX_ORDER}, not {self.order}")
        if self.threads < 1:
            raise UsageError(f"threads must be at least 1, not {self.threads}")
        if any(not 0 <= threshold < 2**31 for threshold in self.prune):
            raise UsageError(f"pruning thresholds must not be negative: {list(self.prune)}")
        memory = self.memory if self.memory is not None else physical_memory() // 2
        if memory < 1:
            raise UsageError(f"memory must be positive, not {memory}")
        spool = str(self.spool) if self.spool is not None else tempfile.gettempdir()
        try:
            return LmEstimator(
                EstimateOptions(
                    order=self.order,
                    prune=self.prune,
                    fallback=self.fallback,
                    memory=memory,
                    spool=spool,
                    threads=self.threads,
                )
            )
        except InputError as problem:
            raise UsageError(str(problem)) from problem


def _estimate(
    sources: Iterable[tuple[str, Iterable[bytes]]],
    output: Path,
    settings: _Settings,
    progress: Progress,
) -> Estimate:
    require_place(output)
    estimator = settings.estimator()
    with progress.task("counting n-grams", unit="words") as task:
        for name, pieces in sources:
            _count(estimator, name, pieces, task)
    if estimator.tokens == 0:
        raise InputError("no words in the text; a language model needs some")
    with progress.task("merging counts", unit="M n-grams") as task:
        while estimator.merge(_MERGE):
            task.advance()
    if estimator.skipped:
        progress.message(
            f"left out {estimator.skipped:,} <s>, </s> or <unk> in the text: these names are "
            "reserved"
        )
    if estimator.order < settings.order:
        progress.message(
            f"no sentence is long enough for {settings.order}-grams; the model has order "
            f"{estimator.order}"
        )
    discounts = tuple(
        Discounts(found.one, found.two, found.more, found.fallback_reason)
        for found in map(estimator.discounts, range(1, estimator.order + 1))
    )
    _tell_fallbacks(discounts, progress)
    with progress.task("smoothing", total=estimator.order, unit="orders") as task:
        for k in range(1, estimator.order + 1):
            estimator.smooth(k)
            task.advance()
    with written_whole(output) as temporary:
        estimator.write(str(temporary))
    model = LanguageModel.open(output)
    return Estimate(
        path=output,
        order=model.order,
        tokens=estimator.tokens,
        sentences=estimator.sentences,
        counts=model.counts,
        discounts=discounts,
        skipped=estimator.skipped,
        spilled=estimator.spilled,
    )


def _count(estimator: LmEstimator, name: str, pieces: Iterable[bytes], task: Task) -> None:
    estimator.begin_file(name)
    for piece in pieces:
        before = estimator.tokens
        estimator.add(piece)
        task.advance(estimator.tokens - before)
    estimator.end_file()


def _tell_fallbacks(discounts: Sequence[Discounts], progress: Progress) -> None:
    for order, values in enumerate(discounts, 1):
        if values.fallback_reason:
            progress.message(
                f"discounts of order {order} cannot be estimated ({values.fallback_reason}); "
                f"using {values.one:g}, {values.two:g}, {values.more:g}"
            )


def _pieces_of_file(path: Path) -> Iterator[bytes]:
    with open_bytes(path) as stream:
        yield from _pieces_of_stream(stream)


def _pieces_of_stream(stream: IO[bytes]) -> Iterator[bytes]:
    while piece := stream.read(_PIECE):
        yield piece


def _pieces_of_lines(lines: Iterable[str]) -> Iterator[bytes]:
    iterator = iter(lines)
    while batch := list(islice(iterator, _BATCH)):
        # A line may come with its end or without; inside it, an end would make two sentences.
        text = "".join(f"{line.removesuffix(chr(10))}\n" for line in batch)
        try:
            yield text.encode()
        except UnicodeEncodeError as problem:
            raise InputError(f"text that is no Unicode: {problem}") from problem
