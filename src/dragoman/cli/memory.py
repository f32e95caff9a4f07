"""The options of the translation memory, as the commands that translate offer them."""

from __future__ import annotations

from dragoman.cli.declared import Given, Offer
from dragoman.declared import declared, from_mapping
from dragoman.translation.config import MemoryOptions

MEMORY_OFFER = Offer(MemoryOptions, panel="Translation memory")


def taken_memory(given: Given) -> tuple[MemoryOptions, Given]:
    """What was said about the memory, and all else that was given."""
    names = {one.name for one in declared(MemoryOptions)}
    own = {name: value for name, value in given.items() if name in names}
    rest = {name: value for name, value in given.items() if name not in names}
    return from_mapping(MemoryOptions, own, "option"), rest
