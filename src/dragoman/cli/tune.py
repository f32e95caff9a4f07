"""``dragoman tune``: weights of a model anew, on another dev set or by another method."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options
from dragoman.cli.declared import Given, Offer, offering
from dragoman.errors import UsageError
from dragoman.tuning.config import TuneConfig


@offering(
    "given",
    Offer(
        TuneConfig,
        only=("method", "metric", "seed", "max_iterations", "nbest"),
        flags={"max_iterations": "--rounds"},
    ),
)
def tune(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model directory.")],
    dev: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="SRC REF",
            help="Two files to tune on; without them the dev set of the training is used.",
        ),
    ] = None,
    reference: Annotated[
        list[Path] | None,
        typer.Option(
            "--ref",
            metavar="FILE",
            help="Another translation of the dev set by people; may be repeated.",
        ),
    ] = None,
    others: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            metavar="MODEL2",
            help="Tune how MODEL and this model translate together instead, and keep both in "
            "MODEL; may be repeated.",
        ),
    ] = None,
    given: Given = {},  # noqa: B006 - stands for the options of tuning
    config_file: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", help="A configuration file, whose table [tune] counts."
        ),
    ] = None,
    threads: options.Threads = options.ALL_THREADS,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Tune the weights of a model anew, on another dev set or by another method.

    When it is interrupted, the same command goes on where it was.

    Example: dragoman tune model --dev dev.en dev.fr --ref dev.second.fr --method mert
    """
    from dragoman.cli.summary import print_outcomes, print_scores, resumable
    from dragoman.declared import from_mapping, to_mapping
    from dragoman.progress import to_terminal
    from dragoman.training.config import load
    from dragoman.training.stages.tune import DevFiles
    from dragoman.training.train import run_tuning

    if others:
        from dragoman.arguments import thread_count
        from dragoman.training.agreement import run_agreement
        from dragoman.tuning.config import ConsensusConfig

        strange = sorted(given.keys() - {"seed"})
        if dev is not None or reference or cluster is not None or strange:
            raise UsageError(
                "--with tunes a consensus on the dev set of the training; beside it go only "
                "--seed, --config and --threads"
            )
        agree = load(config_file).consensus if config_file else ConsensusConfig()
        agree = from_mapping(ConsensusConfig, to_mapping(agree) | given, "option")
        outcomes = run_agreement(
            model,
            others,
            agree,
            threads=thread_count(threads),
            progress=to_terminal(quiet or as_json),
        )
        if not quiet or as_json:
            print_outcomes(outcomes, dry_run=False, as_json=as_json)
        return
    if reference and dev is None:
        raise UsageError("--ref is a further reference of --dev, which is not given")
    base = load(config_file).tune if config_file else TuneConfig()
    with resumable(model):
        outcomes = run_tuning(
            model,
            dev=DevFiles(dev[0], (dev[1], *(reference or ()))) if dev else None,
            config=from_mapping(TuneConfig, to_mapping(base) | given, "option"),
            threads=threads,
            cluster=cluster,
            progress=to_terminal(quiet or as_json),
        )
    if not quiet or as_json:
        print_outcomes(outcomes, dry_run=False, as_json=as_json)
    if not (quiet or as_json):
        print_scores(model)
