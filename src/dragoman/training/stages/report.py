"""The last stage of training: a page about the model. It holds no times, so that the same
training writes the same bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.clean import REASONS
from dragoman.corpus.read import read_lines
from dragoman.evaluation.metric import Score
from dragoman.evaluation.unknown_words import UnknownWord, UnknownWords
from dragoman.layout import (
    BITEXT,
    CONFIDENCE,
    CORPUS_REPORT,
    LINKS,
    ORDERS,
    REPORT,
    SORTED_PHRASES,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    TEST_SCORES,
    TUNING_HISTORY,
    WEIGHTS,
    held_out_files,
)
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.preorder.orders import Orders, original_links
from dragoman.report.config import ReportConfig
from dragoman.report.training_html import (
    AlignedPair,
    Phrase,
    SampleTranslation,
    ScoredTest,
    TrainingStory,
    training_page,
)
from dragoman.search.choice import make_search
from dragoman.search.options import AnyOptions
from dragoman.text.config import TextConfig
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.searching import (
    dev_source,
    model_files,
    search_inputs,
    search_options,
)

LONGEST_BIN = 60  # sentences longer than this are counted with it
PICTURE_WORDS = range(4, 15)  # lengths of sentences whose alignment makes a readable picture

_BITEXT = (BITEXT, SOURCE_VOCABULARY, TARGET_VOCABULARY)
_REFERENCE = held_out_files("dev")[2]


def report_stage(
    config: ReportConfig,
    directory: ModelDirectory,
    shape: Shape,
    text: TextConfig | None,
    *,
    tested: bool,
    confident: bool = False,
) -> Stage:
    """The stage that looks at a finished model; sample sentences are shown as the decoder sees
    them. `text` says the languages; `tested`: there are scores of a test set; `confident`: it has
    learnt how sure it is."""
    names = [*_BITEXT, CORPUS_REPORT, LINKS, WEIGHTS, TUNING_HISTORY]
    names += [shape.dev_source, _REFERENCE] + [ORDERS] * shape.preordered
    names += [TEST_SCORES] * tested + [CONFIDENCE] * confident
    table = shape.table if shape.hierarchical else SORTED_PHRASES
    inputs = search_inputs(directory, shape, table)
    inputs |= {name: directory.file(name) for name in names}
    also = {"prepare": text} if text is not None else {}
    return Stage("report", config, inputs, (REPORT,), _run, also)


def _run(context: StageContext) -> None:
    config: ReportConfig = context.config
    bitext = Bitext.open(*(context.input(name) for name in _BITEXT))
    links = Links.open(context.input(LINKS))
    if context.has_input(ORDERS):
        orders = Orders(np.load(context.input(ORDERS)), bitext.source.offsets)
        links = original_links(links, orders)
    history = json.loads(context.input(TUNING_HISTORY).read_text("utf-8"))
    bundle = Bundle.of_files(model_files(context))
    source = dev_source(context)
    assert source is not None
    sources = list(read_lines(source))
    references = list(read_lines(context.input(_REFERENCE)))
    options = search_options(context, hierarchical=bundle.hierarchical)
    text: TextConfig = context.stage.also.get("prepare", TextConfig())
    story = TrainingStory(
        title="Training report",
        corpus=_flat_counts(json.loads(context.input(CORPUS_REPORT).read_text("utf-8"))),
        source_lengths=_lengths(bitext.source.offsets),
        target_lengths=_lengths(bitext.target.offsets),
        metric=history["metric"],
        rounds=[entry["score"] for entry in history["iterations"]],
        outcome=history["reason"],
        weights=bundle.named_weights(),
        alignments=_alignments(bitext, links, config.alignments),
        samples=_samples(bundle, options, sources, references, config.samples),
        languages=(text.source_language, text.target_language),
        test=_test_story(context),
        calibration=_calibration(context),
    )
    context.output(REPORT).write_text(training_page(story), "utf-8")


def _calibration(context: StageContext) -> list[tuple[int, float, float]]:
    if not context.has_input(CONFIDENCE):
        return []
    curve = json.loads(context.input(CONFIDENCE).read_text("utf-8"))["curve"]
    return [(point["count"], point["confidence"], point["right"]) for point in curve]


def _test_story(context: StageContext) -> ScoredTest | None:
    if not context.has_input(TEST_SCORES):
        return None
    told = json.loads(context.input(TEST_SCORES).read_text("utf-8"))
    words = tuple(UnknownWord(**one) for one in told["examples"])
    return ScoredTest(
        told["sentences"],
        [Score(**one) for one in told["scores"]],
        UnknownWords(told["words"], told["unknown"], words),
    )


# What the counts of a corpus are called on the page.
_COUNTED = {
    "read": "pairs read",
    "kept": "pairs kept",
    "dev": "in the dev set",
    "test": "in the test set",
    "same source as held-out": "left out, since these sets have their source",
    "also in dev or test": "learnt from although a dev or test set has them",
    "train": "learnt from",
}


def _flat_counts(report: dict[str, int | dict[str, int]]) -> dict[str, int]:
    flat: dict[str, int] = {}
    for name, value in report.items():
        if isinstance(value, dict):
            flat |= {
                f"{name}: {REASONS[reason]}": count for reason, count in value.items() if count
            }
        else:
            flat[_COUNTED[name]] = value
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
    bundle: Bundle,
    options: AnyOptions,
    sources: Sequence[str],
    references: Sequence[str],
    wanted: int,
) -> list[SampleTranslation]:
    chosen = _spread(len(sources), wanted)
    search = make_search(bundle, options)
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
