"""Text in, a smoothed language model out.

Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998) by the definition of KenLM's
lmplz: without pruning, both give the same n-grams, probabilities and back-offs. Where the
discounts of an order cannot be estimated, as with little or artificial text, that order takes
`fallback` and a message says so.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from dragoman._core import EstimateOptions, LmEstimator
from dragoman.cluster import ClusterLike, crew_for
from dragoman.crew import Crew, Effort, Here
from dragoman.errors import InputError, UsageError
from dragoman.files import require_place, written_whole
from dragoman.lm.memory import physical_memory
from dragoman.lm.parts import PartCounter, count_in_parts, count_text
from dragoman.lm.query import LanguageModel
from dragoman.lm.texts import SPOOLED, StreamText, Text, spooled
from dragoman.progress import SILENT, Progress

MAX_ORDER = 8
FALLBACK = (0.5, 1.0, 1.5)  # as lmplz --discount_fallback
_MERGE = 1_000_000  # n-grams merged between two looks at Ctrl-C
A_BYTE = Effort(1e-7, threaded=True)  # what it takes to count it


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
    cluster: ClusterLike = None,
    progress: Progress = SILENT,
) -> Estimate:
    """Estimate a model from files of tokenised text, one sentence a line, perhaps compressed.

    A text may also be an open binary file, e.g. ``sys.stdin.buffer``.

    `prune` holds a threshold per order, the last one also for higher orders: n-grams seen so
    often or less are left out. Above `memory` bytes (default: half of what the machine has),
    counts and tables go through unnamed files in `spool`; the model is the same. `cluster` says
    who helps to count, as in :func:`dragoman.train`: all of them must see the folder of `output`.
    """
    if isinstance(texts, str | Path):
        texts = [texts]
    if not texts:
        raise UsageError("no text given to estimate a language model from")
    sources = (
        StreamText.of_file(Path(text))
        if isinstance(text, str | Path)
        else StreamText.of_stream(text)
        for text in texts
    )
    settings = Settings(order, prune, fallback, memory, spool, threads)
    output = Path(output)
    if cluster is None:
        return estimate_from_texts(sources, output, settings, progress=progress)
    require_place(output)
    with (
        crew_for(cluster, output.parent, threads=threads, progress=progress) as crew,
        tempfile.TemporaryDirectory(prefix=".dragoman-lm-", dir=output.parent) as place,
    ):
        parts = spooled(sources, Path(place))
        return estimate_from_texts(
            parts,
            output,
            settings,
            crew=crew.suited(len(parts) * SPOOLED * A_BYTE),
            place=Path(place),
            progress=progress,
        )


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
    settings = Settings(order, prune, fallback, memory, spool, threads)
    text = StreamText.of_lines(lines, name)
    return estimate_from_texts([text], Path(output), settings, progress=progress)


@dataclass(frozen=True)
class Settings:
    """How a model is estimated, as :func:`estimate` describes it."""

    order: int = 5
    prune: Sequence[int] = (0,)
    fallback: tuple[float, float, float] = FALLBACK
    memory: int | None = None
    spool: str | Path | None = None
    threads: int = 1

    @property
    def most_memory(self) -> int:
        """In bytes."""
        return self.memory if self.memory is not None else physical_memory() // 2

    def estimator(self) -> LmEstimator:
        """What counts, smooths and writes."""
        if not 1 <= self.order <= MAX_ORDER:
            raise UsageError(f"the order must lie between 1 and {MAX_ORDER}, not {self.order}")
        if self.threads < 1:
            raise UsageError(f"threads must be at least 1, not {self.threads}")
        if any(not 0 <= threshold < 2**31 for threshold in self.prune):
            raise UsageError(f"pruning thresholds must not be negative: {list(self.prune)}")
        memory = self.most_memory
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


def estimate_from_texts(
    texts: Iterable[Text],
    output: Path,
    settings: Settings,
    *,
    crew: Crew | None = None,
    place: Path | None = None,
    progress: Progress = SILENT,
) -> Estimate:
    """The same from texts one after the other. A crew of others counts those of a list, if there
    are several; they need a directory `place` that everybody sees."""
    require_place(output)
    estimator = settings.estimator()
    crew = crew if crew is not None else Here(settings.threads)
    if crew.elsewhere and place is not None and isinstance(texts, list) and len(texts) > 1:
        counter = PartCounter(place.absolute(), settings.order, settings.most_memory)
        count_in_parts(estimator, counter, texts, crew, progress)
    else:
        with progress.task("counting n-grams", unit="words") as task:
            for text in texts:
                count_text(estimator, text, task)
    if estimator.tokens == 0:
        raise InputError("no words in the text; a language model needs some")
    with progress.task("merging counts", unit="million n-grams") as task:
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


def _tell_fallbacks(discounts: Sequence[Discounts], progress: Progress) -> None:
    for order, values in enumerate(discounts, 1):
        if values.fallback_reason:
            progress.message(
                f"the discounts of {order}-grams cannot be estimated ({values.fallback_reason}); "
                f"using {values.one:g}, {values.two:g}, {values.more:g}"
            )
