"""How text is written on its way into a model and out of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self

from dragoman.declared import Options, option
from dragoman.text.languages import check_language
from dragoman.text.tokenise import TokeniserName, chosen_tokeniser

Side = Literal["source", "target"]


@dataclass(frozen=True)
class TextConfig(Options):
    """Languages, tokenisers and case: the same at training and at use."""

    section = "prepare"

    source_language: str = option(
        "",
        "The source language, as a code such as en or pt-BR. It chooses the tokeniser, and "
        "the direction in TMX files.",
    )
    target_language: str = option("", "The target language, as a code such as fr.")
    tokeniser: TokeniserName = option(
        "auto",
        "How text is cut into words. The model keeps the choice and cuts what it translates "
        "in the same way. auto: as the language needs it; subword and char also cut words "
        "into pieces and letters; whitespace takes text that is tokenised already.",
    )
    source_tokeniser: TokeniserName = option(
        "auto", "The tokeniser of the source side alone; auto: the same for both sides."
    )
    target_tokeniser: TokeniserName = option(
        "auto", "The tokeniser of the target side alone; auto: the same for both sides."
    )
    truecase: Literal["auto", "yes", "no"] = option(
        "auto",
        "Whether the first word of a sentence is written as it usually is elsewhere. auto: "
        "yes, unless the tokeniser is whitespace or char.",
    )
    pieces: int = option(
        8000, "How many pieces the tokenisers segmenter and subword learn.", low=100, high=200_000
    )
    item_kinds: bool = option(
        True,
        "Whether what is never translated, such as addresses and placeholders, stands in the "
        "training text by its kind, so that the model learns where it goes; otherwise the "
        "model never sees it.",
    )
    protect: tuple[str, ...] = option(
        (),
        "Regular expressions for what is not translated, beside addresses, placeholders, tags "
        "and the like, which never are.",
    )

    @property
    def raw(self) -> bool:
        """Whether text comes as people write it; else as tokens."""
        return "whitespace" not in (self.tokeniser_of("source"), self.tokeniser_of("target"))

    @property
    def truecases(self) -> bool:
        """Whether sentence beginnings are truecased."""
        if self.truecase == "auto":
            names = {self.tokeniser_of("source"), self.tokeniser_of("target")}
            return not names & {"whitespace", "char"}
        return self.truecase == "yes"

    def language_of(self, side: Side) -> str:
        """The language of a side."""
        return self.source_language if side == "source" else self.target_language

    def tokeniser_of(self, side: Side) -> TokeniserName:
        """The tokeniser of a side; never "auto"."""
        own = self.source_tokeniser if side == "source" else self.target_tokeniser
        name = own if own != "auto" else self.tokeniser
        return chosen_tokeniser(name, self.language_of(side))

    def resolved(self) -> Self:
        """The same with the tokenisers named, so that a model opens alike on every machine; the
        codes of the languages are checked."""
        check_language(self.source_language)
        check_language(self.target_language)
        return replace(
            self,
            source_tokeniser=self.tokeniser_of("source"),
            target_tokeniser=self.tokeniser_of("target"),
        )
