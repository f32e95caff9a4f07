"""What the preparation of parallel text can be told."""

from __future__ import annotations

from dataclasses import dataclass, fields

from dragoman.declared import option
from dragoman.text.config import TextConfig


@dataclass(frozen=True)
class PrepareConfig(TextConfig):
    """Reads parallel text, cuts it into words and cleans it."""

    section = "prepare"

    max_words: int = option(
        100, "Pairs with more words than this on either side are dropped.", low=1, high=65_535
    )
    max_ratio: float = option(
        9.0,
        "Pairs are dropped when one side has more than this many times the words of the "
        "other; a difference of a few words is always allowed.",
        low=1,
    )
    drop_duplicates: bool = option(True, "Whether pairs that were seen before are dropped.")
    drop_copies: bool = option(
        True, "Whether pairs whose two sides are the same text are dropped."
    )
    memory: int = option(
        1_000_000,
        "How many pairs the translation memory keeps as they were written, the latest of the "
        "corpus; 0: none.",
        low=0,
        high=(1 << 31) - 1,
    )
    dev_size: int = option(
        1000,
        "How many pairs are set aside for tuning when no dev set is given; never more than a "
        "twentieth of the corpus.",
        low=0,
    )
    test_size: int = option(
        1000,
        "How many pairs are set aside for testing when neither a dev set nor a test set is "
        "given; never more than a twentieth of the corpus.",
        low=0,
    )

    @property
    def text(self) -> TextConfig:
        """The part that decides how text is written, which other stages read as well."""
        names = [field.name for field in fields(TextConfig)]
        return TextConfig(**{name: getattr(self, name) for name in names})
