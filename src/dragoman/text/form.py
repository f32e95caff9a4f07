"""Raw text to the tokens a model was trained on, and translations back to text."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from dragoman.text.config import TextConfig
from dragoman.text.normalise import normalise
from dragoman.text.tokenise import Tokeniser, make_tokeniser
from dragoman.text.truecase import Truecaser


class TextForm:
    """How a model's text is written; the same at training and at use."""

    def __init__(
        self,
        config: TextConfig,
        source_truecase: Path | None = None,
        target_truecase: Path | None = None,
    ) -> None:
        """`source_truecase` and `target_truecase` are what training has learnt about the case of
        words; needed where the configuration truecases and that side is read."""
        self.config = config
        self._truecases = config.truecases
        self._truecase_files = source_truecase, target_truecase

    @classmethod
    def tokenised(cls) -> TextForm:
        """For text whose tokens are already separated by spaces."""
        return cls(TextConfig(tokeniser="whitespace"))

    @cached_property
    def source_tokeniser(self) -> Tokeniser:
        """Cuts the text to translate."""
        return make_tokeniser(self.config.tokeniser, self.config.source_language)

    @cached_property
    def target_tokeniser(self) -> Tokeniser:
        """Puts translations together."""
        return make_tokeniser(self.config.tokeniser, self.config.target_language)

    @property
    def holds(self) -> bool:
        """Whether what must not be translated is held back; text that comes as tokens is taken
        token by token."""
        return self.config.tokeniser != "whitespace"

    def prepare_source(self, text: str) -> str:
        """Tokens of a line to translate."""
        return self.truecase_source(self.prepare_term(text))

    def truecase_source(self, tokens: str) -> str:
        """Tokens of a line with its first word as it is written elsewhere."""
        caser = self._source_truecaser
        return caser.truecase(tokens) if caser is not None else tokens

    def prepare_term(self, text: str) -> str:
        """Tokens of words inside a line."""
        return self.source_tokeniser.tokenise(normalise(text))

    def prepare_target(self, text: str) -> str:
        """Tokens of a translation somebody gave."""
        return self.target_tokeniser.tokenise(normalise(text))

    def prepare_reference(self, text: str) -> str:
        """Tokens of a line as the target side of the training text has them."""
        caser = self._target_truecaser
        tokens = self.prepare_target(text)
        return caser.truecase(tokens) if caser is not None else tokens

    def finish(self, tokens: str) -> str:
        """A translation as people write it."""
        if self._truecases:
            tokens = Truecaser.restore(tokens)
        return self.target_tokeniser.detokenise(tokens)

    @cached_property
    def _source_truecaser(self) -> Truecaser | None:
        return self._truecaser(self._truecase_files[0])

    @cached_property
    def _target_truecaser(self) -> Truecaser | None:
        return self._truecaser(self._truecase_files[1])

    def _truecaser(self, path: Path | None) -> Truecaser | None:
        return Truecaser.load(path) if self._truecases and path is not None else None
