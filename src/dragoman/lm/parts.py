"""Counting the n-grams of a text part by part, wherever the parts are worked on.

First the words of each part are collected, and put together in the order of the parts: that
numbers them as in one text. Then each part is counted with these numbers, and what was counted is
put away sorted, as it is when memory is short; merging it gives what one text would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman._core import EstimateOptions, LmEstimator
from dragoman.crew import Crew, Part
from dragoman.files import written_whole
from dragoman.lm.texts import Text
from dragoman.progress import Progress, Task


@dataclass(frozen=True)
class PartCounter:
    """Counts parts; what is large goes through files in `place`."""

    place: Path
    order: int
    memory: int

    def estimator(self, order: int, threads: int) -> LmEstimator:
        """One that counts n-grams of this order."""
        return LmEstimator(
            EstimateOptions(
                order=order, memory=self.memory, spool=str(self.place), threads=threads
            )
        )

    def file(self, name: str, number: int) -> Path:
        """A file of one part."""
        return self.place / f"{name}.{number:06}"


@dataclass(frozen=True)
class NumberedText:
    """A part of the text."""

    number: int
    text: Text


def count_text(estimator: LmEstimator, text: Text, task: Task | None = None) -> None:
    """Count a text that nobody else has."""
    estimator.begin_file(text.name, text.lines_before)
    for piece in text.pieces():
        before = estimator.tokens
        estimator.add(piece)
        if task is not None:
            task.advance(estimator.tokens - before)
    estimator.end_file()


def collect_words(counter: PartCounter, part: NumberedText, threads: int) -> Path:
    """Write the words of a part in the order in which they come."""
    estimator = counter.estimator(1, threads)
    count_text(estimator, part.text)
    return _written(counter.file("words", part.number), estimator.put_away_words)


def count_ngrams(counter: PartCounter, part: NumberedText, threads: int) -> tuple[Path, int]:
    """Write the n-grams of a part, which has so many words."""
    estimator = counter.estimator(counter.order, threads)
    estimator.take_up_words(str(counter.place / "words"))
    count_text(estimator, part.text)
    tokens = estimator.tokens
    return _written(counter.file("counts", part.number), estimator.put_away), tokens


def count_in_parts(
    estimator: LmEstimator,
    counter: PartCounter,
    texts: Sequence[Text],
    crew: Crew,
    progress: Progress,
) -> None:
    """Let `estimator` have counted all texts."""
    parts = [
        Part(
            f"part {number:,} of the text, from {text.name}:{text.lines_before + 1:,} on",
            NumberedText(number, text),
        )
        for number, text in enumerate(texts, 1)
    ]
    with progress.task("collecting words", total=len(parts), unit="parts") as task:
        for path in crew.run(collect_words, counter, parts, task):
            estimator.take_up_words(str(path))
            path.unlink()
            task.advance()
    words = _written(counter.place / "words", estimator.put_away_words)
    with progress.task("counting n-grams", unit="words") as task:
        for path, tokens in crew.run(count_ngrams, counter, parts, task):
            estimator.take_up(str(path))
            path.unlink()  # mapped: it is there as long as it is needed
            task.advance(tokens)
    words.unlink()


def _written(path: Path, put_away: Callable[[str], None]) -> Path:
    with written_whole(path) as temporary:
        put_away(str(temporary))
    return path
