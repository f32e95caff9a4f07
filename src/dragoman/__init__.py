"""Dragoman: from parallel text to a translator, on your own machine, in minutes.

The names here are the public ones; each is loaded when it is first used, so that
``import dragoman`` stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.corpus.bitext import Bitext as Bitext
    from dragoman.corpus.read import ParallelFile as ParallelFile
    from dragoman.errors import DragomanError as DragomanError
    from dragoman.output.translator import Translator as Translator
    from dragoman.training import train as train

_HOMES = {
    "Bitext": "dragoman.corpus.bitext",
    "DragomanError": "dragoman.errors",
    "ParallelFile": "dragoman.corpus.read",
    "Translator": "dragoman.output.translator",
    "train": "dragoman.training",
}

__all__ = ["Bitext", "DragomanError", "ParallelFile", "Translator", "train"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("dragoman")
    if name not in _HOMES:
        raise AttributeError(f"module 'dragoman' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__version__"])
