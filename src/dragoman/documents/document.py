"""Documents of other programs, translated with all that is not text left as it is.

Files of translators (PO, XLIFF, TMX) have units: those without a translation get one, marked as
one that a person has not seen yet unless told otherwise. Of all others the text is replaced. None
is parsed and written anew, but spliced: translations are put where they belong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Literal, get_args

from dragoman.documents.filled import Beside, Filled, Offer, Translate
from dragoman.errors import UsageError
from dragoman.progress import SILENT, Progress
from dragoman.translation.demands import Demands
from dragoman.translation.result import Wants
from dragoman.translation.source import Passage
from dragoman.translation.translator import Translator

FilledFormat = Literal["po", "xliff", "tmx"]
DocumentFormat = Literal["po", "xliff", "tmx", "text", "html", "markdown", "srt", "vtt", "docx"]
FILLED: tuple[FilledFormat, ...] = get_args(FilledFormat)


@dataclass(frozen=True)
class Format:
    """A kind of document."""

    place: str  # module and function that translate it; loaded when needed
    endings: tuple[str, ...]
    media: str  # its type on the web
    offers: bool = False  # whether it can hold what is offered beside translations

    def load(self) -> Callable[..., Filled]:
        """What takes a path, languages, what translates passages, whether translations are final,
        and perhaps what else is offered."""
        module, name = self.place.split(":")
        found: Callable[..., Filled] = getattr(import_module(f"dragoman.documents.{module}"), name)
        return found


FORMATS: dict[DocumentFormat, Format] = {
    "po": Format("po:fill_po", (".po", ".pot"), "text/x-gettext-translation"),
    "xliff": Format("xliff:fill_xliff", (".xliff", ".xlf"), "application/xliff+xml", True),
    "tmx": Format("tmx:fill_tmx", (".tmx",), "application/xml"),
    "text": Format("text:translate_text", (".txt",), "text/plain"),
    "html": Format("html:translate_html", (".html", ".htm", ".xhtml"), "text/html"),
    "markdown": Format("markdown:translate_markdown", (".md", ".markdown"), "text/markdown"),
    "srt": Format("srt:translate_srt", (".srt",), "application/x-subrip"),
    "vtt": Format("vtt:translate_vtt", (".vtt",), "text/vtt"),
    "docx": Format(
        "docx:translate_docx",
        (".docx", ".docm", ".dotx"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
}


def known_format(path: Path) -> DocumentFormat | None:
    """The format that the ending of a file's name says; None when it says none."""
    ending = path.suffix.lower()
    return next((name for name, one in FORMATS.items() if ending in one.endings), None)


def document_format(path: Path, formats: Iterable[DocumentFormat] = FORMATS) -> DocumentFormat:
    """The same for a file that must be a document, perhaps of one of some formats."""
    found = known_format(path)
    if found is None:
        ending, names = path.suffix.lower(), ", ".join(formats)
        raise UsageError(
            f"{path}: {ending or 'no ending'} says no format; give one of {names} (--format)"
        )
    return found


def translate_document(
    path: str | Path,
    translator: Translator,
    *,
    kind: DocumentFormat | None = None,
    final: bool = False,
    demands: Demands | None = None,
    progress: Progress = SILENT,
) -> Filled:
    """Translate a file; without `kind`, its name says what it is.

    With `final`, translations in PO, XLIFF and TMX files are not marked for review. Without
    `demands`, what is in the model's translation memory is translated as it is there.
    """
    asked = translator.document_demands() if demands is None else demands
    kind = kind or document_format(Path(path))
    learnt = translator.consensus is None and translator.confidence is not None
    wants = Wants(confidence=FORMATS[kind].offers and learnt)
    sure: dict[int, float | None] = {}

    def translate(passages: Sequence[Passage]) -> list[str]:
        said = translator.find_passages(passages, asked, wants, progress=progress)
        sure.update(
            (id(passage), one.confidence) for passage, one in zip(passages, said, strict=True)
        )
        return [one.text for one in said]

    return translated_by(
        Path(path),
        translator.languages,
        translate,
        kind=kind,
        final=final,
        beside=Beside(
            lambda passage: remembered(translator, passage, asked),
            lambda passage: sure[id(passage)],
        ),
    )


def remembered(translator: Translator, passage: Passage, demands: Demands) -> list[Offer]:
    """What the translation memory offers for a passage."""
    return [
        Offer(match.score, "translation memory", match.source, match.target)
        for match in translator.offers(passage, demands)
    ]


def translated_by(
    path: Path,
    languages: tuple[str, str],
    translate: Translate,
    *,
    kind: DocumentFormat | None = None,
    final: bool = False,
    beside: Beside | None = None,
) -> Filled:
    """The same by whatever translates passages; `beside`: what else there is for one."""
    kind = kind or document_format(path)
    if final and kind not in FILLED:
        raise UsageError(f"{path}: only {', '.join(FILLED)} files have marks for review (--final)")
    chosen = FORMATS[kind]
    others = (beside,) if chosen.offers else ()
    return chosen.load()(path, languages, translate, final, *others)
