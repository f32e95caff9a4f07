"""Text as people send it, cut into sentences to translate and put together again.

White space between sentences, line ends and whatever is not to be translated are kept as they
are. What is no word, as tags and placeholders, is held back (see dragoman.text.protect).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragoman.text.protect import HeldPieces, without_codes
from dragoman.text.sentences import split_sentences


@dataclass(frozen=True)
class Source:
    """A sentence to translate; a private character stands for each piece that is held."""

    text: str
    held: HeldPieces

    @classmethod
    def of_line(cls, line: str, *, holds: bool) -> Source:
        """A line that is one sentence; `holds`: whether pieces that are no words are held."""
        held = HeldPieces()
        if not holds:
            return cls(line, held)
        text = held.hold(without_codes(line)).strip()
        held.note_spaces(text)
        return cls(text, held)

    @property
    def spelt(self) -> str:
        """The sentence as it was written."""
        return self.held.spelt(self.text)


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

    def keep(self, text: str) -> None:
        """Add what is not to be translated."""
        self._blocks.append((False, text))

    def add_tag(self, tag: str) -> str:
        """A character that stands for a tag; for use in text given to `add_text`."""
        return self.held.add(tag, wall=True)

    def add_text(self, text: str) -> None:
        """Add text to translate; it may be of several lines and sentences."""
        self._blocks.append((True, text))

    def cut(
        self, language: str = "", *, holds: bool = True, whole_lines: bool = False
    ) -> CutPassage:
        """Cut it into sentences; `holds`: whether pieces that are no words are held;
        `whole_lines`: every line is one sentence."""
        parts: list[str | Source] = []
        for is_text, block in self._blocks:
            if not is_text:
                parts.append(block)
                continue
            text = self.held.hold(block) if holds else block
            for number, line in enumerate(re.split("(\r\n|\n|\r)", text)):
                if number % 2:
                    parts.append(self.held.escape(line))
                    continue
                cut = [line] if whole_lines else split_sentences(line, language)
                for place, part in enumerate(cut):
                    parts += self._sentence(part) if place % 2 == 0 else [part]
        return CutPassage([part for part in parts if part != ""])

    def _sentence(self, sentence: str) -> list[str | Source]:
        core = sentence.strip()
        if not any(character.isalnum() for character in core):
            # Nothing a translation could change; what its codes stand for is all there is.
            return [self.held.spelt(sentence)]
        begin = sentence.index(core)
        self.held.note_spaces(core)
        return [sentence[:begin], Source(core, self.held), sentence[begin + len(core) :]]


def text_passage(text: str) -> Passage:
    """Plain text."""
    passage = Passage()
    passage.add_text(without_codes(text))
    return passage
