"""``dragoman translate``: source text in, translations out."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options as shared
from dragoman.errors import UsageError

# Options by the panel of the help they stand in.
_document = partial(typer.Option, rich_help_panel="Documents")
_search = partial(typer.Option, rich_help_panel="Search and pruning")
_input = partial(typer.Option, rich_help_panel="Input")
_output = partial(typer.Option, rich_help_panel="Output")


class Search(StrEnum):
    """The algorithms of paper 000, and cube pruning."""

    pharaoh = "pharaoh"
    estimate = "estimate"
    early = "early"
    cube = "cube"


class Unknown(StrEnum):
    """What becomes of words nothing is known of."""

    copy = "copy"
    drop = "drop"
    mark = "mark"


class OnError(StrEnum):
    """What a bad line does."""

    skip = "skip"
    stop = "stop"


class GraphFormat(StrEnum):
    """How hypergraphs are written."""

    json = "json"
    dot = "dot"


def translate(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model directory.")],
    input_file: Annotated[
        Path | None,
        typer.Option("--input", "-i", metavar="FILE", help="Instead of standard input."),
    ] = None,
    output_file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Instead of standard output."),
    ] = None,
    po: Annotated[
        Path | None, _document(metavar="FILE", help="Fill the untranslated messages of a PO file.")
    ] = None,
    xliff: Annotated[
        Path | None, _document(metavar="FILE", help="Fill the empty targets of XLIFF.")
    ] = None,
    tmx: Annotated[
        Path | None,
        _document(
            metavar="FILE", help="Translate the units of a translation memory that lack it."
        ),
    ] = None,
    final: Annotated[
        bool, _document("--final", help="Do not mark the translations for review.")
    ] = False,
    corrections: Annotated[
        bool, _input("--corrections", help="Obey what the model was taught on the web page.")
    ] = False,
    search: Annotated[Search | None, _search(help="The algorithm.")] = None,
    ttable_threshold: Annotated[
        float | None,
        _search(
            help="Translations of a phrase this much worse than its best are left out; also "
            "early pruning's threshold."
        ),
    ] = None,
    beam_threshold: Annotated[
        float | None,
        _search(help="Hypotheses this much worse than the best of their stack are left out."),
    ] = None,
    ttable_limit: Annotated[
        int | None, _search(min=0, help="Translations of a phrase; 0: all.")
    ] = None,
    beam_limit: Annotated[
        int | None, _search(min=0, help="Hypotheses of a stack; 0: all.")
    ] = None,
    pop_limit: Annotated[
        int | None, _search(min=0, help="Cube pruning: extensions into a stack or cell.")
    ] = None,
    span_limit: Annotated[
        int | None, _search(min=0, help="Hierarchical models: words a rule spans; 0: all.")
    ] = None,
    distortion_limit: Annotated[
        int | None, _search(min=-1, help="Longest jump; -1: no limit; 0: monotone.")
    ] = None,
    gap_limit: Annotated[
        int | None,
        _search(
            min=1,
            help="Most runs of untranslated words; takes the place of the distortion limit "
            "unless that is given too.",
        ),
    ] = None,
    monotone: Annotated[bool, _search("--monotone", help="No reordering at all.")] = False,
    weights: Annotated[Path | None, _search(metavar="FILE", help="Other weights (TOML).")] = None,
    unknown: Annotated[Unknown | None, _search(help="Words nothing is known of.")] = None,
    tokenised: Annotated[
        bool, _input("--tokenised", help="Input and output are tokens as in training.")
    ] = False,
    markup: Annotated[
        bool,
        _input("--markup", help="Obey <t term=...>, <zone>, <wall/>; pass other tags through."),
    ] = False,
    terms: Annotated[
        Path | None,
        _input(metavar="TSV", help="Terminology: source, target, perhaps a probability."),
    ] = None,
    trees: Annotated[
        Path | None,
        _input(
            metavar="FILE", help="Trees of the input, for a model that was preordered along trees."
        ),
    ] = None,
    reference: Annotated[
        Path | None, _input(metavar="FILE", help="Forced decoding: only these translations.")
    ] = None,
    on_error: Annotated[
        OnError, _input(help="Bad lines: an empty line and a message, or the end.")
    ] = OnError.skip,
    nbest: Annotated[int, _output(min=0, help="Write lists of so many translations.")] = 0,
    nbest_file: Annotated[
        Path | None, _output(metavar="FILE", help="Where to; without it they replace the output.")
    ] = None,
    distinct: Annotated[bool, _output("--distinct", help="Only different ones.")] = False,
    mbr: Annotated[int, _output(min=0, help="Choose the consensus of so many translations.")] = 0,
    trace: Annotated[
        Path | None,
        _output(metavar="FILE", help="How each translation came about, as JSON lines."),
    ] = None,
    graph: Annotated[Path | None, _output(metavar="FILE", help="The hypergraphs.")] = None,
    graph_format: Annotated[
        GraphFormat, _output(help="JSON lines or Graphviz.")
    ] = GraphFormat.json,
    stats: Annotated[Path | None, _output(metavar="FILE", help="What it cost, as JSON.")] = None,
    threads: shared.Threads = 1,
) -> None:
    """Translate text, a sentence a line."""
    from dataclasses import fields, replace

    from dragoman.cli.documents import Document, chosen_document, fill
    from dragoman.output.run import Job, run
    from dragoman.search.choice import model_options
    from dragoman.search.options import ChartOptions

    chosen: dict[str, object] = {
        name: value
        for name, value in (
            ("search", search.value if search else None),
            ("ttable_threshold", ttable_threshold),
            ("beam_threshold", beam_threshold),
            ("ttable_limit", ttable_limit),
            ("beam_limit", beam_limit),
            ("pop_limit", pop_limit),
            ("span_limit", span_limit),
            ("distortion_limit", distortion_limit),
            ("gap_limit", gap_limit),
            ("unknown", unknown.value if unknown else None),
        )
        if value is not None
    }
    if monotone:
        chosen["distortion_limit"] = 0
    elif distortion_limit == -1 or (gap_limit is not None and distortion_limit is None):
        chosen["distortion_limit"] = None
    base = model_options(model)
    strange = sorted(chosen.keys() - {field.name for field in fields(base)})
    if strange:
        kind = "a hierarchical model" if isinstance(base, ChartOptions) else "a phrase model"
        names = ", ".join("--" + name.replace("_", "-") for name in strange)
        raise UsageError(f"{model} is {kind}, which has no {names}")
    options = replace(base, **chosen)  # type: ignore[arg-type]
    document = chosen_document(po=po, xliff=xliff, tmx=tmx)
    if document is not None:
        if input_file is not None or markup or tokenised or reference or nbest or mbr:
            raise UsageError("a document is translated alone: no --input, --markup, --nbest, ...")
        fill(
            Document(*document, output_file, final),
            model,
            options=options,
            weights=weights,
            terms=terms,
            use_corrections=corrections,
            threads=threads,
        )
        return
    run(
        Job(
            model=model,
            options=options,
            input=input_file,
            output=output_file,
            weights=weights,
            tokenised=tokenised,
            markup=markup,
            terms=terms,
            corrections=corrections,
            trees=trees,
            reference=reference,
            stop_on_error=on_error is OnError.stop,
            nbest=nbest,
            nbest_file=nbest_file,
            distinct=distinct,
            mbr=mbr,
            trace=trace,
            graph=graph,
            graph_dot=graph_format is GraphFormat.dot,
            stats=stats,
            threads=threads,
        )
    )
