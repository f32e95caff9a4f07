"""Tokens in a line of their own, marked so that the text can be had again.

The text comes back byte by byte, in Unicode NFC. Tokens are separated by spaces. One that stands
in the text directly behind the one before it begins with ``￭``; white space other than one plain
space is a token of its own, ``␣`` and its code points.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

from dragoman.errors import InputError, UsageError
from dragoman.text.languages import check_language
from dragoman.text.tokenise import (
    LEARNING,
    CharacterTokeniser,
    Cut,
    Tokeniser,
    TokeniserName,
    make_tokeniser,
)

JOINED, SPACE = "￭", "␣"


def tokenise(
    text: str,
    language: str = "",
    *,
    tokeniser: TokeniserName = "auto",
    marked: bool = False,
) -> list[str]:
    """The tokens of a line; `marked`: such that :func:`detokenise` gives the line again.

    >>> dragoman.tokenise("Don't panic!", "en")
    ['Don', "'t", 'panic', '!']
    """
    cutter = plain_tokeniser(tokeniser, language)
    return marked_tokens(cutter, text) if marked else cutter.cut(composed(text)).tokens


def detokenise(tokens: list[str]) -> str:
    """The line that marked tokens were cut from.

    >>> dragoman.detokenise(dragoman.tokenise("Don't panic!", "en", marked=True))
    "Don't panic!"
    """
    out, after_space = [], True
    for token in tokens:
        if token.startswith(SPACE) and not token.startswith(SPACE * 2):
            out.append(_spaces(token))
            after_space = True
            continue
        marks = len(token) - len(token.lstrip(JOINED))
        joined = marks % 2 == 1
        word = JOINED * (marks // 2) + token[marks:]
        if word.startswith(SPACE * 2):
            word = word[1:]
        out += [word] if joined or after_space else [" ", word]
        after_space = False
    return "".join(out)


def composed(text: str) -> str:
    """A text in Unicode NFC, nothing else of it changed."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as problem:
        raise InputError(
            f"half a character, {text[problem.start]!r}, which is no text"
        ) from problem
    return unicodedata.normalize("NFC", text)


def plain_tokeniser(name: TokeniserName, language: str, learnt: Path | None = None) -> Tokeniser:
    """A tokeniser for text that belongs to no model."""
    check_language(language)
    if name in LEARNING and learnt is None:
        raise UsageError(f"the tokeniser {name} learns from text: name a model that has")
    return make_tokeniser(name, language, learnt)


def marked_tokens(tokeniser: Tokeniser, text: str) -> list[str]:
    """The tokens of a line with what stood between them."""
    cut = tokeniser.cut(composed(text))
    if isinstance(tokeniser, CharacterTokeniser):
        cut = _spaces_between(tokeniser, cut)
    found: list[str] = []
    for place, (token, gap) in enumerate(zip(cut.tokens, cut.gaps, strict=False)):
        marks = len(token) - len(token.lstrip(JOINED))
        word = JOINED * marks + (SPACE + token if token.startswith(SPACE) else token)
        if place and gap == "":
            word = JOINED + word
        elif gap not in ("", " ") or (gap == " " and not place):
            found.append(SPACE + "+".join(f"{ord(one):04X}" for one in gap))
        found.append(word)
    if cut.gaps[-1]:
        found.append(SPACE + "+".join(f"{ord(one):04X}" for one in cut.gaps[-1]))
    return found


def _spaces_between(tokeniser: CharacterTokeniser, cut: Cut) -> Cut:
    """Characters with the spaces, which are tokens to the tokeniser, between them."""
    tokens: list[str] = []
    gaps = [""]
    for token in cut.tokens:
        character = tokeniser.join([token])
        if character.isspace():
            gaps[-1] += character
        else:
            tokens.append(character)
            gaps.append("")
    return Cut(tokens, gaps)


def _spaces(token: str) -> str:
    try:
        found = "".join(chr(int(code, 16)) for code in token[1:].split("+"))
    except (ValueError, OverflowError) as problem:
        raise InputError(f"{token!r} stands for no white space") from problem
    if not found.isspace():
        raise InputError(f"{token!r} stands for no white space")
    return found
