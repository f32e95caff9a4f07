"""A letter that LibreOffice has written as a DOCX file, translated and opened in it again.

It has a header, a footer, notes, links, lists, a table, a box, fields and tracked changes."""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.documents.made import LANGUAGES, part, shout

from dragoman.documents.docx import translate_docx

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
LETTER = Path(__file__).parent / "word" / "letter.fodt"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not OFFICE,
        reason="NO WORD FILES: no LibreOffice (Debian: apt-get install libreoffice-writer-nogui)",
    ),
]


def converted(path: Path, ending: str) -> Path:
    """What LibreOffice makes of a file, with settings of its own."""
    place = path.parent / ending
    settings = f"-env:UserInstallation={(path.parent / 'settings').as_uri()}"
    command = [OFFICE, settings, "--headless", "--convert-to", ending, "--outdir", place, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    (made,) = place.glob(f"{path.stem}.*")
    assert made.stat().st_size, done.stderr
    return made


@pytest.fixture(scope="module")
def letters(tmp_path_factory):
    """The letter as LibreOffice writes it, and its translation."""
    place = tmp_path_factory.mktemp("word")
    letter = Path(shutil.copy(LETTER, place))
    old = converted(letter, "docx")
    done = translate_docx(old, LANGUAGES, shout, False)
    assert done.filled == 14
    new = place / "translated.docx"
    new.write_bytes(done.content)
    return old, new


def paragraphs(path: Path) -> list[str]:
    """The text of an OpenDocument file, without the numbers of notes."""
    found = []
    for paragraph in ElementTree.parse(path).iter(f"{TEXT}p"):
        for citation in paragraph.iter(f"{TEXT}note-citation"):
            citation.text = ""
        found.append("".join(paragraph.itertext()))
    return [*found, *("".join(one.itertext()) for one in ElementTree.parse(path).iter(f"{TEXT}h"))]


def test_all_words_are_translated_and_stay_in_their_places(letters):
    old, new = (paragraphs(converted(path, "fodt")) for path in letters)
    # Of the header, a box, and both kinds of notes.
    for words in ("AT THE STATION.", "CLOSED TODAY.", "NEAR THE MARKET.", "MARKET IS CLOSED."):
        assert any(words in paragraph for paragraph in new)
    # Text that was deleted with changes tracked is left as it is.
    assert new == [one.upper().replace("VERY ", "very ") for one in old]


def test_layout_stays(letters):
    shapes = []
    for path in letters:
        with zipfile.ZipFile(path) as archive:
            shapes.append({name: archive.read(name).decode() for name in archive.namelist()})
    assert list(shapes[0]) == list(shapes[1])
    for name, old in shapes[0].items():
        new = shapes[1][name]
        if not re.search(r"(document|header\d|footer\d|footnotes|endnotes)\.xml$", name):
            assert new == old, name
            continue
        # All elements but runs and their texts are there, in the same order.
        kept = [
            [tag for tag in re.findall("<[^<>]*>", text) if not re.match(r"</?w:(r|t|rPr)\b", tag)]
            for text in (old, new)
        ]
        assert kept[0] == kept[1], name


def test_formatting_notes_links_and_changes_are_where_they_were(letters):
    text = part(letters[1].read_bytes())
    run = r'<w:r><w:rPr>{}</w:rPr><w:t xml:space="preserve">{}</w:t></w:r>'
    assert re.search(run.format("<w:b/>", "RICHER"), text)
    assert re.search(run.format("<w:i/>", "UNCLE"), text)
    # The mark of the note stands behind its sentence, and the next one behind it.
    note = r"\.</w:t></w:r><w:r>(?:(?!</w:r>).)*<w:footnoteReference [^<>]*/></w:r>"
    assert re.search(note + r"<w:r>(?:(?!<w:t).)*<w:t [^<>]*> I WOULD LIKE ?</w:t>", text)
    assert re.search(r"<w:ins [^<>]*><w:r>(?:(?!</w:r>).)*A TICKET</w:t></w:r></w:ins>", text)
    assert re.search(r"<w:hyperlink [^<>]*><w:r>(?:(?!</w:r>).)*THE OLD STATION</w:t>", text)
