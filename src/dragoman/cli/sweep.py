"""``dragoman sweep``: the trade-off between speed and quality, and its place in the model."""

from __future__ import annotations

import logging
import math
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import options as shared
from dragoman.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from dragoman.model.directory import ModelDirectory
    from dragoman.report.sweep import Measure
    from dragoman.search.options import SearchOptions


# Dev sets drawn with replacement, for the intervals.
_RESAMPLED = 1000


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
            help="What to measure on: text as the model takes it, prepared as in training.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="The folder for results; else MODEL/sweep."
        ),
    ] = None,
    pick: Annotated[
        str,
        typer.Option(
            help="Write a setting into the model: best, fast (0.02 BLEU below it), or the best "
            "within so many ms per word."
        ),
    ] = "",
    climb: Annotated[
        Climb, typer.Option(help="What to climb by: the paper's BLEU, or the search's own score.")
    ] = Climb.bleu,
    grid: Annotated[
        bool,
        typer.Option(
            "--grid",
            help="Measure all thresholds and beam limits of the paper at its t-table limit, 20, "
            "before climbing: 125 settings of a search, 325 of pharaoh.",
        ),
    ] = False,
    give_up: Annotated[
        bool | None,
        typer.Option(
            help="Whether extensions are given up half-way, which the paper's searches do not do; "
            "else as the model has it."
        ),
    ] = None,
    distortion_limit: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How many words a jump may skip, also in what is picked; else as in the model.",
        ),
    ] = None,
    max_points: Annotated[
        int, typer.Option(min=1, help="How many settings of each search to try.")
    ] = 60,
    sentences: Annotated[
        int, typer.Option(min=0, help="Use only so many dev sentences; 0: all.")
    ] = 0,
    repeat: Annotated[
        int, typer.Option(min=1, help="How often to time each setting; the fastest counts.")
    ] = 1,
    plots: Annotated[
        bool | None,
        typer.Option(help="Draw the pictures; else they are drawn where matplotlib is there."),
    ] = None,
    threads: shared.Threads = 1,
    quiet: shared.Quiet = False,
) -> None:
    """Try pruning settings on a dev set (--dev), choose one (--pick), or both.

    Example: dragoman sweep model --dev dev.en dev.fr --pick fast
    """
    from dataclasses import replace

    from dragoman import progress
    from dragoman.layout import SEARCH, SWEEP
    from dragoman.model.directory import ModelDirectory
    from dragoman.report import sweep as library
    from dragoman.search.choice import model_options
    from dragoman.search.options import SearchOptions, save_options

    place = ModelDirectory.open(model)
    directory = output if output is not None else place.file(SWEEP)
    if dev is None and not pick:
        raise UsageError("give --dev SRC REF to measure, --pick to choose, or both")
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
        sweeping = library.Sweep(_measure(place, dev, sentences, repeat, threads), tried)
        found = sweeping.run(
            max_points=max_points,
            grid=grid,
            quality=climb.value,
            progress=progress.to_terminal(quiet),
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


def _measure(
    model: ModelDirectory, dev: tuple[Path, Path], sentences: int, repeat: int, threads: int
) -> Measure:
    import numpy as np

    from dragoman.corpus.read import read_lines
    from dragoman.evaluation.metrics import make_metric
    from dragoman.model.bundle import Bundle
    from dragoman.report.sweep_points import Measurement
    from dragoman.search.result import Totals
    from dragoman.search.stack import PhraseSearch
    from dragoman.translation.preordering import ModelPreordering

    source, reference = ([*read_lines(path)][: sentences or None] for path in dev)
    if len(source) != len(reference):
        raise UsageError(f"{dev[0]} has {len(source)} lines, {dev[1]} {len(reference)}")
    if not source:
        raise UsageError(f"{dev[0]}: empty; there is nothing to measure on")
    # As the model sees text, like the dev set of tuning.
    form = model.text_form()
    pairs = zip(source, reference, strict=True)
    reference = [form.prepare_pair(*pair)[1] for pair in pairs]
    source = [form.prepare_source(line) for line in source]
    # These are tokens on purpose; sacrebleu would say so at every setting.
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    preordering = ModelPreordering.of_model(model)
    if preordering is not None:
        source = preordering.reordered(source, threads)
    bundle = Bundle.open(model)
    metric = make_metric("bleu", tokenize="none")
    # The same for each setting, so that differences between settings are paired.
    drawn = np.random.default_rng(1).multinomial(
        len(source), np.full(len(source), 1 / len(source)), size=_RESAMPLED
    )

    def measure(options: SearchOptions) -> Measurement:
        search = PhraseSearch(bundle, options, threads=threads)
        # The first time, phrases are looked up and kept; that is measured apart in bench/.
        outputs = [result.best.target for result in search.decode(source, features=False)]
        # Processor time, so that other work on the machine does not count.
        seconds = math.inf
        for _ in range(repeat):
            totals = Totals()
            begun = time.process_time()
            for _ in search.decode(source, features=False, totals=totals):
                pass
            seconds = min(seconds, time.process_time() - begun)
        totals.seconds = seconds
        report = totals.report(options)
        rows = metric.rows(outputs, [reference])
        return Measurement(
            metric.score(rows.sum(axis=0)),
            report["ms_per_word"],
            report["hypotheses_per_word"],
            report["model_score"],
            report["lm_lookups_per_word"],
            metric.scores(drawn @ rows),
        )

    return measure
