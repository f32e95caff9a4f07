"""Documents made by the tests themselves, and translators that need no model."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from tests.translation.through import restored

from dragoman.translation.source import Passage

LANGUAGES = ("en", "fr")
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_HEADER = "application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml"


def shout(passages: Sequence[Passage]) -> list[str]:
    """Everything in capitals."""
    return _changed(passages, str.upper)


def echo(passages: Sequence[Passage]) -> list[str]:
    """Everything as it is."""
    cut = [passage.cut() for passage in passages]
    return [passage.assemble([one.spelt for one in passage.sentences]) for passage in cut]


def backwards(passages: Sequence[Passage]) -> list[str]:
    """Words and codes from the last to the first, so that what was opened is closed before."""
    return _changed(passages, lambda text: " ".join(reversed(text.split())))


def _changed(passages, change):
    cut = [passage.cut() for passage in passages]
    return [
        passage.assemble([restored(one, change(one.text)) for one in passage.sentences])
        for passage in cut
    ]


def docx(body: str, *, header: str = "", extra: dict[str, bytes] | None = None) -> bytes:
    """A document with these paragraphs."""
    parts = {"/word/document.xml": _MAIN} | ({"/word/header1.xml": _HEADER} if header else {})
    overrides = "".join(
        f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in parts.items()
    )
    members = {
        "[Content_Types].xml": f'<?xml version="1.0"?>\n<Types>{overrides}</Types>',
        "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
    }
    if header:
        members["word/header1.xml"] = f"<w:hdr {W}>{header}</w:hdr>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 2, 3, 4, 5, 6)), text)
        for name, content in (extra or {}).items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 2, 3, 4, 5, 6)), content)
    return out.getvalue()


def part(content: bytes, name: str = "word/document.xml") -> str:
    """A part of a DOCX file as text."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(name).decode()


def body(content: bytes) -> str:
    """What stands between the tags of a document's body."""
    return part(content).partition("<w:body>")[2].removesuffix("</w:body></w:document>")
