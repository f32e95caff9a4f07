"""Word's documents: a ZIP archive of XML, of which the texts are changed and nothing else."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from dragoman.archives import Archive, open_archive
from dragoman.documents.docx_text import PartText
from dragoman.documents.filled import Filled, Translate
from dragoman.documents.xml_file import document_of, walk

MOST_PART = 64 << 20  # bytes of one part with text
MOST_WHOLE = 512 << 20  # bytes of everything, unpacked
MOST_ELEMENTS = 1_000_000  # of one part; a thousand pages have less
_TYPES = "[Content_Types].xml"
# Parts that people read, by the ends of their types.
_TEXT = re.compile(
    r"wordprocessingml\.(?:(?:document|template)\.main|header|footer|footnotes|endnotes)\+xml$"
    r"|ms-word\.(?:document|template)\.macroEnabled\.main\+xml$"
)


def translate_docx(
    path: Path, languages: tuple[str, str], translate: Translate, final: bool
) -> Filled:
    """The document with its paragraphs translated, those of tables, text boxes, headers, footers
    and notes included. Formatting goes with the words that it marks."""
    with open_archive(path, "DOCX file") as archive:
        try:
            texts = [
                PartText(
                    document_of(archive.read(name, MOST_PART), path, most=MOST_ELEMENTS), name
                )
                for name in _parts(archive, path)
            ]
        except RecursionError as problem:
            raise archive.damaged("its parts are nested too deep") from problem
        passages = [passage for text in texts for passage in text.passages()]
        said = iter(translate(passages))
        changed = {text.name: text.written(said) for text in texts}
        return Filled(_packed(archive, changed), len(passages), 0)


def _parts(archive: Archive, path: Path) -> list[str]:
    """The names of the parts with text."""
    if _TYPES not in archive.names:
        raise archive.damaged("a ZIP archive, but no DOCX file")
    types = document_of(archive.read(_TYPES, MOST_PART), path, most=MOST_ELEMENTS)
    found = [
        node.attributes.get("PartName", "").lstrip("/")
        for node in walk(types.root)
        if node.name == "Override" and _TEXT.search(node.attributes.get("ContentType", ""))
    ]
    names = sorted({name for name in found if name in archive.names})
    if not names:
        raise archive.damaged("no DOCX file: there is no text in it")
    return names


def _packed(archive: Archive, changed: dict[str, bytes]) -> bytes:
    """The archive with other content in some of its members, in the same order, with the same
    dates; the rest is copied piece by piece."""
    out = io.BytesIO()
    left = MOST_WHOLE
    with zipfile.ZipFile(out, "w") as new:
        for old in archive.members:
            info = zipfile.ZipInfo(old.filename, old.date_time)
            info.compress_type = old.compress_type
            info.external_attr, info.create_system = old.external_attr, old.create_system
            if old.filename in changed:
                new.writestr(info, changed[old.filename])
                continue
            with new.open(info, "w", force_zip64=False) as member:
                for piece in archive.pieces(old.filename, left):
                    member.write(piece)
                    left -= len(piece)
    return out.getvalue()
