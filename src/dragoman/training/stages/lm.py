"""The stage that estimates the target side's language model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dragoman.corpus.bitext import BitextFiles
from dragoman.corpus.read import read_lines
from dragoman.crew import Crew
from dragoman.layout import (
    BITEXT,
    LANGUAGE_MODEL,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    held_out_files,
)
from dragoman.lm.config import LmConfig
from dragoman.lm.estimate import SECONDS_A_BYTE, Settings, estimate_from_texts
from dragoman.lm.mix import mix
from dragoman.lm.query import LanguageModel
from dragoman.lm.texts import StreamText, Text, bitext_texts, spooled
from dragoman.model.directory import ModelDirectory
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm, form_files
from dragoman.training.pipeline import Stage, StageContext

_BITEXT = (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)
_DEV = held_out_files("dev")[1]
_BYTES_PER_WORD = 6  # about, to guess how long counting takes


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
    files = BitextFiles(*(context.input(name) for name in _BITEXT))
    output = context.output(LANGUAGE_MODEL)
    own: list[Text] = [*bitext_texts(files, BITEXT)]
    texts = context.inputs("text ")
    size = len(files.open().target.ids) * _BYTES_PER_WORD
    crew = context.crew.suited(
        SECONDS_A_BYTE * (size + sum(path.stat().st_size for path in texts.values()))
    )
    if not texts:
        _estimate(context, own, output, crew)
        return
    heldout = [line for line in read_lines(context.input(_DEV)) if line.strip()]
    more = _further_texts(context, list(texts.values()), crew)
    if not heldout:
        # Nothing says how much each is worth: every sentence counts the same.
        context.progress.message("no dev set: further text is added to the bitext's own")
        _estimate(context, own + more, output, crew)
        return
    parts = [output.with_name("own.bin"), output.with_name("more.bin")]
    models = [
        _estimate(context, own, parts[0], crew),
        _estimate(context, more, parts[1], crew),
    ]
    mixed = mix(models, heldout, output, threads=context.threads, progress=context.progress)
    context.progress.message(
        f"further text has a weight of {mixed.weights[1]:.2f}; perplexity of the dev set "
        f"{mixed.perplexities[0]:.1f} without it, {mixed.perplexity.including_unknown:.1f} with it"
    )
    del models
    for part in parts:
        part.unlink()


def _estimate(context: StageContext, texts: list[Text], path: Path, crew: Crew) -> LanguageModel:
    config: LmConfig = context.config
    settings = Settings(
        config.order,
        config.prune,
        memory=context.memory,
        spool=path.parent,
        threads=context.threads,
    )
    estimate_from_texts(
        texts, path, settings, crew=crew, place=context.staging, progress=context.progress
    )
    return LanguageModel.open(path)


def _further_texts(context: StageContext, paths: Sequence[Path], crew: Crew) -> list[Text]:
    config: TextConfig = context.also("prepare")
    form = TextForm(config, {name: context.input(name) for name in form_files(config)})
    lines = (form.prepare_reference(line) for path in paths for line in read_lines(path))
    text = StreamText.of_lines(lines, "further text")
    return [*spooled([text], context.staging)] if crew.elsewhere else [text]
