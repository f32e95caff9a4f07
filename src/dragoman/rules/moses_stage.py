"""The stage that takes over a Moses model."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.corpus.prepare import SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.errors import ModelError
from dragoman.pipeline import Stage, StageContext
from dragoman.rules.moses import import_tables
from dragoman.rules.stage import PHRASES
from dragoman.workspace import Workspace

WEIGHTS = "rules/moses-weights.toml"


@dataclass(frozen=True)
class MosesImport:
    """What a Moses model says beside its tables."""

    weights: dict[str, float] = field(default_factory=dict)


def import_stage(
    phrase_table: Path, reordering: Mapping[str, Path], weights: Mapping[str, float]
) -> Stage:
    """The stage that reads these tables."""
    inputs = {"phrase table": phrase_table}
    inputs |= {f"{model} reordering table": path for model, path in reordering.items()}

    def run(context: StageContext) -> None:
        import tomli_w

        count, missing = import_tables(
            context.input("phrase table"),
            {model: context.input(f"{model} reordering table") for model in reordering},
            context.output(PHRASES),
            context.output(SOURCE_VOCABULARY),
            context.output(TARGET_VOCABULARY),
            weights=weights or None,
            progress=context.progress,
        )
        context.output(WEIGHTS).write_text(tomli_w.dumps(dict(weights)), "utf-8")
        context.progress.message(f"{count:,} phrase pairs")
        if missing:
            context.progress.message(
                f"{missing:,} of them have no reordering entry and get equal probabilities"
            )

    outputs = (PHRASES, SOURCE_VOCABULARY, TARGET_VOCABULARY, WEIGHTS)
    return Stage("import-moses", MosesImport(dict(weights)), inputs, outputs, run)


def read_weights(model: str | Path) -> dict[str, float]:
    """The weights that came with an imported model; none for others."""
    path = Workspace(model).file(WEIGHTS)
    if not path.is_file():
        return {}
    try:
        content = tomllib.loads(path.read_text("utf-8"))
        return {name: float(value) for name, value in content.items()}
    except (tomllib.TOMLDecodeError, TypeError, ValueError) as problem:
        raise ModelError(f"{path}: damaged: {problem}") from problem
