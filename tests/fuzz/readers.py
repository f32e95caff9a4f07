"""Every reader of files that people send, and samples of what it reads."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from starlette.exceptions import HTTPException
from tests.documents.made import docx, echo

from dragoman.corpus.read import ParallelFile
from dragoman.documents.document import DocumentFormat, translated_by
from dragoman.documents.html import html_passage
from dragoman.errors import DragomanError, InputError
from dragoman.files import read_toml
from dragoman.model.manifest import Manifest
from dragoman.model.pack import unpack
from dragoman.model.weights import read_weights
from dragoman.rules.moses import read_ini
from dragoman.server.multipart import read_multipart
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm
from dragoman.text.protect import HeldPieces
from dragoman.training.config import load
from dragoman.translation.demands import parse_markup
from dragoman.translation.terms import Terms

CORPORA = Path(__file__).parent / "corpora"
LANGUAGES = ("en", "fr")
FORM = TextForm(TextConfig(source_language="en", target_language="fr"))


def pairs(kind: str) -> Callable[[Path], object]:
    return lambda path: list(ParallelFile(kind, (path,)).read(*LANGUAGES))


def document(kind: DocumentFormat) -> Callable[[Path], object]:
    return lambda path: translated_by(path, LANGUAGES, echo, kind=kind)


def word(path: Path) -> None:
    """Paragraphs of a DOCX file whose archive is sound."""
    path.write_bytes(docx(path.read_text("utf-8", errors="replace")))
    translated_by(path, LANGUAGES, echo, kind="docx")


def markup(path: Path) -> None:
    for line in path.read_text("utf-8", errors="replace").splitlines():
        try:
            parse_markup(line, HeldPieces(), TextForm.tokenised())
        except DragomanError:
            continue  # whoever reads the file knows its name
        html_passage(line).cut()


def terms(path: Path) -> None:
    """A glossary, whose ending says what it is."""
    Terms.read(path, FORM)


def form(path: Path) -> None:
    """A form with files, as the server gets it; the first line says what separates fields."""
    head, _, body = path.read_bytes().partition(b"\n")
    try:
        read_multipart(head.decode("latin-1"), body)
    except HTTPException as problem:
        assert problem.status_code == 422
        raise InputError(f"{path}: {problem.detail}") from problem


def packed(path: Path) -> None:
    place = path.with_name("unpacked")
    try:
        unpack(path, place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


READERS: dict[str, list[Callable[[Path], object]]] = {
    "tmx": [pairs("tmx"), document("tmx")],
    "xliff": [pairs("xliff"), document("xliff")],
    "po": [pairs("po"), document("po")],
    "tsv": [pairs("tsv")],
    "text": [document("text")],
    "page": [document("html")],
    "markdown": [document("markdown")],
    "srt": [document("srt")],
    "vtt": [document("vtt")],
    "docx": [document("docx")],
    "wordml": [word],
    "ini": [read_ini],
    "terms": [terms],
    "csv": [terms],
    "tbx": [terms],
    "toml": [read_toml, read_weights, Manifest.read, load],
    "form": [form],
    "pack": [packed],
    "markup": [markup],
}


def samples(kind: str) -> list[bytes]:
    found = [path.read_bytes() for path in sorted((CORPORA / kind).iterdir())]
    assert found, f"no samples of {kind}"
    return found
