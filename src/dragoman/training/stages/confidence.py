"""The stage that learns on the dev set how sure translations are."""

from __future__ import annotations

import numpy as np

from dragoman.corpus.read import read_lines
from dragoman.layout import CONFIDENCE, SORTED_PHRASES, WEIGHTS, held_out_files
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.model.shape import Shape
from dragoman.search.choice import make_search
from dragoman.training.pipeline import Stage, StageContext
from dragoman.training.stages.searching import (
    dev_source,
    model_files,
    search_inputs,
    search_options,
)
from dragoman.translation.confidence import UNSURE, calibrated, right_words
from dragoman.translation.config import ConfidenceConfig

_TARGET = held_out_files("dev")[1]
# From fewer words nothing can be learnt.
LEAST_WORDS = 200


def confidence_stage(config: ConfidenceConfig, directory: ModelDirectory, shape: Shape) -> Stage:
    """The stage that translates a part of the dev set with the finished model."""
    inputs = search_inputs(directory, shape, "" if shape.hierarchical else SORTED_PHRASES)
    inputs |= {name: directory.file(name) for name in (WEIGHTS, shape.dev_source, _TARGET)}
    return Stage("confidence", config, inputs, (CONFIDENCE,), _run)


def _run(context: StageContext) -> None:
    source = dev_source(context)
    assert source is not None
    pairs = list(zip(read_lines(source), read_lines(context.input(_TARGET)), strict=True))
    wanted = min(context.config.sentences, len(pairs))
    places = np.linspace(0, len(pairs), wanted, endpoint=False).astype(int).tolist()
    chosen = [pairs[place] for place in places]
    found = UNSURE
    if sum(len(target.split()) for _, target in chosen) >= LEAST_WORDS:
        bundle = Bundle.of_files(model_files(context))
        options = search_options(context, hierarchical=bundle.hierarchical)
        search = make_search(bundle, options, threads=context.threads)
        graphs, rights = [], []
        with context.progress.task("translating", total=len(chosen), unit="sentences") as task:
            results = search.decode([line for line, _ in chosen], graph=True, features=False)
            for (_, reference), result in zip(chosen, results, strict=True):
                task.advance()
                if result.graph is None or not result.found:
                    continue
                said = [one.word for one in result.graph.word_posteriors(1.0)]
                graphs.append(result.graph)
                rights.append(right_words(said, reference.split()))
        found = calibrated(graphs, rights)
        context.progress.message(
            f"confidence and the share of right words differ by {100 * found.error:.1f} "
            "percentage points on average"
        )
    found.save(context.output(CONFIDENCE))
