"""``dragoman translate``: source text in, translations out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options as shared
from dragoman.errors import UsageError

_SEARCH = "Search and pruning"
_OUTPUT = "Output"
_INPUT = "Input"
_DOCUMENT = "Documents"


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
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Fill the untranslated messages of a PO file.",
            rich_help_panel=_DOCUMENT,
        ),
    ] = None,
    xliff: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Fill the empty targets of XLIFF.", rich_help_panel=_DOCUMENT
        ),
    ] = None,
    tmx: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Translate the units of a translation memory that lack it.",
            rich_help_panel=_DOCUMENT,
        ),
    ] = None,
    final: Annotated[
        bool,
        typer.Option(
            "--final", help="Do not mark the translations for review.", rich_help_panel=_DOCUMENT
        ),
    ] = False,
    corrections: Annotated[
        bool,
        typer.Option(
            "--corrections",
            help="Obey what the model was taught on the web page.",
            rich_help_panel=_INPUT,
        ),
    ] = False,
    search: Annotated[
        Search | None, typer.Option(help="The algorithm.", rich_help_panel=_SEARCH)
    ] = None,
    ttable_threshold: Annotated[
        float | None,
        typer.Option(
            help="Translations of a phrase this much worse than its best are left out; also "
            "early pruning's threshold.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    beam_threshold: Annotated[
        float | None,
        typer.Option(
            help="Hypotheses this much worse than the best of their stack are left out.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    ttable_limit: Annotated[
        int | None,
        typer.Option(min=0, help="Translations of a phrase; 0: all.", rich_help_panel=_SEARCH),
    ] = None,
    beam_limit: Annotated[
        int | None,
        typer.Option(min=0, help="Hypotheses of a stack; 0: all.", rich_help_panel=_SEARCH),
    ] = None,
    pop_limit: Annotated[
        int | None,
        typer.Option(
            min=0, help="Cube pruning: extensions into a stack or cell.", rich_help_panel=_SEARCH
        ),
    ] = None,
    span_limit: Annotated[
        int | None,
        typer.Option(
            min=0, help="Hierarchical models: words a rule spans; 0: all.", rich_help_panel=_SEARCH
        ),
    ] = None,
    distortion_limit: Annotated[
        int | None,
        typer.Option(
            min=-1, help="Longest jump; -1: no limit; 0: monotone.", rich_help_panel=_SEARCH
        ),
    ] = None,
    gap_limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Most runs of untranslated words; takes the place of the distortion limit "
            "unless that is given too.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    monotone: Annotated[
        bool, typer.Option("--monotone", help="No reordering at all.", rich_help_panel=_SEARCH)
    ] = False,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Other weights (TOML).", rich_help_panel=_SEARCH),
    ] = None,
    unknown: Annotated[
        Unknown | None,
        typer.Option(help="Words nothing is known of.", rich_help_panel=_SEARCH),
    ] = None,
    tokenised: Annotated[
        bool,
        typer.Option(
            "--tokenised",
            help="Input and output are tokens as in training.",
            rich_help_panel=_INPUT,
        ),
    ] = False,
    markup: Annotated[
        bool,
        typer.Option(
            "--markup",
            help="Obey <t term=...>, <zone>, <wall/>; pass other tags through.",
            rich_help_panel=_INPUT,
        ),
    ] = False,
    terms: Annotated[
        Path | None,
        typer.Option(
            metavar="TSV",
            help="Terminology: source, target, perhaps a probability.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    trees: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Trees of the input, for a model that was preordered along trees.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Forced decoding: only these translations.",
            rich_help_panel=_INPUT,
        ),
    ] = None,
    on_error: Annotated[
        OnError,
        typer.Option(
            help="Bad lines: an empty line and a message, or the end.", rich_help_panel=_INPUT
        ),
    ] = OnError.skip,
    nbest: Annotated[
        int,
        typer.Option(min=0, help="Write lists of so many translations.", rich_help_panel=_OUTPUT),
    ] = 0,
    nbest_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where to; without it they replace the output.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="Only different ones.", rich_help_panel=_OUTPUT)
    ] = False,
    mbr: Annotated[
        int,
        typer.Option(
            min=0, help="Choose the consensus of so many translations.", rich_help_panel=_OUTPUT
        ),
    ] = 0,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="How each translation came about, as JSON lines.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The hypergraphs.", rich_help_panel=_OUTPUT),
    ] = None,
    graph_format: Annotated[
        GraphFormat, typer.Option(help="JSON lines or Graphviz.", rich_help_panel=_OUTPUT)
    ] = GraphFormat.json,
    stats: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What it cost, as JSON.", rich_help_panel=_OUTPUT),
    ] = None,
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
        options = ", ".join("--" + name.replace("_", "-") for name in strange)
        raise UsageError(f"{model} is {kind}, which has no {options}")
    document = chosen_document(po=po, xliff=xliff, tmx=tmx)
    if document is not None:
        if input_file is not None or markup or tokenised or reference or nbest or mbr:
            raise UsageError("a document is translated alone: no --input, --markup, --nbest, ...")
        fill(
            Document(*document, output_file, final),
            model,
            options=replace(base, **chosen),  # type: ignore[arg-type]
            weights=weights,
            terms=terms,
            use_corrections=corrections,
            threads=threads,
        )
        return
    run(
        Job(
            model=model,
            options=replace(base, **chosen),  # type: ignore[arg-type]
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
