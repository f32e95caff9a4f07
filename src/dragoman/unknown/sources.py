"""All sources of translations for words that a table does not know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from dragoman._core import (
    OfferedTranslation,
    PhraseTableFile,
    SourceKnowledge,
    TranslationModel,
    Vocabulary,
    WordSources,
)
from dragoman.errors import InputError, ModelError
from dragoman.files import read_json
from dragoman.layout import LETTER_FILES
from dragoman.unknown.copying import KINDS
from dragoman.unknown.piecewise import WordPieces
from dragoman.unknown.sound import Sound

# In the order of their features; native code knows the first ones by their place.
NAMES = ("parts", "relative", "spelling", "copy", "sound", "pieces")
FEATURES = tuple(f"unknown.{name}" for name in NAMES)
VERSION = 2
# Behind a word that is to be treated as if it had never been seen, as tuning does with rare
# words; no text has it, since it belongs to no script.
NEVER_SEEN = "\U0010fffd"
_KEPT = 100_000
# A search takes so many offers for a word, the most probable ones, and copying.
MOST_OFFERS = 6
# A word that another source offers something for that is so probable is not spelt by its sound.
KNOWN_BY_OTHERS = math.log(0.02)


@dataclass(frozen=True, slots=True)
class Offer:
    """A translation of one word, from one source."""

    source: int  # its place in NAMES
    target: str
    log_prob: float
    bilingual: Sequence[int]  # ids of the table's tokens, one for each target word
    why: str  # for people: "schnee + mobilen", "like geparkte"

    @property
    def name(self) -> str:
        """Of the source."""
        return NAMES[self.source]


def _read(path: Path) -> dict[str, Any]:
    content = read_json(path)
    version = content.get("version")
    if version != VERSION:
        raise ModelError(
            f"{path}: made by another version of Dragoman ({version}); train the model again"
        )
    return content


def _knowledge(content: dict[str, Any], path: Path) -> SourceKnowledge:
    try:
        knowledge = SourceKnowledge()
        knowledge.set_relatives(**content["relative"])
        knowledge.set_parts(**content["parts"])
        knowledge.set_spelling(**content["spelling"])
        knowledge.set_copied(content["copy"])
    except (KeyError, TypeError) as problem:
        raise ModelError(f"{path}: is not what training wrote; train again") from problem
    return knowledge


def contenders(offers: Sequence[Offer]) -> list[Offer]:
    """Those that a search takes, in their order."""
    probable = sorted(offers, key=lambda one: -one.log_prob)[:MOST_OFFERS]
    least = min((one.log_prob for one in probable), default=0.0)
    return [one for one in offers if one.log_prob >= least or one.name == "copy"]


def _shares(content: dict[str, Any], path: Path) -> list[float]:
    """Of each kind of words, how many are spelt anew."""
    shares = content.get("sound")
    if isinstance(shares, list) and len(shares) == KINDS:
        found = [float(one) for one in shares if isinstance(one, int | float) and 0 <= one <= 1]
        if len(found) == KINDS:
            return found
    raise ModelError(f"{path}: is not what training wrote; train again")


class Sources:
    """What a model offers for words that it does not know."""

    def __init__(
        self, native: WordSources, sound: Sound | None = None, pieces: WordPieces | None = None
    ) -> None:
        self._native, self._sound, self._pieces = native, sound, pieces
        self.offers = lru_cache(_KEPT)(self._offers)

    @classmethod
    def open(cls, files: Sequence[Path], table: Path, source: Path, target: Path) -> Sources:
        """What dragoman.unknown.learn wrote, with a table, which somebody else verifies, and its
        vocabularies."""
        content = _read(files[0])
        letters, pieces = files[1 : 1 + len(LETTER_FILES)], files[1 + len(LETTER_FILES) :]
        # Files of what there was too little to learn from are empty.
        sound = None
        if letters[0].stat().st_size:
            sound = Sound(letters, _shares(content, files[0]))
        piecewise = WordPieces(pieces) if pieces[0].stat().st_size else None
        table_file = PhraseTableFile(str(table), verify=False)
        words, translations = Vocabulary.open(str(source)), Vocabulary.open(str(target))
        knowledge = _knowledge(content, files[0])
        try:
            native = WordSources(table_file, words, translations, knowledge)
        except InputError as problem:
            raise ModelError(f"{files[0]}: damaged: {problem}; train again") from problem
        return cls(native, sound, piecewise)

    def of_lines(
        self, model: TranslationModel, lines: Sequence[str]
    ) -> list[list[OfferedTranslation] | None]:
        """For each tokenised line what is offered for its unknown words."""
        found: list[list[OfferedTranslation] | None] = []
        for line, places in zip(lines, model.strangers(list(lines)), strict=True):
            words = line.split() if places else []
            offered = [
                OfferedTranslation(
                    place, one.target, one.log_prob, one.source, one.name == "copy", one.bilingual
                )
                for place in places
                for one in contenders(self.offers(words[place]))
            ]
            found.append(offered or None)
        return found

    def why(self, word: str, target: str, source: int | None) -> str:
        """For people, why a source offers a translation of a word; empty when none does."""
        offers = self.offers(word) if source is not None else ()
        same = (one.why for one in offers if (one.target, one.source) == (target, source))
        return next(same, "")

    def _offers(self, word: str) -> tuple[Offer, ...]:
        """What all sources offer for a word, source by source, best first."""
        seen = word.removesuffix(NEVER_SEEN)
        offers = [
            Offer(one.source, one.target, one.log_prob, one.bilingual, one.why)
            for one in self._native.offers(seen, seen != word)
        ]
        if self._sound is not None and not any(
            one.log_prob >= KNOWN_BY_OTHERS for one in offers[:-1]
        ):
            sound = NAMES.index("sound")
            offers += (
                Offer(sound, target, math.log(probability), (), "by its sound")
                for target, probability in self._sound.spelt(seen)
            )
        # Pieces cannot forget a word that they were learnt from.
        if self._pieces is not None and seen == word:
            found, why = self._pieces.translated(word)
            place = NAMES.index("pieces")
            offers += (Offer(place, target, math.log(p), (), why) for target, p in found)
        return tuple(offers)
