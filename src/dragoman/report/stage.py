"""The last stage of training: a page about the model. It holds no times, so that the same
training writes the same bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.alignment.links import Links
from dragoman.alignment.stage import LINKS
from dragoman.config import ReportConfig
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.prepare import (
    BITEXT,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    held_out_files,
)
from dragoman.corpus.prepare import REPORT as CORPUS_REPORT
from dragoman.corpus.read import read_lines
from dragoman.model.bundle import SORTED_PHRASES, WEIGHTS, Bundle
from dragoman.pipeline import Stage, StageContext
from dragoman.preorder.orders import Orders, original_links
from dragoman.preorder.stage import ORDERS, preordered_source
from dragoman.report.training_html import (
    AlignedPair,
    Phrase,
    SampleTranslation,
    TrainingStory,
    training_page,
)
from dragoman.rules.stage import HIERO
from dragoman.search.choice import make_search, model_options
from dragoman.tuning.stage import HISTORY
from dragoman.workspace import Workspace

PAGE = "report.html"
LONGEST_BIN = 60  # sentences longer than this are counted with it
PICTURE_WORDS = range(4, 15)  # lengths of sentences whose alignment makes a readable picture


def report_stage(
    config: ReportConfig, workspace: Workspace, *, hiero: bool = False, preordered: bool = False
) -> Stage:
    """The stage that looks at the finished model of `workspace`; `hiero`: of rules with gaps;
    `preordered`: sample sentences are shown as the decoder sees them."""
    source, _, reference = held_out_files("dev")
    if preordered:
        source = preordered_source("dev")
    names = (
        BITEXT,
        SOURCE_VOCABULARY,
        TARGET_VOCABULARY,
        CORPUS_REPORT,
        LINKS,
        HIERO if hiero else SORTED_PHRASES,
        WEIGHTS,
        HISTORY,
        source,
        reference,
        *([ORDERS] if preordered else []),
    )

    def run(context: StageContext) -> None:
        bitext = Bitext.open(
            *(context.input(name) for name in (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY))
        )
        links = Links.open(context.input(LINKS))
        if preordered:
            orders = Orders(np.load(context.input(ORDERS)), bitext.source.offsets)
            links = original_links(links, orders)
        history = json.loads(context.input(HISTORY).read_text("utf-8"))
        bundle = Bundle.open(workspace.path)
        sources = list(read_lines(context.input(source)))
        references = list(read_lines(context.input(reference)))
        story = TrainingStory(
            title="Training report",
            corpus=_flat_counts(json.loads(context.input(CORPUS_REPORT).read_text("utf-8"))),
            source_lengths=_lengths(bitext.source.offsets),
            target_lengths=_lengths(bitext.target.offsets),
            metric=history["metric"],
            rounds=[entry["score"] for entry in history["iterations"]],
            outcome=history["reason"],
            weights=dict(zip(bundle.features, bundle.weights.tolist(), strict=True)),
            alignments=_alignments(bitext, links, config.alignments),
            samples=_samples(workspace, bundle, sources, references, config.samples),
        )
        context.output(PAGE).write_text(training_page(story), "utf-8")

    return Stage("report", config, {name: workspace.file(name) for name in names}, (PAGE,), run)


def _flat_counts(report: dict[str, int | dict[str, int]]) -> dict[str, int]:
    flat: dict[str, int] = {}
    for name, value in report.items():
        if isinstance(value, dict):
            flat |= {f"{name}: {reason}": count for reason, count in value.items() if count}
        else:
            flat[name] = value
    return flat


def _lengths(offsets: NDArray[np.uint64]) -> list[int]:
    sizes = np.minimum(np.diff(offsets.astype(np.int64)), LONGEST_BIN)
    return [int(count) for count in np.bincount(sizes)]


def _spread(size: int, wanted: int) -> list[int]:
    """Up to `wanted` places, evenly over `size`."""
    wanted = min(size, wanted)
    return [place * size // wanted for place in range(wanted)]


def _alignments(bitext: Bitext, links: Links, wanted: int) -> list[AlignedPair]:
    fitting = [
        index
        for index in range(len(bitext))
        if len(bitext.source[index]) in PICTURE_WORDS
        and len(bitext.target[index]) in PICTURE_WORDS
    ]
    pairs = []
    for place in _spread(len(fitting), wanted):
        index = fitting[place]
        pairs.append(
            AlignedPair(
                bitext.source_text(index).split(),
                bitext.target_text(index).split(),
                [(int(i), int(j)) for i, j in links[index]],
            )
        )
    return pairs


def _samples(
    workspace: Workspace,
    bundle: Bundle,
    sources: Sequence[str],
    references: Sequence[str],
    wanted: int,
) -> list[SampleTranslation]:
    chosen = _spread(len(sources), wanted)
    search = make_search(bundle, model_options(workspace.path))
    samples = []
    for place, result in zip(chosen, search.decode([sources[i] for i in chosen]), strict=True):
        if bundle.hierarchical:  # rules lie inside one another: there is no row of phrases
            phrases = [Phrase((0, len(sources[place].split())), result.best.target, False)]
        else:
            phrases = [
                Phrase(step.source, step.target, step.unknown) for step in result.best.steps
            ]
        samples.append(SampleTranslation(sources[place], phrases, references[place]))
    return samples
