"""One spelling for what looks the same.

Unicode NFC; no control characters and others that nobody sees; no white space at the ends, and
one character of it elsewhere: the non-breaking or narrow space, if there is one, else a plain
space. Apostrophes inside words have one form and no spaces beside them, where training has learnt
which (dragoman.text.apostrophes).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# Characters that nobody sees and no model should: controls other than white space, the byte
# order mark, zero-width space, word joiner and soft hyphen, halves of surrogate pairs. The
# zero-width (non-)joiners stay; Persian and the Indic scripts spell with them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u2060\ufeff\ud800-\udfff]"
)
_SPACES = re.compile(r"\s{2,}|[^\S \u00a0\u202f]")
_LASTING = re.compile("[\u00a0\u202f]")

# Apostrophes that tokenisers leave inside words, and others that people type for them.
APOSTROPHES = "'’ʼʻ＇"
ALL_APOSTROPHES = APOSTROPHES + "‘`´"
LETTER = r"[^\W\d_]"
SOME_APOSTROPHE = re.compile(rf"[{ALL_APOSTROPHES}]")
APART = re.compile(
    rf"(?<={LETTER})(?: [{ALL_APOSTROPHES}] ?|[{ALL_APOSTROPHES}] |[‘`´])(?={LETTER})"
)
_WORD = re.compile(rf"{LETTER}+")
_QUOTED = re.compile(
    rf"(?<!\S)[{ALL_APOSTROPHES}](?=\S)[^{ALL_APOSTROPHES}]*(?<=\S)[{ALL_APOSTROPHES}](?!\w)"
)


def normalise(text: str) -> str:
    """The text in NFC, without invisible characters, with single spaces between words."""
    if not text.isprintable():
        text = _INVISIBLE.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return _SPACES.sub(_one_space, text.strip())


def normalise_plainly(text: str) -> str:
    """The same with plain spaces only, for tokenisers that know no others."""
    return " ".join(normalise(text).split())


def _one_space(match: re.Match[str]) -> str:
    lasting = _LASTING.search(match[0])
    return lasting[0] if lasting else " "


@dataclass(frozen=True)
class Apostrophes:
    """How one side of a text has its apostrophes; without anything, each stays as it is."""

    usual: str = ""  # the form inside words
    apart: bool = False  # whether there may be spaces beside it

    def joined(self, text: str) -> str:
        """A line without spaces beside the apostrophes of a word."""
        if not self.apart or not SOME_APOSTROPHE.search(text):
            return text
        quoting = quotation_marks(text)

        def join(match: re.Match[str]) -> str:
            form = match[0].strip()
            if match.start() + match[0].index(form) in quoting:
                return match[0]
            return form if form in APOSTROPHES else self.usual

        return APART.sub(join, text)

    def usual_in(self, tokens: list[str]) -> list[str]:
        """Tokens with the usual form of the apostrophes of words."""
        if not self.usual or not SOME_APOSTROPHE.search("".join(tokens)):
            return tokens
        return [
            SOME_APOSTROPHE.sub(self.usual, token) if _WORD.search(token) else token
            for token in tokens
        ]


def quotation_marks(text: str) -> set[int]:
    """The places of marks that enclose something."""
    return {
        place for found in _QUOTED.finditer(text) for place in (found.start(), found.end() - 1)
    }
