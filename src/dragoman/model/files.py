"""The files that a search needs of a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman import layout


@dataclass(frozen=True)
class ModelFiles:
    """What a search needs."""

    table: Path
    source_vocabulary: Path
    target_vocabulary: Path
    language_models: tuple[Path, ...] = ()  # features lm, lm.2, lm.3, ...
    class_model: Path | None = None
    word_classes: Path | None = None
    bilingual_model: Path | None = None
    bilingual_vocabulary: Path | None = None
    context: Path | None = None
    weights: Path | None = None
    unknown: tuple[Path, ...] = ()  # sources of translations for words never seen

    @classmethod
    def of(
        cls, names: Sequence[str], place: Callable[[str], Path], weights: Path | None = None
    ) -> ModelFiles:
        """The files of these names (see Shape.search_files) where `place` says they are."""
        table, source, target, *others = names

        def found(name: str) -> Path | None:
            return place(name) if name in others else None

        return cls(
            place(table),
            place(source),
            place(target),
            tuple(place(name) for name in others if layout.is_language_model(name)),
            found(layout.CLASS_MODEL),
            found(layout.WORD_CLASSES),
            found(layout.BILINGUAL_MODEL),
            found(layout.BILINGUAL_VOCABULARY),
            found(layout.CONTEXT_LEXICON),
            weights,
            tuple(place(name) for name in layout.UNKNOWN_FILES if name in others),
        )

    def paths(self) -> list[Path]:
        """All of them."""
        one = (self.table, self.source_vocabulary, self.target_vocabulary, *self.language_models)
        others = (
            self.class_model,
            self.word_classes,
            self.bilingual_model,
            self.bilingual_vocabulary,
            self.context,
            self.weights,
        )
        return [*one, *(path for path in others if path is not None), *self.unknown]

    def absolute(self) -> ModelFiles:
        """The same for a process that runs elsewhere."""

        def place(path: Path | None) -> Path | None:
            return path.absolute() if path is not None else None

        return ModelFiles(
            self.table.absolute(),
            self.source_vocabulary.absolute(),
            self.target_vocabulary.absolute(),
            tuple(path.absolute() for path in self.language_models),
            place(self.class_model),
            place(self.word_classes),
            place(self.bilingual_model),
            place(self.bilingual_vocabulary),
            place(self.context),
            place(self.weights),
            tuple(path.absolute() for path in self.unknown),
        )

    def stamp(self) -> tuple[tuple[int, int], ...]:
        """Sizes and times of the files, which change when they are written anew."""
        found = (path.stat() for path in self.paths())
        return tuple((status.st_size, status.st_mtime_ns) for status in found)
