"""Raw text to the tokens a model was trained on, and translations back to text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from dragoman.config import TokeniserName
from dragoman.corpus.normalise import normalise
from dragoman.corpus.tokenise import Tokeniser, WhitespaceTokeniser, make_tokeniser
from dragoman.corpus.truecase import Truecaser
from dragoman.layout import SOURCE_TRUECASE
from dragoman.workspace import Workspace


@dataclass(frozen=True)
class TextForm:
    """How a model's text is written; the same at training and at use."""

    source_tokeniser: Tokeniser
    target_tokeniser: Tokeniser
    truecaser: Truecaser | None = None

    @classmethod
    def tokenised(cls) -> TextForm:
        """For text whose tokens are already separated by spaces."""
        return cls(WhitespaceTokeniser(), WhitespaceTokeniser())

    @classmethod
    def of_model(cls, directory: str | Path) -> TextForm:
        """As the model's first stage has prepared its corpus."""
        workspace = Workspace(directory)
        record = workspace.read_manifest().stages.get("prepare")
        if record is None:
            return cls.tokenised()
        parameters = record.parameters
        name = cast(TokeniserName, parameters.get("tokeniser", "whitespace"))
        truecase = parameters.get("truecase", "auto")
        truecases = name == "moses" if truecase == "auto" else truecase == "yes"
        return cls(
            make_tokeniser(name, parameters.get("source_language", "")),
            make_tokeniser(name, parameters.get("target_language", "")),
            Truecaser.load(workspace.file(SOURCE_TRUECASE)) if truecases else None,
        )

    def prepare_source(self, text: str) -> str:
        """Tokens of a line to translate."""
        return self.truecase_source(self.source_tokeniser.tokenise(normalise(text)))

    def truecase_source(self, tokens: str) -> str:
        """Tokens of a line with its first word as it is written elsewhere."""
        return self.truecaser.truecase(tokens) if self.truecaser else tokens

    def prepare_term(self, text: str) -> str:
        """Tokens of words inside a line."""
        return self.source_tokeniser.tokenise(normalise(text))

    def prepare_target(self, text: str) -> str:
        """Tokens of a translation somebody gave."""
        return self.target_tokeniser.tokenise(normalise(text))

    def finish(self, tokens: str) -> str:
        """A translation as people write it."""
        if self.truecaser:
            tokens = Truecaser.restore(tokens)
        return self.target_tokeniser.detokenise(tokens)
