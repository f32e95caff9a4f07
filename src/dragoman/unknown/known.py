"""Known words and what they mean: what every source learns from."""

from __future__ import annotations

from functools import cached_property, lru_cache

from dragoman._core import Lexicon
from dragoman.rules.table import PhraseTable

RESERVED = 3  # ids of <unk>, <s> and </s>
_KEPT = 100_000
# Letters that a part or a stem has at least, in scripts of some dozen letters; where words are
# shorter than this on average, every letter is nearly a word.
FEW_LETTERS = 3
SHORT_WORDS = 4.5

# Tokens separated by spaces, and how probable they are.
Meanings = list[tuple[str, float]]


class KnownWords:
    """The most frequent words of a table's source side, by falling frequency."""

    def __init__(self, table: PhraseTable, most: int) -> None:
        vocabulary = table.source_vocabulary
        self.lexicon = Lexicon(table.file, vocabulary, table.target_vocabulary)
        self.form_of = self.lexicon.form_of
        self.meanings = lru_cache(_KEPT)(self.lexicon.meanings)
        self.ids: dict[str, int] = {}
        for number in range(RESERVED, min(len(vocabulary), most + RESERVED)):
            word = vocabulary.word(number)
            if self.form_of(word) == number:
                self.ids[word] = number

    @cached_property
    def shortest(self) -> int:
        """The letters of the shortest part of a word that may mean something."""
        average = sum(map(len, self.ids)) / (len(self.ids) or 1)
        return FEW_LETTERS if average >= SHORT_WORDS else 1

    def short_meanings(self, word: int) -> dict[str, float]:
        """The meanings of one word each, which say what the word itself means."""
        return {target: p for target, p in self.meanings(word) if " " not in target}
