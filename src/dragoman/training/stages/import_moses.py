"""The stage that takes over a Moses model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.layout import (
    PHRASES,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    WEIGHTS,
    language_model_file,
)
from dragoman.lm.arpa import read_arpa
from dragoman.rules.moses import import_tables
from dragoman.text.config import TextConfig
from dragoman.training.pipeline import Stage, StageContext

_REORDERING = " reordering table"


@dataclass(frozen=True)
class MosesImport:
    """Takes over tables and weights of Moses."""

    weights: dict[str, float] = field(default_factory=dict)
    # How its text is cut into tokens; None: nobody has said.
    text: TextConfig | None = None


def import_stage(
    phrase_table: Path,
    reordering: Mapping[str, Path],
    language_models: Sequence[Path],
    weights: Mapping[str, float],
    text: TextConfig | None = None,
) -> Stage:
    """The stage that reads these tables and ARPA files; `text`: how text is cut into tokens."""
    inputs = {"phrase table": phrase_table}
    inputs |= {f"{model}{_REORDERING}": path for model, path in reordering.items()}
    inputs |= {f"language model {n}": path for n, path in enumerate(language_models, 1)}
    # Weights of language models that are not taken over have nothing to weigh.
    names = {"lm" if n == 1 else f"lm.{n}" for n in range(1, len(language_models) + 1)}
    kept = {
        name: value
        for name, value in weights.items()
        if name in names or not (name == "lm" or name.startswith("lm."))
    }

    outputs = [PHRASES, SOURCE_VOCABULARY, TARGET_VOCABULARY]
    outputs += [language_model_file(n) for n in range(1, len(language_models) + 1)]
    if kept:
        outputs.append(WEIGHTS)
    return Stage("import-moses", MosesImport(kept, text), inputs, tuple(outputs), _run)


def _run(context: StageContext) -> None:
    import tomli_w

    weights: dict[str, float] = context.config.weights
    reordering = {
        name.removesuffix(_REORDERING): path
        for name, path in context.inputs("").items()
        if name.endswith(_REORDERING)
    }
    count, missing = import_tables(
        context.input("phrase table"),
        reordering,
        context.output(PHRASES),
        context.output(SOURCE_VOCABULARY),
        context.output(TARGET_VOCABULARY),
        weights=weights or None,
        progress=context.progress,
    )
    for number, path in enumerate(context.inputs("language model ").values(), 1):
        read_arpa(
            path,
            context.output(language_model_file(number)),
            threads=context.threads,
            progress=context.progress,
        )
    if weights:
        context.output(WEIGHTS).write_text(tomli_w.dumps(weights), "utf-8")
    context.progress.message(f"{count:,} phrase pairs")
    if missing:
        context.progress.message(
            f"{missing:,} of them have no reordering entry and get equal probabilities"
        )
