"""The stage that takes over a Moses model."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.corpus.prepare import SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.errors import ModelError
from dragoman.lm.stage import MODEL as LANGUAGE_MODEL
from dragoman.pipeline import Stage, StageContext
from dragoman.rules.moses import import_tables
from dragoman.rules.stage import PHRASES
from dragoman.workspace import Workspace

WEIGHTS = "weights.toml"


@dataclass(frozen=True)
class MosesImport:
    """What a Moses model says beside its files."""

    weights: dict[str, float] = field(default_factory=dict)


def language_model_file(number: int) -> str:
    """Where the language model of this number, from 1, lies in a model directory."""
    return LANGUAGE_MODEL if number == 1 else f"lm/extra.{number}.bin"


def import_stage(
    phrase_table: Path,
    reordering: Mapping[str, Path],
    language_models: Sequence[Path],
    weights: Mapping[str, float],
) -> Stage:
    """The stage that reads these tables and ARPA files."""
    inputs = {"phrase table": phrase_table}
    inputs |= {f"{model} reordering table": path for model, path in reordering.items()}
    inputs |= {f"language model {n}": path for n, path in enumerate(language_models, 1)}
    # Weights of language models that are not taken over have nothing to weigh.
    names = {"lm" if n == 1 else f"lm.{n}" for n in range(1, len(language_models) + 1)}
    kept = {
        name: value
        for name, value in weights.items()
        if name in names or not (name == "lm" or name.startswith("lm."))
    }

    def run(context: StageContext) -> None:
        import tomli_w

        from dragoman.lm.arpa import read_arpa

        count, missing = import_tables(
            context.input("phrase table"),
            {model: context.input(f"{model} reordering table") for model in reordering},
            context.output(PHRASES),
            context.output(SOURCE_VOCABULARY),
            context.output(TARGET_VOCABULARY),
            weights=kept or None,
            progress=context.progress,
        )
        for number in range(1, len(language_models) + 1):
            read_arpa(
                context.input(f"language model {number}"),
                context.output(language_model_file(number)),
                threads=context.threads,
                progress=context.progress,
            )
        if kept:
            context.output(WEIGHTS).write_text(tomli_w.dumps(kept), "utf-8")
        context.progress.message(f"{count:,} phrase pairs")
        if missing:
            context.progress.message(
                f"{missing:,} of them have no reordering entry and get equal probabilities"
            )

    outputs = [PHRASES, SOURCE_VOCABULARY, TARGET_VOCABULARY]
    outputs += [language_model_file(n) for n in range(1, len(language_models) + 1)]
    if kept:
        outputs.append(WEIGHTS)
    return Stage("import-moses", MosesImport(kept), inputs, tuple(outputs), run)


def read_weights(model: str | Path) -> dict[str, float]:
    """The weights of a model by feature name; none when it has no file of them."""
    path = Workspace(model).file(WEIGHTS)
    if not path.is_file():
        return {}
    try:
        content = tomllib.loads(path.read_text("utf-8"))
        return {name: float(value) for name, value in content.items()}
    except (tomllib.TOMLDecodeError, TypeError, ValueError) as problem:
        raise ModelError(f"{path}: damaged: {problem}") from problem
