"""What the preparation of parallel text can be told."""

from __future__ import annotations

from dataclasses import dataclass, fields

from dragoman.declared import option
from dragoman.text.config import TextConfig


@dataclass(frozen=True)
class PrepareConfig(TextConfig):
    """From files of parallel text to a clean bitext."""

    section = "prepare"

    max_words: int = option(
        100, "Pairs with a side of more words are dropped.", low=1, high=65_535
    )
    max_ratio: float = option(
        9.0,
        "Pairs are dropped when one side has more than this many times the words of the other; "
        "a slack of a few words keeps short sentences.",
        low=1,
    )
    drop_duplicates: bool = option(True, "Drop pairs seen before.")
    drop_copies: bool = option(True, "Drop pairs whose two sides are the same text.")
    memory: int = option(
        1_000_000,
        "Pairs that the translation memory keeps as they are, the latest of the corpus; 0: none.",
        low=0,
        high=(1 << 31) - 1,
    )
    dev_size: int = option(
        1000,
        "Pairs to set aside for tuning when no dev set is given; at most a twentieth of the "
        "corpus.",
        low=0,
    )
    test_size: int = option(
        1000,
        "Pairs to set aside for testing when neither dev nor test set is given; at most a "
        "twentieth of the corpus.",
        low=0,
    )

    @property
    def text(self) -> TextConfig:
        """The part that decides how text is written, which other stages read as well."""
        names = [field.name for field in fields(TextConfig)]
        return TextConfig(**{name: getattr(self, name) for name in names})
