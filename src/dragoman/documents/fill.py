"""Documents of translators: their untranslated units are filled, the rest stays byte by byte.

PO, XLIFF and TMX files are not parsed and written anew but spliced: translations are put where
they belong, so that comments, order, attributes and spacing of the file are as they were. Every
new translation is marked as one that a person has not seen yet, unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from dragoman.documents.filled import Filled
from dragoman.documents.po import fill_po
from dragoman.documents.tmx import fill_tmx
from dragoman.documents.xliff import fill_xliff
from dragoman.errors import UsageError
from dragoman.translation.demands import NO_DEMANDS, Demands
from dragoman.translation.source import Passage
from dragoman.translation.translator import Translator

DocumentFormat = Literal["po", "xliff", "tmx"]
_ENDINGS: dict[str, DocumentFormat] = {
    ".po": "po",
    ".pot": "po",
    ".xliff": "xliff",
    ".xlf": "xliff",
    ".tmx": "tmx",
}


def document_format(path: Path) -> DocumentFormat:
    """The format that the ending of a file's name says."""
    ending = path.suffix.lower()
    if ending not in _ENDINGS:
        names = ", ".join(get_args(DocumentFormat))
        raise UsageError(f"{path}: {ending or 'no ending'} says no format; give one of {names}")
    return _ENDINGS[ending]


def fill_document(
    path: str | Path,
    translator: Translator,
    *,
    kind: DocumentFormat | None = None,
    final: bool = False,
    demands: Demands = NO_DEMANDS,
) -> Filled:
    """Fill the untranslated units of a file; without `kind`, its name says what it is.

    With `final`, translations are not marked for review.
    """
    place = Path(path)

    def translate(passages: Sequence[Passage]) -> list[str]:
        return translator.translate_passages(passages, demands)

    fill = {"po": fill_po, "xliff": fill_xliff, "tmx": fill_tmx}[kind or document_format(place)]
    return fill(place, translator.languages, translate, final)
