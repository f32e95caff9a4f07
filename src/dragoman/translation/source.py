"""Text as people send it, cut into sentences to translate and put together again.

White space between sentences, line ends and whatever is not to be translated are kept as they
are. What is no word, as tags and placeholders, is held back (see dragoman.text.protect).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from dragoman.text.accelerators import Accelerator, put_back
from dragoman.text.protect import (
    PLAIN_PROTECTION,
    HeldPieces,
    Protection,
    enclosing_tags,
    without_codes,
)
from dragoman.text.sentences import split_sentences


@dataclass(frozen=True)
class Source:
    """A sentence to translate; a private character stands for each piece that is held."""

    text: str
    held: HeldPieces
    accelerator: Accelerator | None = None  # its mark is not in the text

    @classmethod
    def of_line(cls, line: str, protection: Protection | None = None) -> Source:
        """A line that is one sentence; `protection` finds what is held, without it nothing is."""
        held = HeldPieces()
        if protection is None:
            return cls(line, held)
        text, accelerator = held.hold(without_codes(line).strip(), protection, message=True)
        held.note_spaces(text)
        return cls(text, held, accelerator)

    @property
    def spelt(self) -> str:
        """The sentence as it was written."""
        return self.held.spelt(self.marked)

    @property
    def marked(self) -> str:
        """The text with its accelerator, if it has one."""
        return self.text if self.accelerator is None else put_back(self.text, self.accelerator)


@dataclass(frozen=True)
class CutPassage:
    """A passage in parts: sentences to translate, and the rest, which is kept."""

    parts: Sequence[str | Source]

    @property
    def sentences(self) -> list[Source]:
        """What is to be translated, in order."""
        return [part for part in self.parts if isinstance(part, Source)]

    def assemble(self, translations: Sequence[str]) -> str:
        """The passage with finished translations in place of its sentences."""
        said = iter(translations)
        return "".join(next(said) if isinstance(part, Source) else part for part in self.parts)


class Passage:
    """Text and what is kept between, put together piece by piece."""

    def __init__(self, escape: Callable[[str], str] = str) -> None:
        self.held = HeldPieces(escape)
        self._blocks: list[tuple[bool, str]] = []  # whether it is text, and what it is
        self._tags: set[str] = set()  # characters of the document's own tags

    def keep(self, text: str) -> None:
        """Add what is not to be translated."""
        self._blocks.append((False, text))

    def add_tag(self, tag: str, *, spelt: str | None = None) -> str:
        """A character that stands for a tag; for use in text given to `add_text`. `spelt`: what
        is written in its place, if not the tag."""
        code = self.held.add(tag, kind="tag", spelt=spelt)
        self._tags.add(code)
        return code

    def add_text(self, text: str) -> None:
        """Add text to translate; it may be of several lines and sentences."""
        self._blocks.append((True, text))

    def cut(
        self,
        language: str = "",
        protection: Protection | None = PLAIN_PROTECTION,
        *,
        whole_lines: bool = False,
        whole: Callable[[Source], bool] = lambda _: False,
    ) -> CutPassage:
        """Cut it into sentences; `protection` finds what is held beside tags, without it nothing
        is; `whole_lines`: every line is one sentence; `whole`: whether one of several is to be
        taken as one all the same."""
        parts: list[str | Source] = []
        for is_text, block in self._blocks:
            if not is_text:
                parts.append(block)
                continue
            for number, line in enumerate(re.split("(\r\n|\n|\r)", block)):
                if number % 2:
                    parts.append(self.held.escape(line))
                    continue
                found = self._line(line, language, protection, whole_lines=whole_lines)
                if sum(isinstance(part, Source) for part in found) > 1:
                    one = self._line(line, language, protection, whole_lines=True)
                    if any(isinstance(part, Source) and whole(part) for part in one):
                        found = one
                parts += found
        return CutPassage([part for part in parts if part != ""])

    def _line(
        self, line: str, language: str, protection: Protection | None, *, whole_lines: bool
    ) -> list[str | Source]:
        if protection is None:
            text, accelerator = line, None
        else:
            text, accelerator = self.held.hold(line, protection, message=True)
        cut = [text] if whole_lines else split_sentences(text, language, tags=self._tags)
        if accelerator is not None and len(cut) > 1 and protection is not None:
            # Several sentences are no message: the mark is something else.
            text, accelerator = self.held.hold(line, protection)
            cut = split_sentences(text, language, tags=self._tags)
        found: list[str | Source] = []
        for place, part in enumerate(cut):
            found += self._sentence(part, accelerator) if place % 2 == 0 else [part]
        return found

    def _sentence(self, sentence: str, accelerator: Accelerator | None) -> list[str | Source]:
        if not any(character.isalnum() for character in sentence):
            # Nothing a translation could change; what its codes stand for is all there is.
            return [self.held.spelt(sentence)]
        begin, end = self._inside(sentence) if accelerator is None else _stripped(sentence)
        core = sentence[begin:end]
        self.held.note_spaces(core)
        source = Source(core, self.held, accelerator)
        return [self.held.spelt(sentence[:begin]), source, self.held.spelt(sentence[end:])]

    def _inside(self, sentence: str) -> tuple[int, int]:
        """Where a sentence begins and ends without the document's tags at its ends, which stay
        there: those that stand alone, and those that enclose all of it."""
        codes = [character for character in sentence if character in self._tags]
        pairs = enclosing_tags(codes, self.held)
        partner = dict(pairs) | {closing: opening for opening, closing in pairs}
        kept: set[str] = set()  # tags that mark some of the words
        while True:
            loose = set(codes) - kept
            begin, end = _stripped(sentence, loose)
            outside = {*sentence[:begin], *sentence[end:]} & loose
            more = {code for code in outside if partner.get(code, code) not in outside}
            if not more:
                return begin, end
            kept |= more


def _stripped(text: str, more: Container[str] = "") -> tuple[int, int]:
    """Where a text begins and ends without white space, and `more`, at its ends."""
    places = [place for place, one in enumerate(text) if not (one.isspace() or one in more)]
    return places[0], places[-1] + 1


def text_passage(text: str) -> Passage:
    """Plain text."""
    passage = Passage()
    passage.add_text(without_codes(text))
    return passage
