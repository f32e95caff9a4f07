"""What filling a document takes and gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragoman.translation.source import Passage

# Passages to their translations, in order.
Translate = Callable[[Sequence[Passage]], list[str]]


@dataclass(frozen=True)
class Offer:
    """A translation offered beside the one that was filled in, from another place."""

    quality: int  # percent
    origin: str
    source: str
    target: str


# What is offered for a passage beside its translation, best first.
Offering = Callable[[Passage], Sequence[Offer]]


@dataclass(frozen=True)
class Beside:
    """What is known of passages beside translations, for formats that have a place for it."""

    offers: Offering = lambda _: ()
    # How sure the machine's translation is, from 0 to 1; None where it does not say.
    confidence: Callable[[Passage], float | None] = lambda _: None


@dataclass(frozen=True)
class Filled:
    """A document after translation."""

    content: bytes
    filled: int  # units that were empty and are not any more
    kept: int  # units that had a translation
