"""``dragoman translate``: lines of text or documents in, translations out."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import options as shared
from dragoman.cli.declared import Given, offering
from dragoman.cli.documents import Kind, as_format, check_places, write_document
from dragoman.cli.memory import MEMORY_OFFER, taken_memory
from dragoman.cli.search import SEARCH_OFFERS, chosen_options
from dragoman.errors import UsageError
from dragoman.search.options import MOST_TRANSLATIONS

_input = partial(typer.Option, rich_help_panel="Input")
_output = partial(typer.Option, rich_help_panel="Output")
_together = partial(typer.Option, rich_help_panel="Consensus")
_search = partial(typer.Option, rich_help_panel="Search and pruning")


class OnError(StrEnum):
    """What a bad line does."""

    skip = "skip"
    stop = "stop"


class GraphFormat(StrEnum):
    """How hypergraphs are written."""

    json = "json"
    dot = "dot"


@offering("given", *SEARCH_OFFERS, MEMORY_OFFER)
def translate(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model directory.")],
    document: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A document: .txt, .html, .md, .srt, .vtt, .docx, .po, .xlf or .tmx; what has "
            "another ending is translated line by line.",
            show_default=False,
        ),
    ] = None,
    input_file: Annotated[
        Path | None,
        typer.Option(
            "--input",
            "-i",
            metavar="FILE",
            help="The file of lines to read, instead of standard input.",
        ),
    ] = None,
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file to write, instead of standard output."
        ),
    ] = None,
    terms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Terms that translations must use: a glossary in TSV, CSV or TBX."
        ),
    ] = None,
    corrections: Annotated[
        bool, typer.Option("--corrections", help="Obey the corrections that the model was taught.")
    ] = False,
    protect: shared.Protect = None,
    kind: Annotated[
        Kind | None,
        _input("--format", help="The format of FILE, if its name does not say it."),
    ] = None,
    final: Annotated[
        bool, _input("--final", help="Do not mark translations in PO, XLIFF and TMX for review.")
    ] = False,
    markup: Annotated[
        bool,
        _input("--markup", help="Obey the tags <t term=...>, <zone> and <wall/> in the text."),
    ] = False,
    tokenised: Annotated[
        bool, _input("--tokenised", help="Read and write tokens, as the model sees them.")
    ] = False,
    trees: Annotated[
        Path | None,
        _input(
            metavar="FILE",
            help="Parse trees of the input, for models trained with --preorder trees.",
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        _input(
            metavar="FILE",
            help="Translations that are to come out: say how the model makes them (forced "
            "decoding).",
        ),
    ] = None,
    on_error: Annotated[
        OnError,
        _input(help="What happens at a bad line: a message and an empty line, or the end."),
    ] = OnError.skip,
    nbest: Annotated[
        int,
        _output(
            min=0, max=MOST_TRANSLATIONS, help="Write this many translations of each sentence."
        ),
    ] = 0,
    nbest_file: Annotated[
        Path | None,
        _output(
            metavar="FILE", help="Write the lists of --nbest to this file, not to the output."
        ),
    ] = None,
    distinct: Annotated[
        bool, _output("--distinct", help="List only translations that differ (with --nbest).")
    ] = False,
    matches_file: Annotated[
        Path | None,
        _output(
            "--matches",
            metavar="FILE",
            help="Write what the translation memory offers (JSON lines).",
        ),
    ] = None,
    confidence: Annotated[
        Path | None,
        _output(metavar="FILE", help="Write how sure translations and words are (JSON lines)."),
    ] = None,
    trace: Annotated[
        Path | None,
        _output(metavar="FILE", help="Write how each translation came about (JSON lines)."),
    ] = None,
    graph: Annotated[
        Path | None,
        _output(metavar="FILE", help="Write all that each search has kept (search graphs)."),
    ] = None,
    graph_format: Annotated[
        GraphFormat, _output(help="The format of --graph: JSON lines, or dot for Graphviz.")
    ] = GraphFormat.json,
    stats: Annotated[
        Path | None, _output(metavar="FILE", help="Write what the search cost (JSON).")
    ] = None,
    given: Given = {},  # noqa: B006 - stands for the options of the search
    others: Annotated[
        list[Path] | None,
        _together(
            "--with",
            metavar="MODEL2",
            help="Another model of the same languages, to translate together with; may be "
            "repeated.",
        ),
    ] = None,
    mbr: Annotated[
        int,
        _together(
            min=0,
            max=MOST_TRANSLATIONS,
            help="Choose, among this many translations of each model, the one that is most like "
            "the others (minimum Bayes risk).",
        ),
    ] = 0,
    alone: Annotated[
        bool, _together("--alone", help="Of a model trained with --best, use the plain one only.")
    ] = False,
    monotone: Annotated[
        bool, _search("--monotone", help="Keep the order of the source words.")
    ] = False,
    weights: Annotated[
        Path | None, _search(metavar="FILE", help="Weights to use instead of the model's (TOML).")
    ] = None,
    threads: shared.Threads = 1,
    cluster: shared.Cluster = None,
    quiet: shared.Quiet = False,
) -> None:
    """Translate text, a sentence a line, or a document.

    Example: dragoman translate model < input.en > output.fr

    Example: dragoman translate model letter.docx -o brief.docx
    """
    from dragoman.cluster import crew_for
    from dragoman.documents.document import known_format
    from dragoman.layout import SOURCE_VOCABULARY
    from dragoman.progress import beside_output, to_terminal
    from dragoman.translation.job import Job, run
    from dragoman.translation.translator import Translator

    memory, given = taken_memory(given)
    if document is None and (kind or final):
        raise UsageError("--format and --final are about a document: name it behind the model")
    if document is not None and input_file is not None:
        raise UsageError(f"give {document} or --input, not both")
    if input_file is not None and known_format(input_file) not in (None, "text"):
        to_terminal(quiet).message(
            f"{input_file} is read line by line; it is translated as a document without --input: "
            f"dragoman translate {model} {input_file}"
        )
    chosen = None
    if document is not None:
        chosen = known_format(document) if kind is None else as_format(kind)
        if chosen is None:
            if " " in document.name and not document.exists():
                raise UsageError(
                    f"{document}: no such file; a sentence is read from standard input: "
                    f"echo '{document}' | dragoman translate {model}"
                )
            input_file, document = document, None
    if final and chosen is None:
        raise UsageError("--final is about documents; lines have no marks for review")
    if monotone:
        if given.get("distortion_limit", 0) != 0:
            raise UsageError("--monotone is --distortion-limit 0; give one of them")
        given = given | {"distortion_limit": 0}
    also_read = tuple(path for path in (terms, weights, trees) if path is not None)
    if document is not None and chosen is not None:
        for option, given_too in (
            ("--markup", markup),
            ("--tokenised", tokenised),
            ("--trees", trees is not None),
            ("--reference", reference is not None),
            ("--on-error", on_error is not OnError.skip),
            ("--nbest", nbest > 0 or nbest_file is not None or distinct),
            ("--mbr", mbr > 0),
            ("--matches", matches_file is not None),
            ("--confidence", confidence is not None),
            ("--trace", trace is not None),
            ("--graph", graph is not None or graph_format is not GraphFormat.json),
            ("--stats", stats is not None),
            ("--cluster", cluster is not None),
        ):
            if given_too:
                raise UsageError(
                    f"{option} is for lines, and {document} is a document ({chosen}); "
                    "--format lines takes it line by line"
                )
        check_places(document, output_file, chosen, also_read)
    translator = Translator.open(
        model,
        options=chosen_options(model, given),
        weights=weights,
        tokenised=tokenised,
        protect=protect or (),
        threads=threads,
        trees=trees,
        others=others or (),
        mbr=mbr,
        alone=alone,
    )
    if document is not None and chosen is not None:
        demands = translator.document_demands(terms=terms, corrections=corrections, memory=memory)
        write_document(
            translator, document, output_file, chosen, final=final, demands=demands, quiet=quiet
        )
        return
    job = Job(
        input=input_file,
        output=output_file,
        demands=translator.demands(
            terms=terms, corrections=corrections, markup=markup, memory=memory
        ),
        reference=reference,
        also_read=also_read,
        stop_on_error=on_error is OnError.stop,
        nbest=nbest,
        nbest_file=nbest_file,
        distinct=distinct,
        matches=matches_file,
        confidence=confidence,
        trace=trace,
        graph=graph,
        graph_dot=graph_format is GraphFormat.dot,
        stats=stats,
    )
    progress = (
        to_terminal(quiet)
        if cluster
        else beside_output(to_file=output_file is not None, quiet=quiet)
    )
    place = translator.directory.file(SOURCE_VOCABULARY)
    with crew_for(cluster, place, threads=threads, writing=False, progress=progress) as crew:
        run(translator, job, crew, progress)
