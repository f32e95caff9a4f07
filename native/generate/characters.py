"""Writes native/core/text/characters.inc: what kind of character each code point is.

    python3 native/generate/characters.py > native/core/text/characters.inc

The kinds are derived from the categories and names of Python's unicodedata; the file says of
which version of Unicode. Run it again when a newer one is wanted.
"""

from __future__ import annotations

import sys
import unicodedata

# Scripts that are written without spaces between words, by the beginnings of their names.
UNSPACED = (
    "CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA",
    "BOPOMOFO", "THAI ", "LAO ", "KHMER ", "MYANMAR ", "TIBETAN ", "YI SYLLABLE", "TAI ",
    "NEW TAI LUE", "JAVANESE", "BALINESE",
)  # fmt: skip


def kind(code: int) -> str:
    """The name of an enumerator of dragoman::Character."""
    character = chr(code)
    category = unicodedata.category(character)
    name = unicodedata.name(character, "")
    if character.isspace() or category[0] == "Z":
        return "kSpace"
    if category[0] == "M":
        return "kMark"
    if code in (0x200C, 0x200D):  # the (non-)joiners are part of the words they stand in
        return "kMark"
    if category == "Nd":
        return "kDigit"
    if category in ("Lm", "Sk") and name.startswith(("KATAKANA", "HIRAGANA", "CJK")):
        return "kUnspaced"  # marks of length and repetition
    if name.startswith(UNSPACED) and category[0] in "LN":
        return "kUnspaced"
    if code in (0x3005, 0x3006, 0x3007):
        return "kUnspaced"
    if category[0] == "L" or category in ("Nl", "No"):
        return "kLetter"
    return "kSymbol"


def main() -> None:
    ranges: list[tuple[int, str]] = []
    for code in range(sys.maxunicode + 1):
        found = "kSymbol" if 0xD800 <= code < 0xE000 else kind(code)
        if not ranges or ranges[-1][1] != found:
            ranges.append((code, found))
    print(f"// Unicode {unicodedata.unidata_version}; written by native/generate/characters.py.")
    for begin, found in ranges:
        print(f"{{0x{begin:04X}, Character::{found}}},")


main()
