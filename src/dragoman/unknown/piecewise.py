"""Words translated piece by piece, with what dragoman.unknown.pieces has learnt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from dragoman._core import SearchOptions
from dragoman.text.tokenise import Pieces
from dragoman.unknown.word_model import WordModel

# Longer words are no words.
LONGEST_WORD = 64
MOST_OFFERS = 8
# Of words cut into shorter pieces than this on average, as names of other languages are, the
# pieces say nothing.
SHORTEST_AVERAGE = 2.5
# A beginning of so many letters may stand for the word.
SHORTEST_BEGINNING = 4
# What is believed of the best translations together.
SHARE = 0.7
_SCALE = 1.0
_WEIGHTS = {
    "tm.fwd": 0.2,
    "tm.bwd": 0.1,
    "lex.fwd": 0.1,
    "lex.bwd": 0.1,
    "lm": 0.2,
    "words": 0.3,
    "phrases": 0.1,
    "distortion": 0.05,
}


class WordPieces:
    """Translates a word piece by piece, or as its beginning: endings often have no word of their
    own in the other language, and then what is found for them is noise."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._pieces = Pieces.load(files[0])
        # A word may be turned round whole: endings often stand before in the other language.
        self._model = WordModel(files[1:], _WEIGHTS, SearchOptions(distortion_limit=4))

    def translated(self, word: str) -> tuple[list[tuple[str, float]], str]:
        """What a word may mean, how probable that is, and its pieces."""
        if len(word) > LONGEST_WORD or not any(map(str.isalpha, word)):
            return [], ""
        cut = self._pieces.cut(word)
        if len(word) < SHORTEST_AVERAGE * len(cut):
            return [], ""
        together: dict[str, float] = defaultdict(float)
        total = 0.0
        for pieces in range(1, len(cut) + 1):
            covered = sum(map(len, cut[:pieces]))
            if covered < SHORTEST_BEGINNING and pieces < len(cut):
                continue
            found = self._model.translations(" ".join(cut[:pieces]), MOST_OFFERS, _SCALE)
            total += covered / len(word) if found else 0
            for target, share in found:
                together[target] += share * covered / len(word)
        best = sorted(together.items(), key=lambda item: (-item[1], item[0]))[:MOST_OFFERS]
        return [(target, SHARE * share / total) for target, share in best], " + ".join(cut)
