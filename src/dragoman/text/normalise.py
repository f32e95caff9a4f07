"""One spelling for what looks the same.

Unicode NFC; no control characters and others that nobody sees; no white space at the ends, and
one character of it elsewhere: the non-breaking or narrow space, if there is one, else a plain
space.
"""

from __future__ import annotations

import re
import unicodedata

# Characters that nobody sees and no model should: controls other than white space, the byte
# order mark, zero-width space, word joiner and soft hyphen, halves of surrogate pairs. The
# zero-width (non-)joiners stay; Persian and the Indic scripts spell with them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u2060\ufeff\ud800-\udfff]"
)
_SPACES = re.compile(r"\s{2,}|[^\S \u00a0\u202f]")
_LASTING = re.compile("[\u00a0\u202f]")


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
