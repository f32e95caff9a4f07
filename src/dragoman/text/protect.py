"""Pieces of a text that are no words: tags, placeholders, addresses, numbers, names of code.

Each becomes a code, a single private character, while the text is cut into tokens; in the tokens
its kind stands for it (dragoman.text.items), so that a model learns where such things go; and it
comes back in the translation, once and as it was.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dragoman.errors import InputError, UsageError
from dragoman.text.accelerators import MARKS, MASK, Accelerator, find_accelerator
from dragoman.text.items import item_name

if TYPE_CHECKING:
    from collections.abc import Iterable

_FIRST_CODE = 0xF0000
MAX_CODES = 0xFFFD
_CODE = re.compile("([\U000f0000-\U000ffffd])")
_MEANS_NOTHING = re.compile("[\U000f0000-\U000ffffd\ud800-\udfff]")

# Everything is bounded, so that no message makes the search slow.
_CONVERSION = r"[-+\#0]{0,4}\d{0,4}(?:\.\d{1,4})?(?:hh|h|ll|l|z|j|t|L)?"
_PATTERNS = {
    "tag": r"</?[A-Za-z][\w.:-]{0,64}(?:\s[^<>]{0,1000})?/?>",
    "url": r"""(?:(?:https?|ftp|file)://|www\.)[^\s<>"“”«»]{1,500}[^\s<>"“”«».,;:!?)\]'’]""",
    "mail": r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}",
    # Format strings of C, Python, Qt, Java, Ruby and ICU, variables of shells and of office
    # programs, entities. A conversion behind a digit may be a percentage: "100%d'accord".
    "ph": rf"""%[A-Z][A-Z0-9_]{{1,64}}%?|%[A-Za-z_]\w{{1,64}}%
        |%\([^()\s]{{1,64}}\)[-+\#0]{{0,4}}\d{{0,4}}(?:\.\d{{1,4}})?[diouxXeEfFgGcrsa]
        |%\d{{1,2}}(?=[^\W\d_]{{2}})
        |(?<!\d)%(?:\d{{1,3}}\$)?{_CONVERSION}[diouxXeEfFgGcsrap@%]
        |(?<=\d)%(?:\d{{1,3}}\$)?{_CONVERSION}[diouxXeEfFgGcsrap@](?![^\W\d_])
        |%L?\d{{1,2}}|%n\b
        |\$\([^()\s]{{1,64}}\)|\$[A-Za-z_]\w{{0,63}}\$?
        |\{{\s?\w{{1,64}}\s?,\s?(?:plural|select|selectordinal)\s?,
          (?:[^{{}}]|\{{[^{{}}]{{0,200}}\}}){{1,1000}}\}}
        |\{{\s?\w{{1,64}}\s?,\s?[a-z]{{1,20}}(?:\s?,[^{{}}]{{0,64}})?\}}
        |\{{\{{[^{{}}]{{1,64}}\}}\}}|[$\#%@]?\{{[^{{}}\s]{{0,64}}\}}
        |&\#?\w{{1,32}};""",
    "code": r"""(?<![\w/])(?:(?:[A-Za-z]\w{0,40}_\w{1,40}|__\w{1,60})(?:\.[A-Za-z]\w{0,9}){0,3}
        |\*(?:\.[A-Za-z]\w{0,9}){1,3}|[A-Z]\w{0,9}(?:&[A-Z]\w{0,9}){1,3}|[A-Za-z_]\w{0,60}\(\)
        |\w{1,60}(?:::\w{1,60}){1,8}|--[a-z][\w-]{1,40}
        |(?:~|\.{1,2})?(?:/[\w.+-]{1,64}){2,20}/?|[A-Z]:\\[^\s<>"|?*]{1,200})(?!\w)""",
    "date": r"(?<![\w.,/])\d{1,4}(?P<between>[-/.])\d{1,2}(?P=between)\d{1,4}(?![\w/])",
    "num": r"(?<![\w.,])\d{1,20}(?:[.,:'’]\d{1,20}){1,8}(?!\w)",
}


_PROTECTED = re.compile(
    "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _PATTERNS.items()), re.VERBOSE
)
KINDS = tuple(_PATTERNS)
# What models of 0.1 held.
OLD_KINDS = ("tag", "url", "mail", "ph")
# What none of the patterns can be without.
_WORTH_LOOKING = re.compile(r"[<@%$\{&_/\\(\d]|--|::|\*\.|www")

_OPENING_TAG = re.compile(r"<([A-Za-z][\w.:-]*)(?:\s[^<>]*)?(?<!/)>")
_CLOSING_TAG = re.compile(r"</([A-Za-z][\w.:-]*)\s*>")

# A pattern of a user's own that takes longer than this for one line will never be done.
_SECONDS = 1.0


@dataclass
class Held:
    """A piece that goes into the translation as it is."""

    text: str
    kind: str
    spelt: str = ""  # the same, escaped as the document needs it
    space_before: bool = False
    space_after: bool = False

    @property
    def opens(self) -> str:
        """The name of the element that it opens; empty when it is no opening tag."""
        match = _OPENING_TAG.fullmatch(self.text) if self.kind == "tag" else None
        return match[1] if match else ""

    @property
    def closes(self) -> str:
        """The name of the element that it closes; empty when it is no closing tag."""
        match = _CLOSING_TAG.fullmatch(self.text) if self.kind == "tag" else None
        return match[1] if match else ""


class Protection:
    """Finds what is to be held: what everybody would hold, and what the user's patterns say."""

    def __init__(
        self, patterns: Sequence[str] = (), marks: str = "", kinds: Sequence[str] = KINDS
    ) -> None:
        """`marks`: of accelerators, those that stand inside words; `kinds`: what everybody would
        hold, without the rest of it."""
        self._kinds = frozenset(kinds)
        self._own: Any = None
        self.marks = marks
        if patterns:
            import regex

            for pattern in patterns:
                try:
                    empty = regex.compile(pattern).match("") is not None
                except regex.error as problem:
                    raise UsageError(
                        f"no regular expression to protect by: {pattern!r}: {problem}"
                    ) from problem
                if empty:
                    raise UsageError(f"{pattern!r} would protect nothing: it matches no text")
            self._own = regex.compile("|".join(f"(?:{pattern})" for pattern in patterns))
            self._told = ", ".join(map(repr, patterns))

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where the pieces of a text begin and end, and their kinds, from left to right."""
        if self._own is None:
            yield from self._found(text, 0, len(text))
            return
        at = 0
        try:
            for match in self._own.finditer(text, timeout=_SECONDS):
                if match.end() > match.start():
                    yield from self._found(text, at, match.start())
                    yield match.start(), match.end(), "ph"
                    at = match.end()
        except TimeoutError as problem:
            raise InputError(
                f"looking for {self._told} takes too long in a line of {len(text):,} characters; "
                "protect by a simpler regular expression"
            ) from problem
        yield from self._found(text, at, len(text))

    def _found(self, text: str, begin: int, end: int) -> Iterator[tuple[int, int, str]]:
        if _WORTH_LOOKING.search(text, begin, end) is None:
            return
        for match in _PROTECTED.finditer(text, begin, end):
            kind = next(kind for kind in KINDS if match[kind] is not None)
            if kind in self._kinds:
                yield match.start(), match.end(), kind

    def find_in_message(self, text: str) -> tuple[list[tuple[int, int, str]], Accelerator | None]:
        """The same for a message, and its accelerator, whose word is not held."""
        found = list(self.find(text))
        if not any(mark in text for mark in MARKS):
            return found, None
        accelerator = find_accelerator(masked(text, found), self.marks)
        if accelerator is None:
            return found, None
        place, (begin, end) = accelerator.place, accelerator.span
        held = [one for one in found if not one[0] <= place < one[1]]
        if any(one[0] < end and begin < one[1] for one in held):
            return found, None  # a mark before a name of code (~snake_case)
        return held, accelerator


def masked(text: str, found: Iterable[tuple[int, int, str]]) -> str:
    """A text in which nobody takes what is held for an accelerator; names of code may be one
    (Othe_r)."""
    return replaced(
        text, ((b, e, text[b:e] if kind == "code" else MASK * (e - b)) for b, e, kind in found)
    )


PLAIN_PROTECTION = Protection()


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
        return self.room == 0

    @property
    def room(self) -> int:
        """For how many more pieces there are characters."""
        return MAX_CODES - len(self._held)

    def add(self, piece: str, *, kind: str, spelt: str | None = None) -> str:
        """The character that stands for a piece; `spelt`: how it is written, if otherwise."""
        self._held.append(Held(piece, kind, piece if spelt is None else spelt))
        return chr(_FIRST_CODE + len(self._held) - 1)

    def hold(
        self, text: str, protection: Protection = PLAIN_PROTECTION, *, message: bool = False
    ) -> tuple[str, Accelerator | None]:
        """The text with a character for each piece that is to be held; of a `message`, without
        its accelerator, which comes too."""
        found, accelerator = (
            protection.find_in_message(text) if message else (list(protection.find(text)), None)
        )
        taken = [(begin, end, kind) for begin, end, kind in found[: self.room]]
        holders = [
            (b, e, self.add(text[b:e], kind=kind, spelt=self.escape(text[b:e])))
            for b, e, kind in taken
        ]
        if accelerator is not None:
            begin, _ = accelerator.span
            before = replaced(text[:begin], [one for one in holders if one[1] <= begin])
            accelerator = replace(accelerator, earlier=before.count(accelerator.word))
            holders = sorted([*holders, (accelerator.place, accelerator.place + 1, "")])
        return replaced(text, holders), accelerator

    def __getitem__(self, code: str) -> Held:
        """The piece that a character stands for."""
        return self._held[ord(code) - _FIRST_CODE]

    def __contains__(self, token: str) -> bool:
        """Whether a token is the character of a piece; other private characters, as a model or a
        term may have them, are text."""
        return len(token) == 1 and _FIRST_CODE <= ord(token) < _FIRST_CODE + len(self._held)

    def _cut(self, text: str) -> list[str]:
        """A text cut at the characters that stand for pieces; every second part is one."""
        last = chr(_FIRST_CODE + len(self._held) - 1)
        return re.split(f"([{chr(_FIRST_CODE)}-{last}])", text)

    def apart(self, text: str) -> str:
        """A text of tokens with the characters of pieces as tokens."""
        return " ".join(self._cut(text)) if self._held else text

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
        """A text with its pieces in place of their characters, escaped."""
        if not self._held:
            return self.escape(text)
        pieces = self._cut(text)
        return "".join(
            self[piece].spelt if number % 2 else self.escape(piece)
            for number, piece in enumerate(pieces)
        )

    def spaced(self, text: str) -> str:
        """A translation whose tokeniser knows nothing of pieces, each of them with the white
        space that it had."""
        if not self._held or not _CODE.search(text):
            return text
        out = ""
        last: Held | None = None
        for number, piece in enumerate(self._cut(text)):
            if number % 2:
                held = self._held[ord(piece) - _FIRST_CODE]
                if last is not None:
                    space = last.space_after or held.space_before
                else:
                    space = _space(out, held.space_before, held.kind == "tag", left=True)
                out = out.rstrip() + (" " if space and out else "") + piece
                last = held
            elif piece.strip():
                if last is not None and _space(
                    piece.strip(), last.space_after, last.kind == "tag", left=False
                ):
                    out += " "
                out += piece.strip()
                last = None
        return out


class ItemNames:
    """Gives the items of a sentence their names: numbered by kind."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def name(self, kind: str) -> str:
        """The name of the next item of a kind."""
        self._counts[kind] += 1
        return item_name(kind, self._counts[kind])


def hold_pair(
    source: str,
    target: str,
    protection: Protection = PLAIN_PROTECTION,
    *,
    everything: bool = False,
) -> tuple[str, str, dict[str, str]]:
    """A pair of lines with a character for each item that both sides have, and the names of the
    items; accelerators go, and so do tags that enclose text, as they do when a text is
    translated. `everything`: items of the source that the target has not are held as well."""
    here, accelerator = protection.find_in_message(source)
    there, other = protection.find_in_message(target)
    if not here and accelerator is None and other is None:
        return source, target, {}
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for begin, end, _ in there:
        places[target[begin:end]].append((begin, end))
    held, names = HeldPieces(), ItemNames()
    holders: tuple[list[tuple[int, int, str]], ...] = ([], [])
    for begin, end, kind in here[:MAX_CODES]:
        item = source[begin:end]
        if places[item] or everything:
            code = held.add(item, kind=kind)
            holders[0].append((begin, end, code))
            if places[item]:
                holders[1].append((*places[item].pop(0), code))
    codes = [code for _, _, code in holders[0]]
    tags = {code for pair in enclosing_tags(codes, held) for code in pair}
    named = {code: names.name(held[code].kind) for code in codes if code not in tags}
    sides = []
    for text, holder, mark in zip((source, target), holders, (accelerator, other), strict=True):
        placed = [(begin, end, "" if code in tags else code) for begin, end, code in holder]
        if mark is not None:
            placed.append((mark.place, mark.place + 1, ""))
        sides.append(replaced(text, sorted(placed)))
    return sides[0], sides[1], named


def enclosing_tags(codes: Iterable[str], held: HeldPieces) -> list[tuple[str, str]]:
    """Tags that open and close an element, among the pieces of a text in their order."""
    opened: list[tuple[str, str]] = []  # the name of the element, and the tag
    names: Counter[str] = Counter()
    found: list[tuple[str, str]] = []
    for code in codes:
        piece = held[code]
        if piece.opens:
            opened.append((piece.opens, code))
            names[piece.opens] += 1
        elif piece.closes and names[piece.closes]:
            name, first = opened.pop()
            names[name] -= 1
            while name != piece.closes:
                name, first = opened.pop()
                names[name] -= 1
            found.append((first, code))
    return found


def replaced(text: str, holders: Iterable[tuple[int, int, str]]) -> str:
    """A text with some of its spans replaced; they are in order."""
    out, at = [], 0
    for begin, end, other in holders:
        out += [text[at:begin], other]
        at = end
    return "".join([*out, text[at:]])


def without_codes(text: str) -> str:
    """A text without private characters, which would be taken for pieces, and without halves of
    surrogate pairs, which cannot be written: neither means anything."""
    return text if text.isascii() else _MEANS_NOTHING.sub("", text)


def is_code(token: str) -> bool:
    """Whether a token is a character that may stand for a piece."""
    return len(token) == 1 and _FIRST_CODE <= ord(token) < _FIRST_CODE + MAX_CODES


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
