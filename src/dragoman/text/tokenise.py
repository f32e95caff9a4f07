"""Cutting text into words, and putting it together again.

A tokeniser cuts a normalised line into tokens and tells what white space stood between them, so
that nothing is lost. The one a model was trained with is named in its manifest and used on
everything it translates; what it had to learn first lies in the model directory.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from dragoman.errors import FileError, InputError, MissingExtraError, ModelError
from dragoman.text.items import item_kind
from dragoman.text.languages import apostrophe_rule, segmentation
from dragoman.text.protect import is_code, pieces_of
from dragoman.text.spacing import HYPHEN, unspaced

TokeniserName = Literal[
    "auto", "words", "mecab", "jieba", "segmenter", "subword", "char", "whitespace", "moses"
]
# They learn from the training text how to cut.
LEARNING: tuple[TokeniserName, ...] = ("segmenter", "subword")

# Before every piece of a word but its first.
CONTINUED = "￭"


@dataclass(frozen=True)
class Cut:
    """A line in tokens."""

    tokens: list[str]
    gaps: list[str]  # what stands before, between and behind them: one more than tokens

    def for_model(self, names: Mapping[str, str]) -> Cut:
        """The line as a model has it: hyphens inside words apart from dashes, and `names` for
        some of the tokens, those of held items."""
        tokens = [names.get(token, token) for token in self.tokens] if names else self.tokens
        if "-" in tokens:
            inner = self.gaps[1:-1]
            tokens = [
                HYPHEN
                if token == "-"
                and 0 < place < len(tokens) - 1
                and inner[place - 1] == inner[place] == ""
                and tokens[place - 1][-1].isalnum()
                and tokens[place + 1][0].isalnum()
                else token
                for place, token in enumerate(tokens)
            ]
        return Cut(tokens, self.gaps)

    @property
    def text(self) -> str:
        """The line again."""
        parts = [self.gaps[0]]
        for token, gap in zip(self.tokens, self.gaps[1:], strict=True):
            parts += [token, gap]
        return "".join(parts)


class Tokeniser(Protocol):
    """Text to tokens, and back where tokens alone say how."""

    def cut(self, text: str) -> Cut:
        """The tokens of a normalised line; characters of held pieces are tokens."""

    @property
    def join(self) -> Callable[[Sequence[str]], str] | None:
        """Makes the line that tokens stand for; None where white space is told apart from tokens
        and has to be found again in translations."""


def chosen_tokeniser(name: TokeniserName, language: str) -> TokeniserName:
    """What "auto" means for a language on this machine; other names as they are."""
    if name != "auto":
        return name
    wanted = segmentation(language)
    packages = {"mecab": "fugashi", "jieba": "jieba"}
    if wanted in packages and find_spec(packages[wanted]) is None:
        return "segmenter"
    return wanted


def make_tokeniser(name: TokeniserName, language: str, learnt: Path | None = None) -> Tokeniser:
    """The tokeniser of that name, with the rules of the language where it has any; `learnt` is
    the file of one that learns."""
    match chosen_tokeniser(name, language):
        case "moses":
            return MosesTokeniser(language)
        case "whitespace":
            return WhitespaceTokeniser()
        case "char":
            return CharacterTokeniser()
        case "mecab":
            return SegmentingTokeniser(language, mecab())
        case "jieba":
            return SegmentingTokeniser(language, jieba())
        case "segmenter":
            return SegmentingTokeniser(language, Pieces.load(learnt).cut)
        case "subword":
            return SubwordTokeniser(language, Pieces.load(learnt).cut)
        case _:
            return WordTokeniser(language)


class WhitespaceTokeniser:
    """For text whose tokens are already separated."""

    def cut(self, text: str) -> Cut:
        tokens = text.split()
        return Cut(tokens, ["", *[" "] * (len(tokens) - 1), ""] if tokens else [""])

    def join(self, tokens: Sequence[str]) -> str:
        return " ".join(tokens)


class WordTokeniser:
    """Words, numbers and symbols, for languages that put spaces between words."""

    join = None

    def __init__(self, language: str) -> None:
        from dragoman._core import Apostrophe, cut_words

        self._cut = cut_words
        self._rule = getattr(Apostrophe, apostrophe_rule(language))

    def cut(self, text: str) -> Cut:
        return Cut(*self._cut(text, self._rule))


class SegmentingTokeniser:
    """Words as above; runs of letters of a script without spaces are cut by a segmenter."""

    join = None

    def __init__(self, language: str, segment: Callable[[str], list[str]]) -> None:
        self._words, self._segment = WordTokeniser(language), segment

    def cut(self, text: str) -> Cut:
        return _cut_further(
            self._words.cut(text), lambda t: self._segment(t) if unspaced(t[0]) else [t]
        )


class SubwordTokeniser:
    """Words as above, rare ones in pieces; every piece but the first is marked as such."""

    join = None

    def __init__(self, language: str, segment: Callable[[str], list[str]]) -> None:
        self._words, self._segment = WordTokeniser(language), segment

    def cut(self, text: str) -> Cut:
        return _cut_further(self._words.cut(text), self._pieces)

    def _pieces(self, word: str) -> list[str]:
        if not word[0].isalpha():
            return [word]
        first, *others = self._segment(word)
        return [first, *(CONTINUED + piece for piece in others)]


def _cut_further(cut: Cut, pieces: Callable[[str], list[str]]) -> Cut:
    tokens: list[str] = []
    gaps = cut.gaps[:1]
    for token, gap in zip(cut.tokens, cut.gaps[1:], strict=True):
        found = pieces(token)
        tokens += found
        gaps += [""] * (len(found) - 1) + [gap]
    return Cut(tokens, gaps)


class MosesTokeniser:
    """The rules of the Moses tokeniser, by sacremoses; it loses white space."""

    def __init__(self, language: str) -> None:
        from sacremoses import MosesDetokenizer, MosesTokenizer

        code = language.split("-")[0].lower() or "en"
        self._tokeniser = MosesTokenizer(code)
        self._detokeniser = MosesDetokenizer(code)

    def cut(self, text: str) -> Cut:
        tokens: list[str] = []
        for number, piece in enumerate(pieces_of(" ".join(text.split()))):
            # No XML escapes: nothing downstream gives "|" or "<" a meaning.
            tokens += [piece] if number % 2 else self._tokeniser.tokenize(piece, escape=False)
        return Cut(tokens, ["", *[" "] * (len(tokens) - 1), ""] if tokens else [""])

    def join(self, tokens: Sequence[str]) -> str:
        return str(self._detokeniser.detokenize(list(tokens), unescape=False))


class CharacterTokeniser:
    """A token for each character, with its combining marks; spaces become visible symbols.

    For spelling normalisation, and for languages written without spaces. Loses nothing: the
    symbol itself, should it occur in a text, is written out of the way.
    """

    BOUNDARY = "\u2581"
    # Non-breaking spaces, the wide and the narrow, and the symbol itself.
    INSTEAD: ClassVar = {" ": BOUNDARY, "\u00a0": "▁n", "\u202f": "▁t", BOUNDARY: "▁▁"}
    MEANT: ClassVar = {token: character for character, token in INSTEAD.items()}

    def cut(self, text: str) -> Cut:
        tokens: list[str] = []
        for character in text:
            if character in self.INSTEAD:
                tokens.append(self.INSTEAD[character])
            elif (
                tokens
                and unicodedata.category(character)[0] == "M"
                and not tokens[-1].startswith(self.BOUNDARY)
                and not is_code(tokens[-1])
            ):
                tokens[-1] += character
            else:
                tokens.append(character)
        return Cut(tokens, [""] * (len(tokens) + 1))

    def join(self, tokens: Sequence[str]) -> str:
        return "".join(self.MEANT.get(token, token) for token in tokens)


@lru_cache(maxsize=1)
def mecab() -> Callable[[str], list[str]]:
    """Japanese words by MeCab (fugashi, with the UniDic-lite dictionary)."""
    try:
        from fugashi import Tagger
    except ImportError as problem:
        raise MissingExtraError("the tokeniser mecab", "mecab") from problem
    tagger = Tagger()
    return lambda text: [str(word) for word in tagger(text)]


@lru_cache(maxsize=1)
def jieba() -> Callable[[str], list[str]]:
    """Chinese words by jieba."""
    try:
        import jieba as package
    except ImportError as problem:
        raise MissingExtraError("the tokeniser jieba", "jieba") from problem
    package.setLogLevel("ERROR")
    return lambda text: list(package.cut(text))


class Pieces:
    """Cuts words or runs of letters into pieces; learnt from the text by SentencePiece."""

    def __init__(self, model: bytes) -> None:
        self.model = model

    @cached_property
    def _processor(self) -> Any:
        from sentencepiece import SentencePieceProcessor

        return SentencePieceProcessor(model_proto=self.model)

    @cached_property
    def cut(self) -> Callable[[str], list[str]]:
        """Cuts one word or run; joined, the pieces are it again."""
        encode = self._processor.encode

        @lru_cache(maxsize=100_000)
        def cut(text: str) -> tuple[str, ...]:
            pieces = [piece for piece in encode(text, out_type=str) if piece]
            return tuple(pieces) if "".join(pieces) == text else (text,)

        return lambda text: list(cut(text))

    @classmethod
    def load(cls, path: Path | None) -> Pieces:
        """Those that a training has learnt."""
        if path is None:
            raise ModelError("this tokeniser learns from text, and has not seen any")
        try:
            return cls(path.read_bytes())
        except OSError as problem:
            raise FileError.of(problem, path) from problem

    @classmethod
    def learn(cls, words: Iterable[str], size: int, *, roughly: bool = False) -> Pieces:
        """From words, or runs of letters, as often as they occur; `size`: how many pieces.
        `roughly`: in half the time, with larger steps from many pieces to few."""
        from sentencepiece import SentencePieceTrainer

        model = io.BytesIO()
        try:
            SentencePieceTrainer.train(
                sentence_iterator=iter(words),
                model_writer=model,
                model_type="unigram",
                vocab_size=size,
                hard_vocab_limit=False,
                character_coverage=1.0,
                normalization_rule_name="identity",
                add_dummy_prefix=False,
                remove_extra_whitespaces=False,
                shrinking_factor=0.5 if roughly else 0.75,
                num_sub_iterations=1 if roughly else 2,
                num_threads=1,  # the same pieces on every machine
                minloglevel=2,
            )
        except RuntimeError as problem:
            raise InputError(
                f"too little text to learn how to cut words from ({problem})"
            ) from problem
        return cls(model.getvalue())


def whole_words(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Spans of tokens that make a word: one, or several of a tokeniser that cuts words."""
    spans: list[tuple[int, int]] = []
    for place, token in enumerate(tokens):
        if spans and token.startswith(CONTINUED) and len(token) > 1 and not item_kind(token):
            spans[-1] = spans[-1][0], place + 1
        else:
            spans.append((place, place + 1))
    return spans


def joined_word(tokens: Sequence[str]) -> str:
    """The word that pieces make."""
    first, *others = tokens
    return first + "".join(other.removeprefix(CONTINUED) for other in others)


def spelt(word: str) -> str:
    """A word of a model's text as it is written."""
    return "-" if word == HYPHEN else word
