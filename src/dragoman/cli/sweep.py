"""``dragoman sweep``: the trade-off between speed and quality, and its place in the model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options as shared
from dragoman.errors import MissingExtraError, UsageError


class Climb(StrEnum):
    """What settings are compared by."""

    bleu = "bleu"
    model_score = "model_score"


def sweep(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model directory.")],
    dev: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="SRC REF",
            help="Two files to measure on, as the model takes text; they are prepared as in "
            "training.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="The folder for results, instead of MODEL/sweep."
        ),
    ] = None,
    pick: Annotated[
        str,
        typer.Option(
            metavar="[best|fast|X]",
            help="Write a setting into the model: the best one, a fast one that is at most 0.02 "
            "BLEU worse, or the best one that takes at most X milliseconds a word.",
        ),
    ] = "",
    climb: Annotated[
        Climb,
        typer.Option(
            help="What the settings to try next are chosen by: BLEU, as in the paper, or the "
            "search's own score."
        ),
    ] = Climb.bleu,
    grid: Annotated[
        bool,
        typer.Option(
            "--grid",
            help="Measure all thresholds and beam limits of the paper at its t-table limit, 20, "
            "first: 125 settings of each search, and 325 of pharaoh.",
        ),
    ] = False,
    give_up: Annotated[
        bool | None,
        typer.Option(
            help="Whether extensions are given up half-way, which the paper's searches do not do; "
            "unless you say, as the model has it."
        ),
    ] = None,
    distortion_limit: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How many words a jump may skip, also in what is picked; unless you say, as the "
            "model has it.",
        ),
    ] = None,
    max_points: Annotated[
        int, typer.Option(min=1, help="How many settings of each search are tried.")
    ] = 60,
    sentences: Annotated[
        int,
        typer.Option(min=0, help="How many dev sentences are used, from the first on; 0: all."),
    ] = 0,
    repeat: Annotated[
        int, typer.Option(min=1, help="How often each setting is timed; the fastest time counts.")
    ] = 1,
    plots: Annotated[
        bool | None,
        typer.Option(
            help="Whether pictures are drawn; unless you say, where matplotlib is installed."
        ),
    ] = None,
    threads: shared.Threads = 1,
    cluster: shared.Cluster = None,
    quiet: shared.Quiet = False,
) -> None:
    """Measure how good and how fast pruning settings are on a dev set, and choose one.

    Example: dragoman sweep model --dev dev.en dev.fr --pick fast
    """
    from dataclasses import replace

    from dragoman import progress
    from dragoman.cluster import crew_for
    from dragoman.layout import SEARCH, SOURCE_VOCABULARY, SWEEP
    from dragoman.model.directory import ModelDirectory
    from dragoman.report import sweep as library
    from dragoman.report.sweep_measure import DevMeasure
    from dragoman.search.choice import model_options
    from dragoman.search.options import SearchOptions, save_options

    place = ModelDirectory.open(model)
    directory = output if output is not None else place.file(SWEEP)
    if dev is None and not pick:
        raise UsageError("give --dev SRC REF to measure, --pick to choose, or both")
    if pick:
        library.milliseconds(pick)  # a wish that means nothing ends before the work
    base = model_options(place)
    if not isinstance(base, SearchOptions):
        raise UsageError(f"{model}: hierarchical; only phrase models have these settings")
    if distortion_limit is not None:
        base = replace(base, distortion_limit=distortion_limit)
    if dev is not None:
        from dragoman.report.sweep_plots import check_drawable, draw

        if plots:
            check_drawable()  # before the work, not behind it
        tried = base if give_up is None else replace(base, give_up=give_up)
        shown = progress.to_terminal(quiet)
        # A worker does several settings at a time instead.
        each = threads if cluster is None else 1
        measure = DevMeasure.of(place, dev, sentences, repeat, each)
        with crew_for(
            cluster, place.file(SOURCE_VOCABULARY), writing=False, progress=shown
        ) as crew:
            sweeping = library.Sweep(measure, tried, crew)
            found = sweeping.run(
                max_points=max_points, grid=grid, quality=climb.value, progress=shown
            )
        text = library.save(directory, found, sweeping.draws)
        if not quiet:
            typer.echo(text, nl=False)
        if plots is not False:
            try:
                draw(found, directory)
            except MissingExtraError as problem:
                typer.echo(f"no pictures: {problem}", err=True)
    if pick:
        point = library.pick(library.load(directory), pick)
        save_options(place.file(SEARCH), library.options_at(base, point.search, point.vector))
        if not quiet:
            typer.echo(
                f"{point.search} {point.vector}: BLEU {point.bleu:.2f}, "
                f"{point.ms_per_word:.3f} ms per word; written to {model}"
            )
