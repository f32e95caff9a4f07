"""A model opened for translating: everything is mapped, and looked through once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from dragoman._core import Tokens, TranslationModel
from dragoman.errors import InputError, ModelError
from dragoman.model.directory import ModelDirectory
from dragoman.model.files import ModelFiles
from dragoman.model.weights import Vector, default_values, load_weights
from dragoman.unknown.sources import FEATURES, Sources


@dataclass(frozen=True)
class Bundle:
    """A model and its weights."""

    native: TranslationModel
    values: Sequence[float]  # the weights, as those need them who do not compute with them
    tuned: bool = False  # whether the weights come from the model or are defaults
    sources: Sources | None = None  # of translations for words never seen
    files: ModelFiles | None = None  # that are mapped

    def __reduce__(self) -> tuple[Callable[..., Bundle], tuple[Any, ...]]:
        """To other processes it travels as the names of its files."""
        if self.files is None:
            raise TypeError("a model that was not opened from files cannot be sent")
        files = self.files.absolute()
        return _opened_again, (files, files.stamp())

    @cached_property
    def weights(self) -> Vector:
        """One weight for each feature."""
        import numpy as np

        return np.array(self.values, dtype=np.float64)

    @property
    def hierarchical(self) -> bool:
        """Whether it has rules with gaps, for a chart search; else phrases."""
        return self.native.hierarchical

    @property
    def features(self) -> list[str]:
        """The names of the features, in the order of weights and values."""
        return self.native.features

    def named_weights(self) -> dict[str, float]:
        """The weights by the names of their features."""
        return dict(zip(self.features, self.values, strict=True))

    @classmethod
    def open(
        cls,
        model: str | Path | ModelDirectory,
        *,
        weights: str | Path | None = None,
        verify: bool = True,
    ) -> Bundle:
        """Open a model directory; `weights` names a file to use instead of its own.

        The sorted table is thinned out under the model's own weights; with others, the whole one
        is used. Everything is read once and compared with its checksum; without `verify`, which
        is for files that this process has just written, only headers are.
        """
        files = ModelDirectory.of(model).model_files(full_table=weights is not None)
        if weights is not None:
            files = replace(files, weights=Path(weights))
        return cls.of_files(files, verify=verify)

    @classmethod
    def of_files(cls, files: ModelFiles, *, verify: bool = True) -> Bundle:
        """Map these files; without a file of weights, they are the default ones."""
        names = ["lm", *(f"lm.{number}" for number in range(2, len(files.language_models) + 1))]
        sequences = [
            (name, str(path), Tokens.WORDS)
            for name, path in zip(names, files.language_models, strict=False)
        ]
        if files.class_model is not None:
            sequences.append(("lm.classes", str(files.class_model), Tokens.CLASSES))
        if files.bilingual_model is not None:
            sequences.append(("bilm", str(files.bilingual_model), Tokens.BILINGUAL))
        sources = None
        if files.unknown:
            sources = Sources.open(
                files.unknown, files.table, files.source_vocabulary, files.target_vocabulary
            )
        try:
            native = TranslationModel(
                phrase_table=str(files.table),
                source_vocabulary=str(files.source_vocabulary),
                target_vocabulary=str(files.target_vocabulary),
                sequences=sequences,
                bilingual_vocabulary=str(files.bilingual_vocabulary or ""),
                word_classes=str(files.word_classes or ""),
                context=str(files.context or ""),
                sources=list(FEATURES) if sources is not None else [],
                verify=verify,
            )
        except InputError as problem:
            raise ModelError(str(problem)) from problem
        if files.weights is None:
            return cls(native, default_values(native.features), sources=sources, files=files)
        weights = load_weights(files.weights, native.features)
        return cls(native, weights, tuned=True, sources=sources, files=files)


@lru_cache(maxsize=2)
def _opened_again(files: ModelFiles, stamp: tuple[tuple[int, int], ...]) -> Bundle:
    """The same as another process has opened; `stamp` tells one writing of the files from the
    next."""
    del stamp
    return Bundle.of_files(files)
