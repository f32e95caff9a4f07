"""Cutting text into words, and putting it together again.

A tokeniser turns a normalised line into tokens separated by single spaces and back. The one a
model was trained with is named in its manifest and used on everything it translates.
"""

from __future__ import annotations

import unicodedata
from typing import Literal, Protocol

from dragoman.errors import MissingExtraError

TokeniserName = Literal["moses", "whitespace", "char", "mecab", "jieba"]


class Tokeniser(Protocol):
    """Text to tokens and back."""

    def tokenise(self, text: str) -> str:
        """The tokens of a normalised line, separated by single spaces."""

    def detokenise(self, tokens: str) -> str:
        """The line that the tokens stand for, as far as it can be told."""


def make_tokeniser(name: TokeniserName, language: str) -> Tokeniser:
    """The tokeniser of that name, with the rules of the language where it has any."""
    match name:
        case "moses":
            return MosesTokeniser(language)
        case "whitespace":
            return WhitespaceTokeniser()
        case "char":
            return CharacterTokeniser()
        case "mecab":
            return MecabTokeniser()
        case "jieba":
            return JiebaTokeniser()


class WhitespaceTokeniser:
    """For text whose tokens are already separated."""

    def tokenise(self, text: str) -> str:
        return text

    def detokenise(self, tokens: str) -> str:
        return tokens


class MosesTokeniser:
    """The rules of the Moses tokeniser, by sacremoses."""

    def __init__(self, language: str) -> None:
        from sacremoses import MosesDetokenizer, MosesTokenizer

        code = language.split("-")[0].lower() or "en"
        self._tokeniser = MosesTokenizer(code)
        self._detokeniser = MosesDetokenizer(code)

    def tokenise(self, text: str) -> str:
        # No XML escapes: nothing downstream gives "|" or "<" a meaning.
        return str(self._tokeniser.tokenize(text, escape=False, return_str=True))

    def detokenise(self, tokens: str) -> str:
        return str(self._detokeniser.detokenize(tokens.split(), unescape=False))


class CharacterTokeniser:
    """A token for each character, with its combining marks; a space becomes a visible symbol.

    For spelling normalisation, and for languages written without spaces. Loses nothing: the
    symbol itself, should it occur in a text, is written out of the way.
    """

    BOUNDARY = "\u2581"
    LITERAL_BOUNDARY = "\u2581\u2581"

    def tokenise(self, text: str) -> str:
        tokens: list[str] = []
        for character in text:
            if character == " ":
                tokens.append(self.BOUNDARY)
            elif character == self.BOUNDARY:
                tokens.append(self.LITERAL_BOUNDARY)
            elif (
                tokens
                and unicodedata.category(character)[0] == "M"
                and not tokens[-1].startswith(self.BOUNDARY)
            ):
                tokens[-1] += character
            else:
                tokens.append(character)
        return " ".join(tokens)

    def detokenise(self, tokens: str) -> str:
        literal = {self.BOUNDARY: " ", self.LITERAL_BOUNDARY: self.BOUNDARY}
        return "".join(literal.get(token, token) for token in tokens.split(" "))


class MecabTokeniser:
    """Japanese words by MeCab (fugashi, with the UniDic-lite dictionary)."""

    def __init__(self) -> None:
        try:
            from fugashi import Tagger
        except ImportError as problem:
            raise MissingExtraError("the tokeniser mecab", "mecab") from problem
        self._tagger = Tagger()

    def tokenise(self, text: str) -> str:
        return " ".join(str(word) for word in self._tagger(text))

    def detokenise(self, tokens: str) -> str:
        return join_unspaced(tokens)


class JiebaTokeniser:
    """Chinese words by jieba."""

    def __init__(self) -> None:
        try:
            import jieba
        except ImportError as problem:
            raise MissingExtraError("the tokeniser jieba", "jieba") from problem
        jieba.setLogLevel("ERROR")
        self._cut = jieba.cut

    def tokenise(self, text: str) -> str:
        return " ".join(token for token in self._cut(text) if token.strip())

    def detokenise(self, tokens: str) -> str:
        return join_unspaced(tokens)


def join_unspaced(tokens: str) -> str:
    """Join tokens without spaces, except between two that are written in a spaced script."""
    line = ""
    for token in tokens.split():
        if line and _is_spaced(line[-1]) and _is_spaced(token[0]):
            line += " "
        line += token
    return line


def _is_spaced(character: str) -> bool:
    """Letters and digits up to Latin, Greek and Cyrillic; their words keep their spaces."""
    return character.isalnum() and ord(character) < 0x0590
