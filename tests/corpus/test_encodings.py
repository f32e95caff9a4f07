"""Encodings that a file may name and that are none for files."""

from __future__ import annotations

import pytest

from dragoman.corpus.read import ParallelFile
from dragoman.documents.po import fill_po
from dragoman.documents.tmx import fill_tmx
from dragoman.documents.xliff import fill_xliff
from dragoman.errors import InputError

PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset={}\\n"\n\nmsgid "a"\nmsgstr "b"\n'
XML = {
    "tmx": '<tmx version="1.4"><header srclang="en"/><body/></tmx>',
    "xliff": '<xliff version="1.2"><file source-language="en"><body/></file></xliff>',
}
FILLERS = {"tmx": fill_tmx, "xliff": fill_xliff, "po": fill_po}
# Codecs of Python that change bytes into bytes, or names into names.
NONE = ("hex", "zlib", "bz2", "rot13", "base64", "quopri", "uu", "punycode", "idna", "undefined")
NONE += ("unicode-escape", "raw-unicode-escape", "unicode_escape", "", "no such")


@pytest.mark.parametrize("encoding", NONE)
def test_po(write, encoding):
    path = write("a.po", PO.format(encoding))
    for read in (
        lambda: list(ParallelFile("po", (path,)).read("en", "fr")),
        lambda: fill_po(path, ("en", "fr"), lambda passages: [], False),
    ):
        if encoding == "":  # nothing is named: UTF-8
            read()
            continue
        with pytest.raises(InputError, match=r"a\.po"):
            read()


@pytest.mark.parametrize("encoding", [one for one in NONE if one])
@pytest.mark.parametrize("kind", XML)
def test_xml(write, kind, encoding):
    path = write(f"a.{kind}", f'<?xml version="1.0" encoding="{encoding}"?>{XML[kind]}')
    with pytest.raises(InputError, match=rf"a\.{kind}"):
        list(ParallelFile(kind, (path,)).read("en", "fr"))
    with pytest.raises(InputError, match=rf"a\.{kind}"):
        FILLERS[kind](path, ("en", "fr"), lambda passages: [], False)


def test_po_that_is_not_in_its_encoding(write):
    path = write("a.po", PO.format("UTF-8").encode().replace(b'"b"', b'"\xe9"'))
    with pytest.raises(InputError, match=r"a\.po"):
        list(ParallelFile("po", (path,)).read("en", "fr"))
