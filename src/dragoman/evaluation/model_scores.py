"""How good is a model: it translates a test set, and the metrics say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman._core import Vocabulary
from dragoman.arguments import shown, strings
from dragoman.errors import InputError
from dragoman.evaluation.metric import ALL_METRICS, MetricName
from dragoman.evaluation.scores import Scores, evaluate
from dragoman.evaluation.unknown_words import UnknownWords, find_unknown
from dragoman.layout import SOURCE_VOCABULARY
from dragoman.progress import SILENT, Progress
from dragoman.search.engine import BATCH
from dragoman.translation.translator import Translator

EXAMPLES = 20


@dataclass(frozen=True)
class ModelScores:
    """What a model made of a test set."""

    scores: Scores
    translations: list[str]
    unknown: UnknownWords

    def __str__(self) -> str:
        return f"{self.scores}\n{self.unknown}"


def translated_test(
    translator: Translator,
    sources: Sequence[str],
    vocabulary: Vocabulary,
    *,
    examples: int = EXAMPLES,
    progress: Progress = SILENT,
) -> tuple[list[str], UnknownWords]:
    """The translation of each line, empty where there is none, and the words nobody knew."""
    translations: list[str] = []
    tokens: list[list[str]] = []
    with progress.task("translating", total=len(sources), unit="sentences") as task:
        for begin in range(0, len(sources), BATCH):
            batch = [translator.source_of(line) for line in sources[begin : begin + BATCH]]
            for found in translator.find(batch):
                translations.append(found.best.text.replace("\n", " "))
                tokens.append(found.prepared.line.source.tokens)
            task.advance(len(batch))
    return translations, find_unknown(tokens, sources, vocabulary, examples=examples)


def translated_by_model(
    model: str | Path | Translator,
    sources: Sequence[str],
    *,
    threads: int = 1,
    progress: Progress = SILENT,
) -> tuple[list[str], UnknownWords]:
    """The same with a model and its own vocabulary."""
    opened = model if isinstance(model, Translator) else Translator.open(model, threads=threads)
    opened.check_trees()
    vocabulary = Vocabulary.open(str(opened.directory.file(SOURCE_VOCABULARY)))
    return translated_test(opened, sources, vocabulary, progress=progress)


def evaluate_model(
    model: str | Path | Translator,
    sources: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    *,
    baseline: str | Path | Translator | Sequence[str] | None = None,
    metrics: Sequence[MetricName] = ALL_METRICS,
    lowercase: bool = False,
    tokenize: str = "13a",
    trials: int = 1000,
    seed: int = 1,
    threads: int = 1,
    progress: bool | Progress = False,
) -> ModelScores:
    """Translate `sources`, a sentence each, with a model and score what comes out.

    `baseline` is another model, or its translations as a list; each score then comes with a test
    of significance. The rest is as in :func:`dragoman.evaluate`.

    >>> print(dragoman.evaluate_model("model", sources, references))
    """
    lines = strings(sources, "sources")
    bar = shown(progress)
    rivals: list[str] | None = None
    if isinstance(baseline, str | Path | Translator):
        rivals, _ = translated_by_model(baseline, lines, threads=threads, progress=bar)
    elif baseline is not None:
        rivals = list(strings(baseline, "baseline"))
        if len(rivals) != len(lines):
            raise InputError(f"{len(lines):,} sources but {len(rivals):,} lines in the baseline")
    said, unknown = translated_by_model(model, lines, threads=threads, progress=bar)
    scores = evaluate(
        said,
        references,
        metrics=metrics,
        baseline=rivals,
        lowercase=lowercase,
        tokenize=tokenize,
        trials=trials,
        seed=seed,
    )
    return ModelScores(scores, said, unknown)
