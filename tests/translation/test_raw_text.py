"""Messages as people write them, translated by a model that has learnt from such messages."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.corpus.config import PrepareConfig
from dragoman.errors import UsageError
from dragoman.training.config import Config
from dragoman.training.train import train
from dragoman.translation.translator import Translator
from dragoman.tuning.config import TuneConfig

NOUNS = {
    "file": "fichier", "table": "tableau", "folder": "dossier", "link": "lien", "text": "texte",
    "word": "mot", "name": "nom", "frame": "cadre", "style": "style", "field": "champ",
    "button": "bouton", "document": "document",
}  # fmt: skip
MESSAGES = {
    "_Open the {}": "_Ouvrir le {}",
    "Delete the {} %1?": "Effacer le {} %1\u00a0?",
    "Do you want to delete %1, the {}?": "Voulez-vous effacer %1, le {}\u00a0?",
    'The {} "%s" is closed.': "Le {} « %s » est fermé.",
    "Print the {}...": "Imprimer le {}...",
    "Name of the {}: %NAME": "Nom du {}\u00a0: %NAME",
    "the {} at https://example.org/a is new": "le {} sous https://example.org/a est nouveau",
    "Cl_ose": "_Fermer",
    "Close {} and save": "Fermer le {} et enregistrer",
    "the <b>{}</b> is old": "le <b>{}</b> est vieux",
    "old {}": "vieux {}",
    "Save the {} as ~copy": "Enregistrer le {} comme ~copie",
}


@pytest.fixture(scope="session")
def model(made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    def make(place: Path) -> None:
        pairs = [
            (source.format(noun), target.format(NOUNS[noun]))
            for (source, target), noun in product(MESSAGES.items(), NOUNS)
        ]
        prepare = PrepareConfig(drop_duplicates=False, dev_size=12, test_size=0)
        config = Config(prepare=prepare, tune=TuneConfig(max_iterations=2, nbest=20))
        train(
            pairs,
            place / "model",
            source_language="en",
            target_language="fr",
            config=config,
            threads=1,
        )

    return made_once("messages", make) / "model"


@pytest.fixture(scope="module")
def translator(model: Path) -> Translator:
    return Translator.open(model)


def said(translator: Translator, text: str) -> str:
    (line,) = translator.translate_lines([text])
    # By documents, pages and programs it is the same.
    assert translator.translate(text) == line
    return line


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("Delete the folder %2?", "Effacer le dossier %2\u00a0?"),
        ("Delete the folder {name}?", "Effacer le dossier {name}\u00a0?"),
        ('The file "%d" is closed.', "Le fichier « %d » est fermé."),
        ("the link at https://a.b/c?d=1 is new", "le lien sous https://a.b/c?d=1 est nouveau"),
        ("Name of the link: %OTHER", "Nom du lien\u00a0: %OTHER"),
        ("DELETE THE FOLDER %1?", "EFFACER LE DOSSIER %1\u00a0?"),
        ("old Folder", "vieux dossier"),
        ("_Open the link", "_Ouvrir le lien"),
        ("Clo_se", "_Fermer"),
        ("the <i>link</i> is old", "le <i>lien</i> est vieux"),
        ("Print the table...", "Imprimer le tableau..."),
    ],
)
def test_messages(translator: Translator, text: str, translation: str) -> None:
    assert said(translator, text) == translation


@pytest.mark.parametrize(
    "text",
    [
        "%1 %2 %1 %s {0} the file?",
        "me@example.com at https://example.org/x_y, 1.5 and 10:30",
        "<br/>old file<br/>old link",
        "%PRODUCTNAME: the <b>old <i>file</i></b> %PRODUCTNAME",
        "</b>old<b> file",
        "${x} AT&T foo_bar::baz() 01/02/2003 Ctrl+Alt+A",
    ],
)
def test_items_come_out_once(translator: Translator, text: str) -> None:
    pieces = [piece for _, _, piece in items(translator, text)]
    (line,) = translator.translate_lines([text])
    found = [piece for _, _, piece in items(translator, line)]
    assert sorted(found) == sorted(pieces)
    for entry in translator.nbest(text, 5):
        assert sorted(piece for _, _, piece in items(translator, entry.text)) == sorted(pieces)


def items(translator: Translator, text: str) -> list[tuple[int, int, str]]:
    found = translator.form.protection.find(text)
    return [(begin, end, text[begin:end]) for begin, end, _ in found]


def test_terms_in_any_case(translator: Translator) -> None:
    terms = {"folder": "répertoire"}
    assert translator.translate("old folder", terms=terms) == "vieux répertoire"
    assert translator.translate("OLD FOLDER", terms=terms) == "VIEUX RÉPERTOIRE"
    assert translator.translate("old Folder", terms=terms) == "vieux Répertoire"
    assert translator.translate("old FOLDER", terms=terms) == "vieux RÉPERTOIRE"


def test_more_is_protected_on_demand(model: Path) -> None:
    plain, more = Translator.open(model), Translator.open(model, protect=["old link"])
    assert plain.translate("Print the old link...") != "Imprimer le old link..."
    assert "old link" in more.translate("Print the old link...")
    with pytest.raises(UsageError, match="token by token"):
        Translator.open(model, tokenised=True, protect=["x"])


PIECES = st.one_of(
    st.sampled_from(
        ["old", "file", "File", "FILE", "%s", "%1", "<b>", "</b>", "<br/>", "_", "&", "1.5",
         "東京", "ภาษา", "ª", "ß", "İ", "é\u0301", "\u00a0", " ", "\t", ".", "?", "«", "\"",
         "”", "-", "￭", "⟨ph⟩", "⟨url2⟩", "@-@", "{0}", "a@b.org", "https://a.b/c",
         "\U000f0003", "\ud800", "\x00"]
    ),
    st.text(max_size=3),
)  # fmt: skip


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.lists(PIECES, max_size=15).map("".join))
def test_any_text_is_translated(translator: Translator, text: str) -> None:
    line = text.replace("\n", " ").replace("\r", " ")
    (said,) = translator.translate_lines([line])
    said.encode()
    translator.translate(text)


def test_text_nobody_should_send(translator: Translator) -> None:
    for text in ("\ud800 old file", "old\x00 file\x1b", "\u202eold file", "\U000f0000 old file"):
        assert "vieux fichier" in translator.translate(text).lower().replace("\u202e", "")
    assert translator.translate_lines([""]) == [""]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("old <b></b>file", "vieux <b></b>fichier"),
        ("old file<b></b>", "vieux fichier<b></b>"),
        ("<b></b>old file", "<b></b>vieux fichier"),
    ],
)
def test_tags_around_nothing_stay_behind_what_went_before(
    model: Path, source: str, wanted: str
) -> None:
    assert Translator.open(model).translate(source) == wanted
