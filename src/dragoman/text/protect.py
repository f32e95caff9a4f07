"""Pieces of a text that are no words: tags, placeholders, addresses.

Each becomes a code, a single private character that the search carries into the translation, and
comes back there with the white space it had.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_FIRST_CODE = 0xF0000
MAX_CODES = 0xFFFD
_CODE = re.compile("([\U000f0000-\U000ffffd])")

# Format strings of C, Python, Qt and Java, shell variables, entities, addresses. Bounded, so that
# no message makes the search slow.
_PLACEHOLDER = re.compile(
    r"""%(?:\d{1,3}\$)?[-+#0]{0,4}\d{0,4}(?:\.\d{1,4})?(?:hh|h|ll|l|z|j|t|L)?[diouxXeEfFgGcsrap@%]
    |%\([^()\s]{1,64}\)[-+#0]{0,4}\d{0,4}(?:\.\d{1,4})?[diouxXeEfFgGcrsa]
    |%L?\d{1,2}|%n\b
    |\$?\{[^{}\s]{0,64}\}|\$[A-Za-z_]\w{0,63}
    |&\#?\w{1,32};
    |(?:https?|ftp|file)://[^\s<>"]{1,500}[^\s<>".,;:!?)]
    |[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}""",
    re.VERBOSE,
)
_TAG = re.compile(r"</?[A-Za-z][\w.:-]{0,64}(?:\s[^<>]{0,1000})?/?>")
_PROTECTED = re.compile(f"(?P<tag>{_TAG.pattern})|(?P<placeholder>{_PLACEHOLDER.pattern})", re.X)


@dataclass
class Held:
    """A piece that goes into the translation as it is."""

    text: str
    wall: bool  # a tag keeps what stands before and behind it apart; a placeholder may move
    space_before: bool = False
    space_after: bool = False


class HeldPieces:
    """The pieces of one text, and the characters that stand for them."""

    def __init__(self, escape: Callable[[str], str] = str) -> None:
        """`escape` is applied to what is text, in translations and in kept parts."""
        self.escape = escape
        self._held: list[Held] = []

    def __bool__(self) -> bool:
        return bool(self._held)

    @property
    def full(self) -> bool:
        """Whether there is no character left for another piece."""
        return len(self._held) == MAX_CODES

    def add(self, piece: str, *, wall: bool) -> str:
        """The character that stands for a piece, which is not escaped any more."""
        self._held.append(Held(piece, wall))
        return chr(_FIRST_CODE + len(self._held) - 1)

    def hold(self, text: str) -> str:
        """The text with a character for each placeholder, tag or address in it."""

        def encode(match: re.Match[str]) -> str:
            if self.full:
                return match[0]
            return self.add(self.escape(match[0]), wall=match["tag"] is not None)

        return _PROTECTED.sub(encode, text)

    def find(self, token: str) -> Held | None:
        """The piece that a token stands for."""
        place = ord(token) - _FIRST_CODE if _CODE.fullmatch(token) else len(self._held)
        return self._held[place] if place < len(self._held) else None

    def _cut(self, text: str) -> list[str]:
        """A text cut at the characters that stand for pieces; every second part is one. Other
        private characters, as a model or a term may have them, are text."""
        last = chr(_FIRST_CODE + len(self._held) - 1)
        return re.split(f"([{chr(_FIRST_CODE)}-{last}])", text)

    def note_spaces(self, text: str) -> None:
        """Remember which pieces of a text have white space before or behind them."""
        if not self._held:
            return
        for match in _CODE.finditer(text):
            held = self._held[ord(match[0]) - _FIRST_CODE]
            begin, end = match.span()
            held.space_before = begin > 0 and text[begin - 1].isspace()
            held.space_after = text[end : end + 1].isspace()

    def spelt(self, text: str) -> str:
        """A text that is kept as it is, with its pieces."""
        if not self._held:
            return self.escape(text)
        pieces = self._cut(text)
        return "".join(
            self._held[ord(piece) - _FIRST_CODE].text if number % 2 else self.escape(piece)
            for number, piece in enumerate(pieces)
        )

    def restore(self, text: str) -> str:
        """A translation with its pieces, each with the white space it had, and escaped."""
        if not self._held or not _CODE.search(text):
            return self.escape(text)
        out = ""
        last: Held | None = None
        for number, piece in enumerate(self._cut(text)):
            if number % 2:
                held = self._held[ord(piece) - _FIRST_CODE]
                if last is not None:
                    space = last.space_after or held.space_before
                else:
                    space = _space(out, held.space_before, held.wall, left=True)
                out = out.rstrip() + (" " if space and out else "") + held.text
                last = held
            elif piece.strip():
                if last is not None and _space(
                    piece.strip(), last.space_after, last.wall, left=False
                ):
                    out += " "
                out += self.escape(piece.strip())
                last = None
        return out


def without_codes(text: str) -> str:
    """A text without private characters, which mean nothing and would be taken for pieces."""
    return text if text.isascii() else _CODE.sub("", text)


def pieces_of(text: str) -> list[str]:
    """A text cut at its codes; every second part is one."""
    return _CODE.split(text)


def _space(neighbour: str, in_source: bool, wall: bool, *, left: bool) -> bool:
    """Whether a space belongs between a piece and the text beside it."""
    touching = (neighbour[-1:] if left else neighbour[:1]) or " "
    if touching.isalpha() and ord(touching) >= 0x2E80:
        return False  # scripts without spaces
    if left and touching in "([{'’‘“«":
        return False
    if wall:
        return in_source
    return in_source or touching.isalnum() or (not left and touching in "([{«“‘")
