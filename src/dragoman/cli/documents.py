"""The part of ``dragoman translate`` that fills documents."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.errors import UsageError

if TYPE_CHECKING:
    from dragoman.output.documents import DocumentFormat
    from dragoman.search.options import ChartOptions, SearchOptions


@dataclass(frozen=True)
class Document:
    """A file to fill, and where to."""

    format: DocumentFormat
    path: Path
    output: Path | None
    final: bool


def chosen_document(**paths: Path | None) -> tuple[DocumentFormat, Path] | None:
    """The format and the file that the options name, if they name one."""
    given = [(kind, path) for kind, path in paths.items() if path is not None]
    if len(given) > 1:
        raise UsageError(f"one document at a time: --{given[0][0]} or --{given[1][0]}")
    return given[0] if given else None  # type: ignore[return-value]  # the names are formats


def fill(
    document: Document,
    model: Path,
    *,
    options: SearchOptions | ChartOptions,
    weights: Path | None,
    terms: Path | None,
    use_corrections: bool,
    threads: int,
) -> None:
    """Fill a document and say what was done."""
    from dragoman.model.bundle import Bundle
    from dragoman.output.corrections import Corrections
    from dragoman.output.documents import translate_document
    from dragoman.output.text import TextForm
    from dragoman.output.translator import Translator
    from dragoman.search.choice import make_search
    from dragoman.search.markup import load_terms
    from dragoman.workspace import Workspace, written_whole

    form = TextForm.of_model(model)
    bundle = Bundle.open(model, weights=weights)
    translator = Translator(make_search(bundle, options, threads=threads), form)
    prepared = Workspace(model).read_manifest().stages.get("prepare")
    languages = prepared.parameters if prepared is not None else {}
    filled = translate_document(
        document.path,
        document.format,
        translator,
        languages=(
            str(languages.get("source_language", "")),
            str(languages.get("target_language", "")),
        ),
        final=document.final,
        terms=load_terms(terms, form.prepare_term, form.prepare_target) if terms else None,
        corrections=Corrections(model, form) if use_corrections else None,
    )
    if document.output is None:
        sys.stdout.buffer.write(filled.content)
        sys.stdout.buffer.flush()
    else:
        with written_whole(document.output) as temporary:
            temporary.write_bytes(filled.content)
    print(
        f"{document.path}: {filled.filled} filled, {filled.kept} were translated already",
        file=sys.stderr,
    )
