"""Documents of translators: their untranslated units are filled, the rest stays byte by byte.

PO, XLIFF and TMX files are not parsed and written anew but spliced: translations are put where
they belong, so that comments, order, attributes and spacing of the file are as they were. Every
new translation is marked as one that a person has not seen yet, unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dragoman.output.corrections import Corrections
from dragoman.output.passage import Passage
from dragoman.output.splice_po import fill_po
from dragoman.output.splice_xml import fill_tmx, fill_xliff
from dragoman.output.translator import Translator
from dragoman.search.markup import Terms

DocumentFormat = Literal["po", "xliff", "tmx"]
# Passages to their translations, in order.
TranslatePassages = Callable[[Sequence[Passage]], list[str]]


@dataclass(frozen=True)
class Filled:
    """A document after translation."""

    content: bytes
    filled: int  # units that were empty and are not any more
    kept: int  # units that had a translation


def translate_document(
    path: str | Path,
    kind: DocumentFormat,
    translator: Translator,
    *,
    languages: tuple[str, str],
    final: bool = False,
    terms: Terms | None = None,
    corrections: Corrections | None = None,
) -> Filled:
    """Fill the untranslated units of a file.

    `languages` are those of the model; the file must agree. With `final`, translations are not
    marked for review.
    """

    def translate(passages: Sequence[Passage]) -> list[str]:
        return translator.translate_passages(passages, terms=terms, corrections=corrections)

    fill = {"po": fill_po, "xliff": fill_xliff, "tmx": fill_tmx}[kind]
    content, filled, kept = fill(Path(path), languages, translate, final)
    return Filled(content, filled, kept)
