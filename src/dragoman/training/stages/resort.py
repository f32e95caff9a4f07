"""The stage that sorts the phrase table under the tuned weights and thins it out.

A frequent word has thousands of translations, nearly all of them noise, and the decoder would
weigh every one when it meets the word. The table of the rules stage stays as it is, for tuning
anew; what is written here is what translates.
"""

from __future__ import annotations

from dragoman.layout import PHRASES, SORTED_PHRASES, WEIGHTS
from dragoman.model.directory import ModelDirectory
from dragoman.model.weights import read_weights
from dragoman.rules.config import ResortConfig
from dragoman.rules.table import open_file
from dragoman.rules.thin import rewrite
from dragoman.training.pipeline import Stage, StageContext


def resort_stage(config: ResortConfig, directory: ModelDirectory) -> Stage:
    """The stage that reads the phrase table and the weights of a model."""
    inputs = {name: directory.file(name) for name in (PHRASES, WEIGHTS)}
    return Stage("resort", config, inputs, (SORTED_PHRASES,), _run)


def _run(context: StageContext) -> None:
    table = open_file(context.input(PHRASES))
    weights = read_weights(context.input(WEIGHTS))
    written = rewrite(
        table,
        context.output(SORTED_PHRASES),
        weights={name: weights.get(name, 0.0) for name in table.features},
        limit=context.config.limit,
        progress=context.progress,
    )
    context.progress.message(f"{written:,} of {len(table):,} phrase pairs kept")
