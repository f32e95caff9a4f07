"""How text is written on its way into a model and out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.declared import Options, option
from dragoman.text.tokenise import TokeniserName


@dataclass(frozen=True)
class TextConfig(Options):
    """Languages, tokeniser and case: the same at training and at use."""

    section = "prepare"

    source_language: str = option(
        "",
        "The source language, a code such as en or pt-BR; it chooses tokeniser rules and the "
        "direction in TMX.",
    )
    target_language: str = option("", "The target language, a code such as fr.")
    tokeniser: TokeniserName = option(
        "moses",
        "How text is cut into words; kept in the model and used again on what is translated. "
        "moses takes raw text, whitespace text that is tokenised already.",
    )
    truecase: Literal["auto", "yes", "no"] = option(
        "auto",
        "Lower-case sentence beginnings as the word is usually written. auto: where the tokeniser "
        "takes raw text (moses), but not for text that comes ready (whitespace).",
    )

    @property
    def truecases(self) -> bool:
        """Whether sentence beginnings are truecased."""
        if self.truecase == "auto":
            return self.tokeniser == "moses"
        return self.truecase == "yes"
