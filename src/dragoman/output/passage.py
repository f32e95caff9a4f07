"""Text as people send it, cut into sentences to translate and put together again.

A passage may hold pieces that are no words: tags, placeholders such as ``%s``. Each becomes a
code, a single private character that the search carries into the translation, and comes back
with the white space it had. White space between sentences, line ends and whatever is not to be
translated are kept as they are.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dragoman.output.sentences import split_sentences
from dragoman.output.text import TextForm
from dragoman.search.markup import MarkedLine

_FIRST_CODE = 0xF0000
MAX_CODES = 0xFFFD
_CODE = re.compile("([\U000f0000-\U000ffffd])")


@dataclass
class Code:
    """A piece that goes into the translation as it is."""

    text: str
    wall: bool  # a tag keeps what stands before and behind it apart; a placeholder may move
    space_before: bool = False
    space_after: bool = False


@dataclass
class Passage:
    """Parts to keep and sentences to translate, in their order."""

    parts: list[str] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)  # which of the parts they are
    codes: list[Code] = field(default_factory=list)
    escape: Callable[[str], str] = str

    def texts(self) -> list[str]:
        """The sentences; codes are private characters."""
        return [self.parts[place] for place in self.sentences]

    def keep(self, text: str) -> None:
        """Add what is not to be translated."""
        if text:
            self.parts.append(text)

    def add_code(self, text: str, *, wall: bool) -> str:
        """A character that stands for a piece; for use in text given to `add_text`."""
        self.codes.append(Code(text, wall))
        return chr(_FIRST_CODE + len(self.codes) - 1)

    @property
    def full(self) -> bool:
        """Whether there is no character left for another code."""
        return len(self.codes) == MAX_CODES

    def add_text(self, text: str, language: str = "") -> None:
        """Add text to translate; it may be of several lines and sentences."""
        for number, line in enumerate(re.split("(\r\n|\n|\r)", text)):
            if number % 2:
                self.keep(self.escape(line))
                continue
            for place, part in enumerate(split_sentences(line, language)):
                self._add_sentence(part) if place % 2 == 0 else self.keep(part)

    def _add_sentence(self, sentence: str) -> None:
        core = sentence.strip()
        if not any(character.isalnum() for character in core):
            # Nothing a translation could change; what its codes stand for is all there is.
            plain = self.escape(sentence)
            self.keep(_CODE.sub(lambda code: self.codes[ord(code[0]) - _FIRST_CODE].text, plain))
            return
        begin = sentence.index(core)
        self.keep(sentence[:begin])
        for match in _CODE.finditer(core):
            code = self.codes[ord(match[0]) - _FIRST_CODE]
            begins, ends = match.span()
            code.space_before = begins > 0 and core[begins - 1].isspace()
            code.space_after = core[ends : ends + 1].isspace()
        self.sentences.append(len(self.parts))
        self.parts.append(core)
        self.keep(sentence[begin + len(core) :])

    def mark(self, sentence: str, form: TextForm) -> MarkedLine:
        """A sentence as the search takes it."""
        if not self.codes:
            return MarkedLine(form.prepare_source(sentence).split())
        pieces = _CODE.split(sentence)
        tokens = [form.prepare_term(piece) for piece in pieces]
        line = form.truecase_source(" ".join(filter(None, tokens)))
        marked = MarkedLine()
        for token in line.split():
            if _CODE.fullmatch(token):
                marked.add_fixed(token, wall=self.codes[ord(token) - _FIRST_CODE].wall)
            else:
                marked.tokens.append(token)
        return marked

    def restore(self, text: str) -> str:
        """A translation with what its codes stand for, and escaped where the passage needs it."""
        if not self.codes:
            return self.escape(text)
        out = ""
        last: Code | None = None
        for number, piece in enumerate(_CODE.split(text)):
            if number % 2:
                code = self.codes[ord(piece) - _FIRST_CODE]
                if last is not None:
                    space = last.space_after or code.space_before
                else:
                    space = _space(out, code.space_before, code.wall, left=True)
                out = out.rstrip() + (" " if space and out else "") + code.text
                last = code
            elif piece.strip():
                escaped = self.escape(piece.strip())
                if last is not None and _space(
                    piece.strip(), last.space_after, last.wall, left=False
                ):
                    out += " "
                out += escaped
                last = None
        return out

    def assemble(self, translations: Sequence[str]) -> str:
        """The passage with finished translations in place of its sentences."""
        parts = list(self.parts)
        for place, translation in zip(self.sentences, translations, strict=True):
            parts[place] = translation
        return "".join(parts)


def _space(neighbour: str, in_source: bool, wall: bool, *, left: bool) -> bool:
    """Whether a space belongs between a code and the text beside it."""
    touching = (neighbour[-1:] if left else neighbour[:1]) or " "
    if touching.isalpha() and ord(touching) >= 0x2E80:
        return False  # scripts without spaces
    if left and touching in "([{'’‘“«":
        return False
    if wall:
        return in_source
    return in_source or touching.isalnum() or (not left and touching in "([{«“‘")


def text_passage(text: str, language: str = "") -> Passage:
    """Plain text; private characters, which mean nothing, are left out."""
    passage = Passage()
    passage.add_text(_CODE.sub("", text), language)
    return passage


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
_MESSAGE_TAG = re.compile(r"</?[A-Za-z][\w.:-]{0,64}(?:\s[^<>]{0,1000})?/?>")
_PROTECTED = re.compile(
    f"(?P<tag>{_MESSAGE_TAG.pattern})|(?P<placeholder>{_PLACEHOLDER.pattern})", re.VERBOSE
)


def message_passage(text: str, language: str = "") -> Passage:
    """A message of a program: placeholders and tags stay what they are."""
    passage = Passage()
    passage.add_text(_encoded(passage, text), language)
    return passage


def _encoded(passage: Passage, text: str) -> str:
    text = _CODE.sub("", text)

    def encode(match: re.Match[str]) -> str:
        if passage.full:
            return match[0]
        return passage.add_code(match[0], wall=match["tag"] is not None)

    return _PROTECTED.sub(encode, text)


def _escape_markup(text: str) -> str:
    return html.escape(text, quote=False)


def inline_passage(content: str, language: str = "") -> Passage:
    """The inside of an XML element: its inline elements are kept, those that hold native mark-up
    whole."""
    passage = Passage(escape=_escape_markup)
    text = ""
    for tag, piece in _xml_pieces(content):
        if tag and not passage.full:
            text += passage.add_code(piece, wall=True)
        elif not tag:
            text += _encoded(passage, html.unescape(piece))
    # What is protected inside the text is text to XML, and is escaped as such.
    for code in passage.codes:
        if not code.wall:
            code.text = _escape_markup(code.text)
    passage.add_text(text, language)
    return passage


# Elements whose content is no text (as in dragoman.corpus.read.xml), comments, instructions,
# other tags; then character data.
_XML_TAG = re.compile(
    r"""<!--.*?-->|<\?.*?\?>
    |<((?:[\w.-]+:)?(?:bpt|ept|it|ph|ut|x|bx|ex|sc|ec))(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*+)?
     (?:/>|(?<!/)>.*?</\1\s*>)
    |</?[\w.:-]+(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*+)?/?>""",
    re.DOTALL | re.VERBOSE,
)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def _xml_pieces(content: str) -> list[tuple[bool, str]]:
    content = _CDATA.sub(lambda match: _escape_markup(match[1]), content)
    pieces: list[tuple[bool, str]] = []
    at = 0
    for match in _XML_TAG.finditer(content):
        pieces += [(False, content[at : match.start()]), (True, match[0])]
        at = match.end()
    return [*pieces, (False, content[at:])]
