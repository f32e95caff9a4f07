"""The stages that take the place of extraction and tuning in a re-estimated model (paper 002).

A trained model derives its own training bitext: freely, and of what it finds the derivations
nearest to the references are taken, or forced to give exactly the references, or both. From the
derivations the phrase table, the reordering models and the bilingual language model are
estimated anew, in place of the old ones or mixed with them.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from dragoman.errors import InputError, ModelError, UsageError
from dragoman.layout import (
    BILINGUAL_MODEL,
    BILINGUAL_VOCABULARY,
    BITEXT,
    DERIVATIONS,
    LINKS,
    PHRASES,
    PREORDERED_BITEXT,
    REESTIMATE_REPORT,
    WEIGHTS,
    held_out_files,
)
from dragoman.learning.reestimation.config import DeriveConfig, ReestimateConfig
from dragoman.learning.reestimation.derivations import (
    DERIVED,
    NO_DERIVATION,
    REFUSED,
    Derivations,
)
from dragoman.learning.reestimation.models import Baseline, Renewed, renew
from dragoman.learning.reestimation.original import Corpus, Original
from dragoman.model.directory import ModelDirectory
from dragoman.progress import SILENT
from dragoman.rules.config import ReorderingName, RulesConfig
from dragoman.rules.table import open_file
from dragoman.search.options import SearchOptions
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm, form_files
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.searching import (
    dev_source,
    model_files,
    search_inputs,
    search_options,
)

_FILES = {
    "phrases": PHRASES,
    "bilingual vocabulary": BILINGUAL_VOCABULARY,
    "bilingual model": BILINGUAL_MODEL,
}
_SOURCE_TEXT, _TARGET_TEXT = "source text", "target text"
_DEV_TARGET = held_out_files("dev")[1]


@dataclass(frozen=True)
class Derived:
    """A trained model whose bitext, or two files instead, are to be derived."""

    directory: ModelDirectory
    maker: str  # the stage that wrote the phrase table
    rules: RulesConfig
    texts: tuple[Path, Path] | None = None

    @classmethod
    def of(cls, directory: ModelDirectory, texts: tuple[Path, Path] | None = None) -> Derived:
        """Check a model; raises ModelError when it is not whole."""
        shape = directory.shape
        stages = directory.manifest.stages
        makers = [name for name, record in stages.items() if PHRASES in record.outputs]
        if not makers:
            if shape.hierarchical:
                raise UsageError(
                    f"{directory}: hierarchical; only phrase models can be re-estimated"
                )
            raise ModelError(
                f"{directory}: no trained model there; make one with 'dragoman train'"
            )
        if texts is None and not directory.has(shape.bitext):
            raise ModelError(
                f"{directory}: the model has no bitext of its own ({shape.bitext}); give one with "
                "-s and -t"
            )
        return cls(directory, makers[0], _rules_of(directory), texts)

    @property
    def outputs(self) -> tuple[str, ...]:
        """What the maker of its table has written, and is written anew."""
        record = self.directory.manifest.stages[self.maker]
        return tuple(name for name in record.outputs if name != WEIGHTS)

    def inputs(self) -> dict[str, Path]:
        """All that derivations depend on, by name."""
        directory, shape = self.directory, self.directory.shape
        found = search_inputs(directory, shape)
        names = [WEIGHTS, shape.dev_source, _DEV_TARGET]
        if self.texts is None:
            names += [shape.bitext, LINKS]
        elif directory.text is not None:
            names += form_files(directory.text)
        found |= {name: directory.file(name) for name in names if directory.has(name)}
        if self.texts is not None:
            found |= {_SOURCE_TEXT: self.texts[0], _TARGET_TEXT: self.texts[1]}
        return found

    def also(self) -> dict[str, Any]:
        """Options of other stages that derivations depend on."""
        text = self.directory.text
        return {"rules": self.rules} | (
            {"prepare": text} if self.texts is not None and text is not None else {}
        )

    def original(self) -> Original:
        """What the stages derive with, for studies that derive without a pipeline."""
        stage = derive_stage(self, DeriveConfig())
        return _original(StageContext(stage, Path(), 1, SILENT, ""))


def _rules_of(directory: ModelDirectory) -> RulesConfig:
    """With which its table was made; guessed from the table when somebody else made it."""
    recorded = directory.recorded("rules", RulesConfig)
    if recorded is not None:
        return recorded
    table = open_file(directory.file(PHRASES))
    return replace(
        RulesConfig(),
        max_length=max(1, table.max_source_length),
        reordering=cast(tuple[ReorderingName, ...], tuple(table.reorderings)),
    )


def _original(context: StageContext) -> Original:
    """The model among the inputs of a stage."""

    def place(name: str) -> Path | None:
        return context.input(name) if context.has_input(name) else None

    form = TextForm.tokenised()
    if "prepare" in context.stage.also:
        text: TextConfig = context.also("prepare")
        form = TextForm(text, {name: context.input(name) for name in form_files(text)})
    texts = place(_SOURCE_TEXT), place(_TARGET_TEXT)
    dev = dev_source(context), place(_DEV_TARGET)
    options = search_options(context, hierarchical=False)
    assert isinstance(options, SearchOptions)
    return Original(
        model_files(context),
        context.also("rules"),
        options,
        form,
        Corpus(
            place(PREORDERED_BITEXT) or place(BITEXT),
            place(LINKS),
            (texts[0], texts[1]) if texts[0] and texts[1] else None,
            (dev[0], dev[1]) if dev[0] and dev[1] else None,
        ),
    )


def derive_stage(model: Derived, config: DeriveConfig) -> Stage:
    """The stage that derives the bitext of a model."""
    return Stage("derive", config, model.inputs(), (DERIVATIONS,), _derive, model.also())


def _derive(context: StageContext) -> None:
    config: DeriveConfig = context.config
    original = _original(context)
    parts: list[Derivations] = []
    for part in config.parts():
        notes = context.resume() / part.method
        notes.mkdir(exist_ok=True)
        found = original.derive(
            part,
            context.staging,
            crew=context.crew,
            resume=notes,
            progress=context.progress,
        )
        context.progress.message(describe(found, part))
        parts.append(found)
    if not any(found.derived for found in parts):
        raise InputError(
            f"none of {len(found):,} sentence pairs has a derivation; the model stays as it is"
            + ("; try --method oracle" if config.method == "forced" else "")
        )
    Derivations.concatenate(parts).save(context.output(DERIVATIONS))


def describe(found: Derivations, config: DeriveConfig) -> str:
    """One line about derivations by one method."""
    missed = int((found.outcomes == NO_DERIVATION).sum())
    refused = int((found.outcomes == REFUSED).sum())
    text = f"{config.method}: {found.derived:,} of {len(found):,} pairs derived"
    if missed:
        text += f", {missed:,} without a derivation"
    if refused:
        text += f", {refused:,} refused"
    if config.method == "oracle" and found.derived:
        model, best = found.corpus_bleu()
        text += f"; BLEU of the model {model:.2f}, of the oracle {best:.2f}"
    return text


def reestimate_stage(
    model: Derived, directory: ModelDirectory, derive: DeriveConfig, config: ReestimateConfig
) -> Stage:
    """The stage that estimates the models in `directory` from what :func:`derive_stage` found."""
    inputs = model.inputs() | {DERIVATIONS: directory.file(DERIVATIONS)}
    # What is not renewed is taken over.
    inputs |= {name: model.directory.file(name) for name in model.outputs}
    also = model.also() | {"derive": derive}
    outputs = (*model.outputs, REESTIMATE_REPORT)
    return Stage("reestimate", config, inputs, outputs, _reestimate, also)


def _reestimate(context: StageContext) -> None:
    config: ReestimateConfig = context.config
    derive: DeriveConfig = context.also("derive")
    original = _original(context)
    found = Derivations.load(context.input(DERIVATIONS))
    dev = original.dev() if config.weight is None else None
    if config.weight is None and dev is None:
        context.progress.message("no dev set: new and old probabilities count the same")
    dev_found = None
    if dev is not None:
        dev_found = original.derive_dev(
            derive, context.staging, crew=context.crew, progress=context.progress
        )
    renewed = renew(
        Baseline(
            table=original.table(),
            bitext=original.bitext(),
            derivations=found,
            rules=original.rules,
            dev_bitext=dev[1] if dev is not None else None,
            dev_derivations=dev_found,
            links=original.pairs().links,
            bilingual=original.files.bilingual_model,
        ),
        config,
        lambda name: context.output(_FILES[name]),
        keep_words=derive.keep_words,
        threads=context.threads,
        progress=context.progress,
    )
    for name in context.stage.outputs:
        if name != REESTIMATE_REPORT and not context.output(name).exists():
            shutil.copyfile(context.input(name), context.output(name))
    context.progress.message(describe_tables(renewed))
    model, best = found.corpus_bleu()
    report = asdict(renewed) | {
        "pairs": len(np.unique(found.numbers)),
        "derived": len(np.unique(found.numbers[found.outcomes == DERIVED])),
        "model_bleu": None if derive.method == "forced" else model,
        "oracle_bleu": None if derive.method == "forced" else best,
    }
    context.output(REESTIMATE_REPORT).write_text(json.dumps(report, indent=2) + "\n", "utf-8")


def describe_tables(renewed: Renewed) -> str:
    """One line about what was estimated."""
    text = (
        f"{renewed.used:,} of {renewed.rows:,} phrase pairs used "
        f"({renewed.used / max(1, renewed.rows):.1%}), {renewed.written:,} written"
    )
    if renewed.confirmed is not None:
        text += f"; the references confirm {renewed.confirmed:.1%} of the uses"
    if renewed.forward_weight is not None and renewed.backward_weight is not None:
        text += (
            f"; weights of the new probabilities {renewed.forward_weight:.2f} forward, "
            f"{renewed.backward_weight:.2f} backward"
        )
    if renewed.bilingual_weight is not None:
        text += f", bilingual {renewed.bilingual_weight:.2f}"
    return text
