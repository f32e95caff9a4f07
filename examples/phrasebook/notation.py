"""Reads the hand-written files: triples of lines, words with glosses, brackets.

One side of a triple is a line of words separated by spaces. ``word/a+b`` links the word
to the English words ``a`` and ``b``, ``word/-`` leaves it unlinked, and ``word^TAG``
states its tag. ``[`` and ``]`` enclose a constituent.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

LANGUAGES = ("en", "fr", "ja")

_PIECE = re.compile(r"\[|\]|[^\s\[\]]+")


class NotationError(Exception):
    """A mistake in a hand-written file; the message names file, line and value."""


@dataclass(frozen=True)
class Word:
    """One token with what the author said about it.

    ``gloss`` is None when the author said nothing and empty when the word is to stay
    unlinked. ``scope`` names the slot the word came from ("" for the sentence itself);
    content words only link within one scope, so that two fillers cannot be confused.
    """

    text: str
    gloss: tuple[str, ...] | None = None
    tag: str | None = None
    scope: str = ""


@dataclass(frozen=True)
class Group:
    """A constituent: something the author bracketed, or the filler of a slot."""

    parts: tuple["Word | Group", ...]


Part = Word | Group


@dataclass(frozen=True)
class Triple:
    """Three lines as written, and where they stand, for messages."""

    lines: tuple[str, str, str]
    origin: str


def read_triples(path: Path) -> Iterator[Triple]:
    """Yields the blocks of three lines in a file; ``#`` starts a comment line."""
    block: list[str] = []
    start = 0
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate([*lines, ""], start=1):
        if line.startswith("#"):
            continue
        if line.strip():
            start = start if block else number
            block.append(line.strip())
        elif block:
            origin = f"{path.name}:{start}"
            if len(block) != 3:
                raise NotationError(
                    f"{origin}: a block has {len(block)} lines, not three "
                    "(English, French, Japanese, then an empty line)"
                )
            yield Triple((block[0], block[1], block[2]), origin)
            block = []


def parse_word(piece: str, scope: str = "") -> Word:
    """``word``, ``word/gloss``, ``word/-`` or ``word^TAG``."""
    text, slash, gloss = piece.partition("/")
    text, caret, tag = text.partition("^")
    glosses: tuple[str, ...] | None = None
    if slash:
        glosses = () if gloss == "-" else tuple(gloss.split("+"))
    if not text or (caret and not tag) or (slash and not gloss):
        raise NotationError(f"cannot read the word {piece!r}")
    return Word(text, glosses, tag or None, scope)


def nest(pieces: list[Part | str]) -> tuple[Part, ...]:
    """Turns "[" and "]" among the pieces into groups."""
    stack: list[list[Part]] = [[]]
    for piece in pieces:
        if piece == "[":
            stack.append([])
        elif piece == "]":
            inner = stack.pop()
            if not stack or not inner:
                raise NotationError("a closing bracket without anything to close")
            stack[-1].append(Group(tuple(inner)))
        elif isinstance(piece, str):
            stack[-1].append(parse_word(piece))
        else:
            stack[-1].append(piece)
    if len(stack) != 1:
        raise NotationError("an opening bracket is never closed")
    return tuple(stack[0])


def parse_side(line: str) -> tuple[Part, ...]:
    """One line of a hand-written triple."""
    return nest(list(_PIECE.findall(line)))


def words(parts: tuple[Part, ...]) -> list[Word]:
    """The words of a side from left to right."""
    found: list[Word] = []
    for part in parts:
        found.extend(words(part.parts) if isinstance(part, Group) else [part])
    return found


def map_words(parts: tuple[Part, ...], texts: Iterator[str]) -> tuple[Part, ...]:
    """The same structure with other spellings, taken in order from ``texts``."""
    mapped: list[Part] = []
    for part in parts:
        if isinstance(part, Group):
            mapped.append(Group(map_words(part.parts, texts)))
        else:
            mapped.append(replace(part, text=next(texts)))
    return tuple(mapped)
