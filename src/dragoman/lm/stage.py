"""The stage that estimates the target side's language model."""

from __future__ import annotations

from dragoman.config import LmConfig
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.prepare import BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.lm.estimate import estimate_from_lines
from dragoman.pipeline import Stage, StageContext
from dragoman.workspace import Workspace

MODEL = "lm/target.bin"


def lm_stage(config: LmConfig, workspace: Workspace) -> Stage:
    """The stage that reads the bitext of `workspace`."""
    inputs = {
        name: workspace.file(name) for name in (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)
    }

    def run(context: StageContext) -> None:
        bitext = Bitext.open(*(context.input(name) for name in inputs))
        output = context.output(MODEL)
        estimate_from_lines(
            (bitext.target_text(index) for index in range(len(bitext))),
            output,
            order=config.order,
            prune=config.prune,
            spool=output.parent,
            threads=context.threads,
            progress=context.progress,
            name=BITEXT,
        )

    return Stage("lm", config, inputs, (MODEL,), run)
