"""The stage that estimates the target side's language models, over words and over classes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dragoman._core import save_word_classes
from dragoman.corpus.bitext import BitextFiles
from dragoman.corpus.classes import cluster_words
from dragoman.corpus.read import read_lines
from dragoman.crew import Crew
from dragoman.layout import (
    BITEXT,
    CLASS_MODEL,
    LANGUAGE_MODEL,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    WORD_CLASSES,
    held_out_files,
)
from dragoman.lm.config import LmConfig
from dragoman.lm.estimate import A_BYTE, Settings, estimate_from_texts
from dragoman.lm.mix import mix
from dragoman.lm.query import LanguageModel
from dragoman.lm.texts import StreamText, Text, bitext_texts, spooled
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.progress import WithoutMessages
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm, form_files
from dragoman.training.pipeline import Stage, StageContext

_BITEXT = (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)
_DEV = held_out_files("dev")[1]
# About, to guess how long counting takes.
_BYTES_PER_WORD = 6
_BYTES_PER_CLASS = 3


def lm_stage(
    config: LmConfig,
    directory: ModelDirectory,
    shape: Shape,
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
    outputs: tuple[str, ...] = (LANGUAGE_MODEL,)
    if shape.classes:
        outputs += (CLASS_MODEL, WORD_CLASSES)
    return Stage("lm", config, inputs, outputs, _run, also)


def _run(context: StageContext) -> None:
    _over_words(context)
    if CLASS_MODEL in context.stage.outputs:
        _over_classes(context)


def _over_words(context: StageContext) -> None:
    files = BitextFiles(*(context.input(name) for name in _BITEXT))
    output = context.output(LANGUAGE_MODEL)
    own: list[Text] = [*bitext_texts(files, BITEXT)]
    texts = context.inputs("text ")
    size = len(files.open().target.ids) * _BYTES_PER_WORD
    crew = context.crew.suited(
        (size + sum(path.stat().st_size for path in texts.values())) * A_BYTE
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
    mixed = mix(
        models,
        heldout,
        output,
        memory=context.memory,
        spool=output.parent,
        threads=context.threads,
        progress=context.progress,
    )
    context.progress.message(
        f"further text has a weight of {mixed.weights[1]:.2f}; perplexity of the dev set "
        f"{mixed.perplexities[0]:.1f} without it, {mixed.perplexity.including_unknown:.1f} with it"
    )
    del models
    for part in parts:
        part.unlink()


def _over_classes(context: StageContext) -> None:
    """The same over the classes of words, which tell more of what stands further away."""
    config: LmConfig = context.config
    files = BitextFiles(*(context.input(name) for name in _BITEXT))
    text = files.open()
    classes = cluster_words(
        text.target,
        len(text.target_vocabulary),
        classes=config.classes,
        min_count=1,
        progress=context.progress,
    )
    place = context.output(WORD_CLASSES)
    save_word_classes(str(place), classes)
    crew = context.crew.suited(len(text.target.ids) * _BYTES_PER_CLASS * A_BYTE)
    texts: list[Text] = [*bitext_texts(files, BITEXT, place)]
    _estimate(context, texts, context.output(CLASS_MODEL), crew, order=config.class_order)


def _estimate(
    context: StageContext, texts: list[Text], path: Path, crew: Crew, order: int = 0
) -> LanguageModel:
    config: LmConfig = context.config
    settings = Settings(
        order or config.order,
        config.prune if not order else (0,),
        memory=context.memory,
        spool=path.parent,
        threads=context.threads,
    )
    # So few classes have no discount of single ones, which need not worry anybody.
    progress = WithoutMessages(context.progress) if order else context.progress
    estimate_from_texts(texts, path, settings, crew=crew, place=context.staging, progress=progress)
    return LanguageModel.open(path)


def _further_texts(context: StageContext, paths: Sequence[Path], crew: Crew) -> list[Text]:
    config: TextConfig = context.also("prepare")
    form = TextForm(config, {name: context.input(name) for name in form_files(config)})
    lines = (form.prepare_reference(line) for path in paths for line in read_lines(path))
    text = StreamText.of_lines(lines, "further text")
    return [*spooled([text], context.staging)] if crew.elsewhere else [text]
