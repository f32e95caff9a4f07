"""The stage that estimates the target side's language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from dragoman.corpus.bitext import Bitext
from dragoman.corpus.read import read_lines
from dragoman.layout import (
    BITEXT,
    LANGUAGE_MODEL,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    held_out_files,
)
from dragoman.lm.config import LmConfig
from dragoman.lm.estimate import estimate_from_lines
from dragoman.lm.mix import mix
from dragoman.lm.query import LanguageModel
from dragoman.model.directory import ModelDirectory
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm, form_files
from dragoman.training.pipeline import Stage, StageContext

_BITEXT = (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)
_DEV = held_out_files("dev")[1]


def lm_stage(
    config: LmConfig,
    directory: ModelDirectory,
    text: TextConfig | None = None,
    texts: Sequence[Path] = (),
) -> Stage:
    """The stage that reads the bitext of a model.

    `texts` are files of further text in the target language, written as `text` says. A model of
    their own is made from them and mixed in with the weight that suits the dev set.
    """
    written = text if text is not None else TextConfig().resolved()
    names = (*_BITEXT, *form_files(written), _DEV) if texts else _BITEXT
    inputs = {name: directory.file(name) for name in names}
    inputs |= {f"text {number}": path for number, path in enumerate(texts, 1)}
    also = {"prepare": written} if texts else {}
    return Stage("lm", config, inputs, (LANGUAGE_MODEL,), _run, also)


def _run(context: StageContext) -> None:
    bitext = Bitext.open(*(context.input(name) for name in _BITEXT))
    output = context.output(LANGUAGE_MODEL)
    own = (bitext.target_text(index) for index in range(len(bitext)))
    texts = context.inputs("text ")
    if not texts:
        _estimate(context, own, output, BITEXT)
        return
    heldout = [line for line in read_lines(context.input(_DEV)) if line.strip()]
    more = _further_lines(context, list(texts.values()))
    if not heldout:
        # Nothing says how much each is worth: every sentence counts the same.
        context.progress.message("no dev set: further text is added to the bitext's own")
        _estimate(context, chain(own, more), output, "bitext and further text")
        return
    parts = [output.with_name("own.bin"), output.with_name("more.bin")]
    models = [
        _estimate(context, own, parts[0], BITEXT),
        _estimate(context, more, parts[1], "further text"),
    ]
    mixed = mix(models, heldout, output, threads=context.threads, progress=context.progress)
    context.progress.message(
        f"further text has a weight of {mixed.weights[1]:.2f}; perplexity of the dev set "
        f"{mixed.perplexities[0]:.1f} without it, {mixed.perplexity.including_unknown:.1f} with it"
    )
    del models
    for part in parts:
        part.unlink()


def _estimate(context: StageContext, lines: Iterator[str], path: Path, name: str) -> LanguageModel:
    config: LmConfig = context.config
    estimate_from_lines(
        lines,
        path,
        order=config.order,
        prune=config.prune,
        memory=context.memory,
        spool=path.parent,
        threads=context.threads,
        progress=context.progress,
        name=name,
    )
    return LanguageModel.open(path)


def _further_lines(context: StageContext, texts: Sequence[Path]) -> Iterator[str]:
    config: TextConfig = context.also("prepare")
    form = TextForm(config, {name: context.input(name) for name in form_files(config)})
    for path in texts:
        for line in read_lines(path):
            yield form.prepare_reference(line)
