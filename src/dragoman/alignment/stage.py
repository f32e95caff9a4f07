"""The second stage of training: a bitext in, its links and word translation tables out."""

from __future__ import annotations

from dragoman.alignment.aligner import MODEL_FILE, train
from dragoman.alignment.lexical import lexical_table_from_links
from dragoman.config import AlignConfig
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.prepare import BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY
from dragoman.pipeline import Stage, StageContext
from dragoman.workspace import Workspace

LINKS = "align/links"
ALIGNER = f"align/{MODEL_FILE}"
# From links: p(target | source) and p(source | target).
FORWARD_LEXICON = "align/lexicon.forward"
BACKWARD_LEXICON = "align/lexicon.backward"

_INPUTS = {
    "bitext": BITEXT,
    "source vocabulary": SOURCE_VOCABULARY,
    "target vocabulary": TARGET_VOCABULARY,
}


def align_stage(config: AlignConfig, workspace: Workspace, bitext: str = BITEXT) -> Stage:
    """The stage that aligns the training bitext of `workspace`, or another one there."""
    return Stage(
        "align",
        config,
        {name: workspace.file(path) for name, path in (_INPUTS | {"bitext": bitext}).items()},
        (LINKS, ALIGNER, FORWARD_LEXICON, BACKWARD_LEXICON),
        _run,
    )


def _run(context: StageContext) -> None:
    bitext = Bitext.open(*(context.input(name) for name in _INPUTS))
    trained = train(
        bitext, context.stage.config, threads=context.threads, progress=context.progress
    )
    trained.links.save(context.output(LINKS))
    trained.aligner.model.save(str(context.output(ALIGNER)))
    forward = lexical_table_from_links(bitext, trained.links, "forward")
    forward.save(str(context.output(FORWARD_LEXICON)))
    backward = lexical_table_from_links(bitext, trained.links, "backward")
    backward.save(str(context.output(BACKWARD_LEXICON)))
