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
from dragoman.errors import UsageError

if TYPE_CHECKING:
    from dragoman.model.directory import ModelDirectory
    from dragoman.report.sweep import Measure
    from dragoman.search.options import SearchOptions


class Climb(StrEnum):
    """What settings are compared by."""

    bleu = "bleu"
    model_score = "model_score"


def sweep(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model directory.")],
    dev: Annotated[
        tuple[Path, Path] | None,
        typer.Option(metavar="SRC REF", help="Two files of tokens to measure on."),
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
    max_points: Annotated[
        int, typer.Option(min=1, help="How many settings of each search to try.")
    ] = 60,
    sentences: Annotated[
        int, typer.Option(min=0, help="Use only so many dev sentences; 0: all.")
    ] = 0,
    repeat: Annotated[int, typer.Option(min=1, help="How often to time each setting.")] = 1,
    plots: Annotated[bool, typer.Option(help="Draw the pictures.")] = True,
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
    if dev is not None:
        measure = _measure(place, dev, sentences, repeat, threads)
        found = library.sweep(
            measure,
            base,
            max_points=max_points,
            quality=climb.value,
            progress=progress.to_terminal(quiet),
        )
        library.save(directory, found)
        if not quiet:
            typer.echo(library.table(found), nl=False)
        if plots:
            from dragoman.report.sweep_plots import draw

            draw(found, directory)
    if pick:
        point = library.pick(library.load(directory), pick)
        chosen = replace(
            base,
            search=point.search,
            ttable_threshold=point.ttable_threshold,
            beam_threshold=point.beam_threshold,
            ttable_limit=point.ttable_limit,
            beam_limit=point.beam_limit,
        )
        save_options(place.file(SEARCH), chosen)
        if not quiet:
            typer.echo(
                f"{point.search} {point.vector}: BLEU {point.bleu:.2f}, "
                f"{point.ms_per_word:.3f} ms per word; written to {model}"
            )


def _measure(
    model: ModelDirectory, dev: tuple[Path, Path], sentences: int, repeat: int, threads: int
) -> Measure:
    from dragoman.corpus.read import read_lines
    from dragoman.evaluation.metrics import make_metric
    from dragoman.model.bundle import Bundle
    from dragoman.report.sweep import Measurement
    from dragoman.search.result import Totals
    from dragoman.search.stack import PhraseSearch
    from dragoman.translation.preordering import ModelPreordering

    source, reference = ([*read_lines(path)][: sentences or None] for path in dev)
    if len(source) != len(reference):
        raise UsageError(f"{dev[0]} has {len(source)} lines, {dev[1]} {len(reference)}")
    # The text is tokens on purpose; sacrebleu would say so at every setting.
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    preordering = ModelPreordering.of_model(model)
    if preordering is not None:
        source = preordering.reordered(source, threads)
    bundle = Bundle.open(model)
    metric = make_metric("bleu", tokenize="none")

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
        score = metric.score(metric.rows(outputs, [reference]).sum(axis=0))
        return Measurement(
            score,
            report["ms_per_word"],
            report["hypotheses_per_word"],
            report["model_score"],
        )

    return measure
