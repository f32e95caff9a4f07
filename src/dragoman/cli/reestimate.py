"""``dragoman reestimate``: a model learns from how it would best translate its own bitext."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options
from dragoman.cli.declared import Given, Offer, offering
from dragoman.declared import Options, declared
from dragoman.errors import UsageError
from dragoman.learning.reestimation.config import DeriveConfig, ReestimateConfig
from dragoman.tuning.config import TuneConfig

# What gives the best small table (docs/lab/002.md).
SMALL_DERIVE: Given = {"method": "both", "nbest": 10, "min_count": 1}
SMALL_MODELS: Given = {
    "table": "replace",
    "size": 0.1,
    "reordering": "keep",
    "bilm": "keep",
}
# What can be mixed with the old models.
MIXED = ("table", "reordering", "bilm")


@offering(
    "given",
    Offer(DeriveConfig, only=("method", "nbest", "mu", "min_count", "leave_one_out", "sample")),
    Offer(ReestimateConfig, only=("table", "size", "reordering", "bilm", "weight", "count")),
    Offer(TuneConfig, only=("seed",)),
)
def reestimate(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A trained phrase model.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL2", help="The new model directory.")
    ],
    small: Annotated[
        bool,
        typer.Option(
            "--small",
            help="Make a table of at most a tenth of the size: --table replace --size 0.1 "
            "--method both --nbest 10 --min-count 1 --reordering keep --bilm keep.",
        ),
    ] = False,
    given: Given = {},  # noqa: B006 - stands for declared options
    fit_weight: Annotated[
        bool,
        typer.Option(
            "--fit-weight",
            help="Take the --weight that suits the derivations of the dev set best.",
        ),
    ] = False,
    source: Annotated[
        Path | None,
        typer.Option(
            "--source",
            "-s",
            metavar="FILE",
            help="Source text to derive instead of the model's own bitext.",
        ),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option(
            "--target", "-t", metavar="FILE", help="The translation of that text, line by line."
        ),
    ] = None,
    retune: Annotated[
        bool,
        typer.Option("--tune/--no-tune", help="Whether the weights of the new model are tuned."),
    ] = True,
    threads: options.Threads = options.ALL_THREADS,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn a model anew from its best derivations of its own training text.

    Oracle-BLEU re-estimation (Dakwale & Monz 2016), forced decoding (Wuebker et al. 2010), or
    both. MODEL stays as it is. After an interruption the same command goes on.

    Example: dragoman reestimate model -o smaller --small
    """
    from dragoman.cli.summary import print_outcomes, resumable
    from dragoman.declared import from_mapping
    from dragoman.progress import to_terminal
    from dragoman.training.train import Reestimation, run_reestimation

    if (source is None) != (target is None):
        raise UsageError("-s and -t must be given together")
    if fit_weight and "weight" in given:
        raise UsageError("--weight and --fit-weight exclude each other")
    if not retune and "seed" in given:
        raise UsageError("--seed is of tuning, which --no-tune leaves out")
    derive = (SMALL_DERIVE if small else {}) | _of(DeriveConfig, given)
    models = (SMALL_MODELS if small else {}) | _of(ReestimateConfig, given)
    if derive.get("method") == "forced" and not given.keys().isdisjoint({"mu", "min_count"}):
        raise UsageError("--mu and --min-count are for oracles, not for --method forced")
    if fit_weight or "weight" in given:
        if not {"interpolate", "select"} & {models.get(name, "interpolate") for name in MIXED}:
            raise UsageError("a weight needs a model that is mixed with the old one")
        models["weight"] = given.get("weight")
    with resumable(output):
        outcomes = run_reestimation(
            model,
            output,
            Reestimation(
                from_mapping(DeriveConfig, derive, "option"),
                from_mapping(ReestimateConfig, models, "option"),
                TuneConfig(seed=given.get("seed", TuneConfig.seed)) if retune else None,
                (source, target) if source is not None and target is not None else None,
            ),
            threads=threads,
            cluster=cluster,
            progress=to_terminal(quiet or as_json),
        )
    if not quiet or as_json:
        print_outcomes(outcomes, dry_run=False, as_json=as_json)


def _of(group: type[Options], given: Given) -> Given:
    names = {one.name for one in declared(group)}
    return {name: value for name, value in given.items() if name in names}
