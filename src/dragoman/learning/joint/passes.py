"""What joint training does with the whole text, in parts, wherever they are worked on.

The process that learns has everything in memory. Others open the same from files of its
directory, which hold the text, the word translation probabilities and the rules that stand; with
them they find exactly what it would find itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman._core import (
    FoundRules,
    JointOptions,
    JointTrainer,
    LexicalTable,
    ParallelText,
    RuleTableOptions,
    TranslationModel,
    Vocabulary,
)
from dragoman.corpus.bitext import SentenceIds
from dragoman.files import written_whole
from dragoman.learning.joint.config import JointConfig
from dragoman.lm.estimate import estimate_from_lines
from dragoman.lm.query import LanguageModel
from dragoman.model.bundle import Bundle
from dragoman.model.files import ModelFiles
from dragoman.search.options import SearchOptions
from dragoman.search.stack import PhraseSearch

Vector = NDArray[np.float64]
Lexicon = tuple[LexicalTable, LexicalTable]

# Less probable uses of a rule are not worth the memory.
MIN_POSTERIOR = 1e-4

_LEXICON = ("forward", "backward")
_SIDES = ("source", "target")


@dataclass(frozen=True)
class FilesBesideTable:
    """What a translation model has beside its phrase table."""

    source_vocabulary: Path
    target_vocabulary: Path
    language_model: Path

    def absolute(self) -> FilesBesideTable:
        """The same for a process that runs elsewhere."""
        return FilesBesideTable(
            self.source_vocabulary.absolute(),
            self.target_vocabulary.absolute(),
            self.language_model.absolute(),
        )

    def with_table(self, table: Path, language_model: Path | None = None) -> ModelFiles:
        """Those of the model with this phrase table, and perhaps another language model."""
        models = (language_model or self.language_model,)
        return ModelFiles(table, self.source_vocabulary, self.target_vocabulary, models)

    def open(self, table: Path, language_model: Path | None = None) -> TranslationModel:
        """That model."""
        return Bundle.of_files(self.with_table(table, language_model)).native


def joint_options(config: JointConfig, limits: SearchOptions) -> JointOptions:
    """What a trainer is told."""
    return JointOptions(
        max_length=config.max_length,
        k=config.k,
        folds=config.folds,
        forced_beam=config.forced_beam,
        null_rules=config.null_rules,
        distortion_limit=limits.distortion_limit,
        gap_limit=limits.gap_limit,
    )


@dataclass(frozen=True)
class Material:
    """What is learnt from."""

    source: SentenceIds
    target: SentenceIds
    lexicon: Lexicon

    def save(self, place: Path) -> None:
        """Into files that others open; those that are there already hold the same."""
        for name, table in zip(_LEXICON, self.lexicon, strict=True):
            for path in _missing(place / name):
                table.save(str(path))
        for side, text in zip(_SIDES, (self.source, self.target), strict=True):
            for name, array in (("ids", text.ids), ("offsets", text.offsets)):
                for path in _missing(place / f"{side}.{name}.npy"):
                    with path.open("wb") as file:
                        np.save(file, array)

    @classmethod
    def open(cls, place: Path) -> Material:
        """Map the files."""
        sides = [
            SentenceIds(
                np.load(place / f"{side}.ids.npy", mmap_mode="r"),
                np.load(place / f"{side}.offsets.npy", mmap_mode="r"),
            )
            for side in _SIDES
        ]
        tables = [LexicalTable.open(str(place / name)) for name in _LEXICON]
        return cls(sides[0], sides[1], (tables[0], tables[1]))

    def trainer(self, config: JointConfig, limits: SearchOptions) -> JointTrainer:
        """One that knows no rules yet."""
        text = ParallelText(self.source.native, self.target.native)
        return JointTrainer(text, *self.lexicon, joint_options(config, limits))


def _missing(path: Path) -> Iterator[Path]:
    """Where to write a file, if it is not there yet."""
    if not path.exists():
        with written_whole(path) as temporary:
            yield temporary


class Workplace:
    """A trainer and what it works with.

    To other processes it travels as the names of files in `place`, of which `rules` holds the
    standing ones; empty: there are none yet.
    """

    def __init__(
        self,
        place: Path,
        config: JointConfig,
        limits: SearchOptions,
        files: FilesBesideTable,
        rules: str,
        own: tuple[Material, JointTrainer, Sequence[TranslationModel]] | None = None,
    ) -> None:
        self.place, self.config, self.limits = place, config, limits
        self.files, self._rules, self._own = files, rules, own

    def __reduce__(self) -> tuple[type[Workplace], tuple[Any, ...]]:
        files = self.files.absolute()
        return Workplace, (self.place.absolute(), self.config, self.limits, files, self._rules)

    @cached_property
    def material(self) -> Material:
        """The whole text."""
        return self._own[0] if self._own is not None else Material.open(self.place)

    @cached_property
    def trainer(self) -> JointTrainer:
        """It knows the standing rules."""
        if self._own is not None:
            return self._own[1]
        trainer = self.material.trainer(self.config, self.limits)
        if self._rules:
            trainer.load_rules(str(self.place / self._rules))
        return trainer

    @cached_property
    def models(self) -> Sequence[TranslationModel]:
        """For the pairs of each fold, one that has not seen them."""
        if self._own is not None:
            return self._own[2]
        if self.config.folds == 1:
            return [self.files.open(self.place / "current.table")]
        return [self.fold_model(fold) for fold in range(self.config.folds)]

    def fold_model(self, fold: int) -> TranslationModel:
        """The model that has not seen the pairs of a fold."""
        return self.files.open(self.fold_table(fold), self.fold_language_model(fold))

    def fold_table(self, fold: int) -> Path:
        """Its phrase table."""
        return self.place / f"fold{fold}.table"

    def fold_language_model(self, fold: int) -> Path:
        """Its language model."""
        return self.place / f"fold{fold}.lm"

    def write_table(self, path: Path, without: int | None = None) -> int:
        """The standing rules as a phrase table, perhaps without those of a fold; returns how
        many there are."""
        config = self.config
        with written_whole(path) as temporary:
            return self.trainer.write_table(
                str(temporary),
                RuleTableOptions(
                    min_count=config.min_count,
                    without=without,
                    limit=config.options,
                    sparse=config.sparse,
                    source_words=len(Vocabulary.open(str(self.files.source_vocabulary))),
                    target_words=len(Vocabulary.open(str(self.files.target_vocabulary))),
                ),
            )


@dataclass(frozen=True)
class ForcedPairs:
    """Some sentence pairs to be decoded by force."""

    begin: int
    end: int
    weights: Vector
    # Where what is found goes; None: it is wanted at once.
    file: Path | None = None


def find_rules(work: Workplace, pairs: ForcedPairs, threads: int) -> FoundRules | None:
    """The rules of the derivations of some pairs."""
    found = work.trainer.find(
        pairs.begin, pairs.end, pairs.weights, work.config.scale, MIN_POSTERIOR, threads
    )
    if pairs.file is None:
        return found
    with written_whole(pairs.file) as temporary:
        found.save(str(temporary))
    return None


def write_fold(work: Workplace, fold: int, threads: int) -> None:
    """Write the files of the model that has not seen the pairs of a fold; its language model is
    the same in all iterations."""
    language_model, text = work.fold_language_model(fold), work.material.target
    if not language_model.exists():
        vocabulary = Vocabulary.open(str(work.files.target_vocabulary))
        lines = (
            vocabulary.decode(text[index])
            for index in range(len(text))
            if index % work.config.folds != fold
        )
        with written_whole(language_model) as temporary:
            estimate_from_lines(
                lines,
                temporary,
                order=LanguageModel.open(work.files.language_model).order,
                spool=work.place,
                threads=threads,
            )
    work.write_table(work.fold_table(fold), without=fold)


@dataclass(frozen=True)
class Lesson:
    """Some pairs of one fold to learn from with the same weights."""

    fold: int
    pairs: NDArray[np.uint32]
    least_count: float
    weights: Vector
    options: SearchOptions


@dataclass(frozen=True)
class Lessons:
    """What was learnt from them."""

    difference: Vector  # summed
    reachable: int
    correct: int
    violations: int


def learn_from(work: Workplace, lesson: Lesson, threads: int) -> Lessons:
    """Where real decoding leaves the best forced derivations of some pairs."""
    found = work.trainer.learn(
        lesson.pairs,
        lesson.least_count,
        work.models[lesson.fold],
        lesson.weights,
        lesson.options.native(),
        threads,
    )
    return Lessons(found.difference, found.reachable, found.correct, found.violations)


def translate_lines(search: PhraseSearch, lines: list[str], threads: int) -> list[str]:
    """The best translations of some dev sentences; the search knows its threads."""
    del threads
    return search.translate(lines)
