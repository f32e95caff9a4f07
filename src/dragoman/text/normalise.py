"""One spelling for what looks the same: Unicode NFC, no control characters, single spaces."""

from __future__ import annotations

import re
import unicodedata

# Characters that nobody sees and no model should: controls other than white space, the byte
# order mark, zero-width space, word joiner and soft hyphen. The zero-width (non-)joiners stay;
# Persian and the Indic scripts spell with them.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u2060\ufeff]")


def normalise(text: str) -> str:
    """The text in NFC, without invisible characters, with single spaces between words."""
    if not text.isprintable():
        text = _INVISIBLE.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.split())
