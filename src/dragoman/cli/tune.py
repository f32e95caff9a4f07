"""``dragoman tune``: weights of a model anew, on another dev set or by another method."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options
from dragoman.errors import UsageError


def tune(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model directory.")],
    dev: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="SRC REF", help="Two files to tune on; else the dev set of the training."
        ),
    ] = None,
    reference: Annotated[
        list[Path] | None,
        typer.Option(
            "--ref", metavar="FILE", help="A further reference of --dev; may be repeated."
        ),
    ] = None,
    method: Annotated[str | None, typer.Option(help="mira, mert, pro or perceptron.")] = None,
    metric: Annotated[
        str | None, typer.Option(help="What to raise: bleu, chrf, ter or ribes.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the optimiser.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds at most.")] = None,
    nbest: Annotated[
        int | None, typer.Option(help="Translations per sentence that each round adds.")
    ] = None,
    config_file: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="TOML; its [tune] counts.")
    ] = None,
    threads: options.Threads = options.ALL_THREADS,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Tune the weights of a model.

    Interrupted, the same command goes on where it was.

    Example: dragoman tune model --dev dev.en dev.fr --ref dev.second.fr --method mert
    """
    from dragoman import config, training
    from dragoman.cli.summary import print_outcomes, print_scores
    from dragoman.progress import to_terminal

    if reference and dev is None:
        raise UsageError("--ref is a further reference of --dev, which is not given")
    said = {
        "method": method,
        "metric": metric,
        "seed": seed,
        "max_iterations": rounds,
        "nbest": nbest,
    }
    base = config.load(config_file).tune if config_file else config.TuneConfig()
    values = config.to_mapping(base) | {k: v for k, v in said.items() if v is not None}
    outcomes = training.tune_model(
        model,
        dev=(dev[0], [dev[1], *(reference or ())]) if dev else None,
        config=config.from_mapping(config.TuneConfig, values, "tune"),
        threads=threads,
        progress=to_terminal(quiet or as_json),
    )
    if not quiet or as_json:
        print_outcomes(outcomes, dry_run=False, as_json=as_json)
    if not (quiet or as_json):
        print_scores(model)
