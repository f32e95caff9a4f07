"""The stage that estimates the target side's language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from dragoman.config import LmConfig, PrepareConfig
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.normalise import normalise
from dragoman.corpus.prepare import (
    BITEXT,
    SOURCE_VOCABULARY,
    TARGET_TRUECASE,
    TARGET_VOCABULARY,
    held_out_files,
)
from dragoman.corpus.read import read_lines
from dragoman.corpus.tokenise import make_tokeniser
from dragoman.corpus.truecase import Truecaser
from dragoman.layout import LANGUAGE_MODEL
from dragoman.lm.estimate import estimate_from_lines
from dragoman.lm.mix import mix
from dragoman.lm.query import LanguageModel
from dragoman.pipeline import Stage, StageContext
from dragoman.workspace import Workspace

MODEL = LANGUAGE_MODEL


def lm_stage(
    config: LmConfig,
    workspace: Workspace,
    prepare: PrepareConfig | None = None,
    texts: Sequence[Path] = (),
) -> Stage:
    """The stage that reads the bitext of `workspace`.

    `texts` are files of further text in the target language, raw text as `prepare` takes it. A
    model of their own is made from them and mixed in with the weight that suits the dev set.
    """
    inputs = {
        name: workspace.file(name) for name in (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)
    }
    _, dev, _ = held_out_files("dev")
    if texts:
        inputs |= {name: workspace.file(name) for name in (TARGET_TRUECASE, dev)}
        inputs |= {f"text {number}": path for number, path in enumerate(texts, 1)}
    form = prepare if prepare is not None else PrepareConfig()

    def more_lines(context: StageContext) -> Iterator[str]:
        tokeniser = make_tokeniser(form.tokeniser, form.target_language)
        caser = Truecaser.load(context.input(TARGET_TRUECASE)) if form.truecases else None
        for path in texts:
            for line in read_lines(path):
                tokens = tokeniser.tokenise(normalise(line))
                yield caser.truecase(tokens) if caser else tokens

    def run(context: StageContext) -> None:
        bitext = Bitext.open(
            *(context.input(name) for name in (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY))
        )
        output = context.output(MODEL)
        own = (bitext.target_text(index) for index in range(len(bitext)))

        def estimate(lines: Iterator[str], path: Path, name: str) -> LanguageModel:
            estimate_from_lines(
                lines,
                path,
                order=config.order,
                prune=config.prune,
                spool=output.parent,
                threads=context.threads,
                progress=context.progress,
                name=name,
            )
            return LanguageModel.open(path)

        if not texts:
            estimate(own, output, BITEXT)
            return
        heldout = [line for line in read_lines(context.input(dev)) if line.strip()]
        if not heldout:
            # Nothing says how much each is worth: every sentence counts the same.
            context.progress.message("no dev set: further text is added to the bitext's own")
            estimate(chain(own, more_lines(context)), output, "bitext and further text")
            return
        parts = [output.with_name("own.bin"), output.with_name("more.bin")]
        models = [
            estimate(own, parts[0], BITEXT),
            estimate(more_lines(context), parts[1], "further text"),
        ]
        mixed = mix(models, heldout, output, threads=context.threads, progress=context.progress)
        context.progress.message(
            f"further text has a weight of {mixed.weights[1]:.2f}; perplexity of the dev set "
            f"{mixed.perplexities[0]:.1f} without it, "
            f"{mixed.perplexity.including_unknown:.1f} with it"
        )
        del models
        for part in parts:
            part.unlink()

    return Stage("lm", config, inputs, (MODEL,), run)
