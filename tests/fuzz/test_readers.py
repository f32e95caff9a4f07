"""Whatever the bytes, a reader gives something or a DragomanError that names the file, soon.

DRAGOMAN_FUZZ_ROUNDS sets how many files of each kind are tried; `make fuzz` tries many.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.documents.made import docx, echo
from tests.fuzz.mutants import mutant

from dragoman.corpus.read import ParallelFile
from dragoman.documents.document import DocumentFormat, translated_by
from dragoman.documents.html import html_passage
from dragoman.errors import DragomanError
from dragoman.files import read_toml
from dragoman.model.manifest import Manifest
from dragoman.model.weights import read_weights
from dragoman.rules.moses import read_ini
from dragoman.server.api import Settings
from dragoman.server.app import create_app, open_models
from dragoman.server.log import Log
from dragoman.text.form import TextForm
from dragoman.text.protect import HeldPieces
from dragoman.translation.demands import parse_markup
from dragoman.translation.terms import Terms

pytestmark = pytest.mark.slow

CORPORA = Path(__file__).parent / "corpora"
ROUNDS = int(os.environ.get("DRAGOMAN_FUZZ_ROUNDS", "150"))
SECONDS = 10.0  # for one file of a few kilobytes, on a busy machine
LANGUAGES = ("en", "fr")


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
    "terms": [lambda path: Terms.read(path, TextForm.tokenised())],
    "toml": [read_toml, read_weights, Manifest.read],
    "markup": [markup],
}


def samples(kind: str) -> list[bytes]:
    found = [path.read_bytes() for path in sorted((CORPORA / kind).iterdir())]
    assert found, f"no samples of {kind}"
    return found


def mutants(kind: str) -> Iterator[bytes]:
    sound = samples(kind)
    others = [one for directory in sorted(CORPORA.iterdir()) for one in samples(directory.name)]
    chance = random.Random(kind)
    yield from sound
    for _ in range(ROUNDS):
        yield mutant(chance.choice(sound), others, chance)


@pytest.mark.parametrize("kind", READERS)
def test_a_reader_and_what_went_wrong(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"mutant.{kind}"
    refused = 0
    for content in mutants(kind):
        path.write_bytes(content)
        for read in READERS[kind]:
            begun = time.process_time()
            try:
                read(path)
            except DragomanError as problem:
                refused += 1
                assert str(path) in str(problem)
            assert time.process_time() - begun < SECONDS, content[:200]
    assert kind == "markup" or refused > 0


def test_a_server_and_what_was_sent(trained: Path) -> None:
    from starlette.testclient import TestClient

    settings = Settings(log=Log(None))
    app = create_app(open_models([trained], threads=1, settings=settings), settings)
    statuses = set()
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        for content in mutants("http"):
            path = "/corrections" if b"correct" in content else "/translate"
            answer = client.post(
                path, content=content, headers={"Content-Type": "application/json"}
            )
            assert answer.status_code < 500, (content, answer.text)
            json.loads(answer.content)
            statuses.add(answer.status_code)
    assert 200 in statuses
    assert len(statuses) > 1
