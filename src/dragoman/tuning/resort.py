"""The stage that sorts the phrase table under the tuned weights and thins it out.

A frequent word has thousands of translations, nearly all of them noise, and the decoder would
weigh every one when it meets the word. The table of the rules stage stays as it is, for tuning
anew; what is written here is what translates.
"""

from __future__ import annotations

from dragoman.config import ResortConfig
from dragoman.model.bundle import SORTED_PHRASES, WEIGHTS, Bundle
from dragoman.pipeline import Stage, StageContext
from dragoman.rules.stage import PHRASES
from dragoman.rules.table import open_file
from dragoman.rules.thin import rewrite
from dragoman.workspace import Workspace


def resort_stage(config: ResortConfig, workspace: Workspace) -> Stage:
    """The stage that reads the phrase table and the weights of `workspace`."""
    inputs = {name: workspace.file(name) for name in (PHRASES, WEIGHTS)}

    def run(context: StageContext) -> None:
        table = open_file(context.input(PHRASES))
        bundle = Bundle.open(workspace.path, full_table=True)
        weights = dict(zip(bundle.features, bundle.weights.tolist(), strict=True))
        chosen = {name: weights[name] for name in table.features}
        written = rewrite(
            table,
            context.output(SORTED_PHRASES),
            weights=chosen,
            limit=config.limit,
            progress=context.progress,
        )
        context.progress.message(f"{written:,} of {len(table):,} phrase pairs kept")

    return Stage("resort", config, inputs, (SORTED_PHRASES,), run)
