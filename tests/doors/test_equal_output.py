"""One translator behind every door: the same sentence, with the same demands, gives the same text
through each, or a refusal that says why."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from starlette.testclient import TestClient
from tests.documents.made import docx, part
from tests.doors.kinds import KINDS, lines_of

from dragoman.cli.main import app_for
from dragoman.errors import DragomanError
from dragoman.layout import CORRECTIONS
from dragoman.model.directory import ModelDirectory
from dragoman.search.choice import changed_options, model_options
from dragoman.server.api import Settings
from dragoman.server.app import create_app, open_models
from dragoman.server.log import Log
from dragoman.translation.translator import Translator

pytestmark = pytest.mark.slow

# Of the phrasebook, not in the training text; one with what must not be translated, one with
# words nobody knows.
PLACES = (7, 43, 101)
SENTENCES = [
    *(lines_of("test.en", 1)[place] for place in PLACES),
    "the zwieback is in the blunderbuss .",
    "I paid %d for <b> the house </b> , see https://example.org/a?b=1 .",
]
TREES = [
    *(lines_of("test.en.trees", 1)[place] for place in PLACES),
    "()",
    "()",
]
MARKED = [
    'the <t term="la petite maison">house</t> is <zone>very old</zone> .',
    "good morning <wall/> , sir .",
]
TERMS = {"house": "baraque", "the station": "la petite gare"}
NBEST = 4


class RefusedError(Exception):
    """A door says no, and why."""


@dataclass(frozen=True)
class Case:
    """What is asked."""

    sentences: Sequence[str] = tuple(SENTENCES)
    trees: Sequence[str] = tuple(TREES)
    terms: Mapping[str, str] = field(default_factory=dict)
    corrections: bool = False
    markup: bool = False
    unknown: str = ""
    nbest: int = 0
    memory: str = "off"


CASES = {
    "plain": Case(),
    "terms": Case(terms=TERMS),
    "corrections": Case(corrections=True),
    "markup": Case(sentences=tuple(MARKED), trees=("()", "()"), markup=True),
    "unknown": Case(unknown="mark"),
    "nbest": Case(nbest=NBEST),
    # Of the training text, and one that is like one of it.
    "memory": Case(
        sentences=(*lines_of("train.en")[5:8], "the zwieback is in the house ."),
        trees=(*lines_of("train.en.trees")[5:8], "()"),
        memory="fuzzy",
    ),
}
# A door gives a translation of each sentence, or a list of them.
Said = list[str] | list[list[str]]
Door = Callable[[Path, Case, Path], Said]


def run_app(*arguments: object) -> None:
    try:
        words = [str(argument) for argument in arguments]
        app_for(words)(words, standalone_mode=False)
    except DragomanError as problem:
        raise RefusedError(str(problem)) from problem
    except Exception as problem:
        if not hasattr(problem, "format_message"):  # the command line's own refusals have it
            raise
        raise RefusedError(problem.format_message()) from problem


def common_options(case: Case, place: Path) -> list[object]:
    options: list[object] = ["--memory-matches", case.memory]
    if case.terms:
        terms = place / "terms.tsv"
        terms.write_text("".join(f"{s}\t{t}\n" for s, t in case.terms.items()), "utf-8")
        options += ["--terms", terms]
    if case.corrections:
        options += ["--corrections"]
    if case.unknown:
        options += ["--unknown", case.unknown]
    if case.markup:
        options += ["--markup"]
    return options


def command_line(model: Path, case: Case, place: Path) -> Said:
    source, target = place / "source.txt", place / "target.txt"
    source.write_text("".join(f"{sentence}\n" for sentence in case.sentences), "utf-8")
    options = common_options(case, place)
    if ModelDirectory(model).shape.preordered and not (model / "preorder/btg").exists():
        (place / "trees").write_text("".join(f"{tree}\n" for tree in case.trees), "utf-8")
        options += ["--trees", place / "trees"]
    if case.nbest:
        options += ["--nbest", case.nbest, "--distinct"]
    run_app("translate", model, "-i", source, "-o", target, *options)
    lines = target.read_text("utf-8").splitlines()
    if not case.nbest:
        return lines
    found: list[list[str]] = [[] for _ in case.sentences]
    for line in lines:
        number, text, _, _ = line.split(" ||| ")
        found[int(number)].append(text)
    return found


def fill(model: Path, case: Case, document: Path) -> Path:
    options = common_options(case, document.parent)
    if case.nbest:
        options += ["--nbest", case.nbest]
    filled = document.with_name(f"filled{document.suffix}")
    run_app("fill", model, document, "-o", filled, *options)
    return filled


def document(model: Path, case: Case, path: Path) -> Path:
    options = common_options(case, path.parent)
    if case.nbest:
        options += ["--nbest", case.nbest]
    translated = path.with_name(f"translated{path.suffix}")
    run_app("translate", model, path, "-o", translated, *options)
    return translated


def text(model: Path, case: Case, place: Path) -> Said:
    path = place / "source.txt"
    path.write_text("\n\n".join(case.sentences) + "\n", "utf-8")
    return document(model, case, path).read_text("utf-8").rstrip("\n").split("\n\n")


def word(model: Path, case: Case, place: Path) -> Said:
    path = place / "source.docx"
    runs = (f"<w:r><w:t>{escape(sentence)}</w:t></w:r>" for sentence in case.sentences)
    path.write_bytes(docx("".join(f"<w:p>{run}</w:p>" for run in runs)))
    found = ElementTree.fromstring(part(document(model, case, path).read_bytes()))
    paragraphs = [one for one in found.iter() if one.tag.endswith("}p")]
    return ["".join(paragraph.itertext()) for paragraph in paragraphs]


def po(model: Path, case: Case, place: Path) -> Said:
    document = place / "messages.po"
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    units = (
        f'\nmsgid {json.dumps(one, ensure_ascii=False)}\nmsgstr ""\n' for one in case.sentences
    )
    document.write_text(head + "".join(units), "utf-8")
    said: list[str] = []
    for line in fill(model, case, document).read_text("utf-8").splitlines()[3:]:
        if line.startswith("msgstr "):
            said.append(json.loads(line.removeprefix("msgstr ")))
        elif line.startswith('"'):
            said[-1] += json.loads(line)
    return said


def xliff(model: Path, case: Case, place: Path) -> Said:
    document = place / "units.xlf"
    written = "".join(
        f'<trans-unit id="{n}"><source>{escape(one)}</source></trans-unit>'
        for n, one in enumerate(case.sentences)
    )
    document.write_text(
        '<?xml version="1.0"?><xliff version="1.2"><file source-language="en" '
        'target-language="fr" datatype="plaintext" original="x">'
        f"<body>{written}</body></file></xliff>",
        "utf-8",
    )
    units = ElementTree.parse(fill(model, case, document)).iter("trans-unit")
    return ["".join(target.itertext()) for unit in units for target in unit.findall("target")]


def tmx(model: Path, case: Case, place: Path) -> Said:
    document = place / "memory.tmx"
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{escape(one)}</seg></tuv></tu>' for one in case.sentences
    )
    document.write_text(
        '<?xml version="1.0"?><tmx version="1.4"><header creationtool="x" creationtoolversion="1" '
        'segtype="sentence" o-tmf="x" adminlang="en" srclang="en" datatype="plaintext"/>'
        f"<body>{units}</body></tmx>",
        "utf-8",
    )
    filled = ElementTree.parse(fill(model, case, document))
    return ["".join(tuv.itertext()) for tuv in filled.iter("tuv") if "creationid" in tuv.attrib]


def opened(model: Path, case: Case) -> Translator:
    directory = ModelDirectory(model)
    options = model_options(directory)
    if case.unknown:
        options = changed_options(options, {"unknown": case.unknown})
    return Translator.open(directory, options=options)


def python(model: Path, case: Case, place: Path) -> Said:
    demands: dict[str, Any] = {
        "terms": case.terms or None,
        "corrections": case.corrections,
        "markup": case.markup,
        "memory": case.memory,
    }
    try:
        translator = opened(model, case)
        if case.nbest:
            return [
                [one.text for one in translator.nbest(sentence, case.nbest, **demands)]
                for sentence in case.sentences
            ]
        return translator.translate(list(case.sentences), **demands)
    except DragomanError as problem:
        raise RefusedError(str(problem)) from problem


def asked(case: Case) -> dict[str, Any]:
    body: dict[str, Any] = {"markup": case.markup, "memory": case.memory}
    if case.terms:
        body["terms"] = [{"source": s, "target": t} for s, t in case.terms.items()]
    if case.unknown:
        body["search"] = {"unknown": case.unknown}
    if case.nbest:
        body["nbest"] = case.nbest
    return body


def with_server(model: Path, ask: Callable[[TestClient], Said]) -> Said:
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a stream, not a file
        settings = Settings(log=Log(nowhere))
        try:
            served = create_app(open_models([model], threads=1, settings=settings), settings)
        except DragomanError as problem:
            raise RefusedError(str(problem)) from problem
        with TestClient(served, base_url="http://localhost") as client:
            return ask(client)


def answer(client: TestClient, path: str, body: dict[str, Any]) -> Any:
    found = client.post(path, json=body)
    if found.status_code != 200:
        raise RefusedError(found.json()["error"])
    return found.json()


def rest(model: Path, case: Case, place: Path) -> Said:
    def ask(client: TestClient) -> Said:
        body = asked(case) | {"q": list(case.sentences)}
        found = answer(client, "/translate", body)
        if not case.nbest:
            return found["translatedText"]
        return [
            [entry["target"] for entry in text["sentences"][0]["nbest"]]
            for text in found["details"]
        ]

    return with_server(model, ask)


def inspect(model: Path, case: Case, place: Path) -> Said:
    def ask(client: TestClient) -> Said:
        said: list[Any] = []
        for sentence in case.sentences:
            (told,) = answer(client, "/inspect", asked(case) | {"q": sentence})["sentences"]
            said.append(
                [entry["target"] for entry in told["nbest"]] if case.nbest else told["target"]
            )
        return said

    return with_server(model, ask)


def explain(model: Path, case: Case, place: Path) -> Said:
    """``dragoman inspect``'s way, which has no server."""
    said: list[Any] = []
    try:
        translator = opened(model, case)
        for sentence in case.sentences:
            (told,) = translator.explain(
                sentence,
                nbest=case.nbest,
                terms=case.terms or None,
                markup=case.markup,
                memory=case.memory,  # type: ignore[arg-type]
            )["sentences"]
            said.append(
                [entry["target"] for entry in told["nbest"]] if case.nbest else told["target"]
            )
    except DragomanError as problem:
        raise RefusedError(str(problem)) from problem
    return said


DOORS: dict[str, Door] = {
    "command line": command_line,
    "PO": po,
    "XLIFF": xliff,
    "TMX": tmx,
    "text": text,
    "DOCX": word,
    "Python": python,
    "REST": rest,
    "inspect": inspect,
    "explain": explain,
}
DOCUMENTS = ("PO", "XLIFF", "TMX")


def expected_refusal(kind: str, name: str, door: str) -> str:
    """A part of the reason for which a door must refuse; empty when it must not."""
    if kind == "moses" and name == "memory":
        return "keeps no translation memory"
    if door in ("text", "DOCX") and name in ("markup", "nbest"):
        return f"--{name} is for lines"
    if door in DOCUMENTS and name in ("markup", "nbest"):
        return f"No such option: --{name}"
    if kind == "moses" and door == "TMX":
        return "does not say which languages"
    if kind == "trees" and door != "command line":
        return "trained on trees"
    if kind == "hiero" and door in ("inspect", "explain"):
        return "hierarchical model"
    if kind == "best" and door in ("inspect", "explain"):
        return "consensus of models"
    return ""


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_door_says_the_same(
    kind: str, name: str, model_of: Callable[[str], Path], tmp_path: Path
) -> None:
    case = CASES[name]
    model = tmp_path / "model"
    # Files that are written to must not be linked: what one model is taught is not for all.
    taught_elsewhere = shutil.ignore_patterns(f"{CORRECTIONS}*")
    shutil.copytree(model_of(kind), model, copy_function=os.link, ignore=taught_elsewhere)
    if case.corrections:
        taught = Translator.open(model).corrections
        taught.add("sentence", case.sentences[0], "s’il vous plaît : dicté")
        taught.add("term", "house", "chaumière")
    said: dict[str, Said] = {}
    for number, (door, ask) in enumerate(DOORS.items()):
        place = tmp_path / f"door{number}"
        place.mkdir()
        reason = expected_refusal(kind, name, door)
        if reason:
            with pytest.raises(RefusedError) as refusal:
                ask(model, case, place)
            assert reason in str(refusal.value), f"{door}: {refusal.value}"
        else:
            said[door] = ask(model, case, place)
    for door, texts in said.items():
        assert texts == said[next(iter(said))], f"{door} against {next(iter(said))}"
    if not said:
        return
    found = said[next(iter(said))]
    assert len(found) == len(case.sentences)
    assert all(found)
    whole = json.dumps(found, ensure_ascii=False)
    if name == "terms":
        assert "baraque" in whole
    if name == "corrections":
        assert found[0] == "s’il vous plaît : dicté"
        assert "chaumière" in whole
    if name == "markup":
        assert "la petite maison" in whole
    if name == "unknown":
        assert "⟦" in whole  # what no source could translate, among it what is held
    if name == "nbest":
        assert all(1 <= len(entries) <= NBEST for entries in found)


def test_a_text_of_several_sentences_is_cut_the_same_way(
    model_of: Callable[[str], Path], tmp_path: Path
) -> None:
    several = "Good morning. Where is the station? I paid 10 for it.\nGood night."
    case = Case(sentences=(several,))
    doors = {"Python": python, "REST": rest, "XLIFF": xliff, "TMX": tmx, "PO": po, "text": text}
    said = {}
    for door, ask in doors.items():
        (tmp_path / door).mkdir()
        said[door] = ask(model_of("phrase"), case, tmp_path / door)
    for door, texts in said.items():
        assert texts == said["Python"], door
    sentences = python(
        model_of("phrase"), Case(sentences=("Where is the station?", "Good night.")), tmp_path
    )
    assert all(sentence in said["Python"][0] for sentence in sentences)
