"""``dragoman reestimate``: a model learns from how it would best translate its own bitext."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from dragoman.cli import options
from dragoman.errors import UsageError

# What gives the best small table (docs/papers/002.md).
SMALL_DERIVE: dict[str, str | float] = {"method": "both", "nbest": 10, "min_count": 1}
SMALL_MODELS: dict[str, str | float] = {
    "table": "replace",
    "size": 0.1,
    "reordering": "keep",
    "bilm": "keep",
}
# What can be mixed with the old models.
MIXED = ("table", "reordering", "bilm")


def reestimate(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A trained phrase model.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL2", help="The new model directory.")
    ],
    method: Annotated[
        str | None,
        typer.Option(
            help="oracle: derivations nearest to the references (usual); forced: of exactly "
            "them; or both, of the latter the best alone."
        ),
    ] = None,
    small: Annotated[
        bool,
        typer.Option(
            "--small",
            help="A table of at most a tenth of the size: --table replace --size 0.1 --method "
            "both --nbest 10 --min-count 1 --reordering keep --bilm keep.",
        ),
    ] = False,
    nbest: Annotated[
        int | None,
        typer.Option("--nbest", "-n", min=1, help="Derivations of each sentence pair; usually 1."),
    ] = None,
    mu: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Share of the model score in the choice of oracles; 0: BLEU alone; usually 0.5.",
        ),
    ] = None,
    min_count: Annotated[
        int | None,
        typer.Option(
            min=0, help="Oracles go without phrase pairs extracted less often; usually 2."
        ),
    ] = None,
    leave_one_out: Annotated[
        bool,
        typer.Option(
            "--leave-one-out/--no-leave-one-out",
            help="Derive each pair of the model's own bitext without what it gave to the table.",
        ),
    ] = True,
    table: Annotated[
        str | None,
        typer.Option(
            help="Phrases: interpolate probabilities (usual); select those in use, with "
            "interpolated ones; replace: those in use, with new ones; or keep all."
        ),
    ] = None,
    size: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="With select and replace: at most so much of the old table's rows."
        ),
    ] = None,
    reordering: Annotated[
        str | None,
        typer.Option(help="Reordering models: interpolate (usual), replace or keep."),
    ] = None,
    bilm: Annotated[
        str | None,
        typer.Option(help="Bilingual language model: interpolate (usual), replace or keep."),
    ] = None,
    weight: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Of new probabilities where mixed; 0.5 if not given."),
    ] = None,
    fit_weight: Annotated[
        bool,
        typer.Option("--fit-weight", help="The weight that fits the dev set's derivations."),
    ] = False,
    count: Annotated[
        str,
        typer.Option(help="Count phrases that the reference has (confirmed), or all in use."),
    ] = "confirmed",
    source: Annotated[
        Path | None,
        typer.Option("--source", "-s", metavar="FILE", help="Derive this text, not the bitext."),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option("--target", "-t", metavar="FILE", help="Its translation, line by line."),
    ] = None,
    sample: Annotated[
        int, typer.Option(min=0, help="Derive only so many pairs, evenly spread.")
    ] = 0,
    retune: Annotated[
        bool, typer.Option("--tune/--no-tune", help="Tune the weights of the new model.")
    ] = True,
    seed: Annotated[int, typer.Option(min=0, help="Of tuning.")] = 1,
    threads: options.Threads = options.ALL_THREADS,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Re-estimate a model from derivations of its own training bitext.

    Oracle-BLEU re-estimation (Dakwale & Monz 2016), forced decoding (Wuebker et al. 2010), or
    both. MODEL stays as it is. After an interruption the same command goes on.

    Example: dragoman reestimate model -o smaller --small
    """
    from dragoman import config
    from dragoman.cli.summary import print_outcomes
    from dragoman.learning import reestimate as learning
    from dragoman.progress import to_terminal

    if (source is None) != (target is None):
        raise UsageError("-s and -t must be given together")
    if fit_weight and weight is not None:
        raise UsageError("--weight and --fit-weight exclude each other")
    derive: dict[str, str | float] = {
        "leave_one_out": leave_one_out,
        "sample": sample,
    }
    models: dict[str, str | float | None] = {"count": count}
    if small:
        derive |= SMALL_DERIVE
        models |= SMALL_MODELS
    derive |= _given(method=method, nbest=nbest, mu=mu, min_count=min_count)
    models |= _given(table=table, size=size, reordering=reordering, bilm=bilm)
    if derive.get("method") == "forced" and not (mu is None and min_count is None):
        raise UsageError("--mu and --min-count are for oracles, not for --method forced")
    if fit_weight or weight is not None:
        if not {"interpolate", "select"} & {models.get(name, "interpolate") for name in MIXED}:
            raise UsageError("a weight needs a model that is mixed with the old one")
        models["weight"] = weight
    outcomes = learning.reestimate(
        model,
        output,
        derive=config.from_mapping(config.DeriveConfig, derive, "reestimate"),
        config=config.from_mapping(config.ReestimateConfig, models, "reestimate"),
        tune=config.TuneConfig(seed=seed),
        retune=retune,
        files=cast(tuple[Path, Path] | None, (source, target) if source else None),
        threads=threads,
        progress=to_terminal(quiet or as_json),
    )
    if not quiet or as_json:
        print_outcomes(outcomes, dry_run=False, as_json=as_json)


def _given(**options: str | float | None) -> dict[str, str | float]:
    return {name: value for name, value in options.items() if value is not None}
