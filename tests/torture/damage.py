"""Models damaged by chance: what may become of a file, and what a translator says to it."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.errors import DragomanError
from dragoman.layout import CONFIDENCE, MEMORY
from dragoman.translation.translator import Translator

# The least and the most bytes of a block that goes bad.
SMALLEST, LARGEST = 1, 4096


def damaged(good: bytes, chance: random.Random) -> bytes:
    """The bytes after one accident."""
    at = chance.randrange(len(good)) if good else 0
    size = min(chance.choice((SMALLEST, 4, 64, 512, LARGEST)), len(good) - at)
    before, block, after = good[:at], good[at : at + size], good[at + size :]
    accident = chance.choice(("noise", "zeros", "bit", "elsewhere", "cut", "lost", "twice"))
    if accident == "noise":
        return before + chance.randbytes(size) + after
    if accident == "zeros":
        return before + bytes(size) + after
    if accident == "bit":
        return before + bytes([block[0] ^ 1 << chance.randrange(8)]) + block[1:] + after
    if accident == "elsewhere":
        start = chance.randrange(len(good) - size + 1)
        return before + good[start : start + size] + after
    if accident == "cut":
        return before
    if accident == "lost":
        return before + after
    return before + block + block + after


@dataclass
class Tally:
    """What came of many damaged models."""

    refused: Counter[str] = field(default_factory=Counter)  # by the file that was damaged
    harmless: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        names = sorted(self.refused.keys() | self.harmless.keys())
        lines = [f"{n}: {self.refused[n]} refused, {self.harmless[n]} harmless" for n in names]
        return "\n".join(lines)


class DamagedModels:
    """Damages one file at a time of a copy of a model, and translates with what is left."""

    def __init__(
        self, model: Path, place: Path, sentences: Sequence[str], trees: Path | None = None
    ) -> None:
        self.model, self.sentences, self.trees = model, sentences, trees
        self.copy = place / "model"
        shutil.copytree(model, self.copy, copy_function=os.link)
        self.files = sorted(
            path.relative_to(model).as_posix()
            for path in model.rglob("*")
            if path.is_file() and path.stat().st_size > 0 and not path.name.startswith(".")
        )
        self.expected = self._translated()

    def _translated(self) -> list[Any]:
        """Lines, how sure they are, what the translation memory has for them, and what is
        suggested when nothing is typed."""
        translator = Translator.open(self.copy, trees=self.trees)
        said: list[Any] = translator.translate_lines(self.sentences)
        if self.trees is not None:
            return said
        if (self.model / CONFIDENCE).exists():
            # A consensus is not asked how sure it is; its first model is.
            alone = Translator.open(self.copy, alone=True)
            said += [alone.translate_sentence(one).told_confidence() for one in self.sentences]
            said += [alone.suggest(one) for one in self.sentences[:1]]
        if (self.model / MEMORY[0]).exists():
            said.append(
                translator.translate_lines(self.sentences, translator.demands(memory="exact"))
            )
        return said

    def try_one(
        self, name: str, chance: random.Random, tally: Tally, *, gone: bool = False
    ) -> None:
        """An error that names the file, or the translations of the sound model. The file is
        damaged, or `gone`."""
        path = self.copy / name
        good = (self.model / name).read_bytes()
        path.unlink()  # a link to the sound one
        if not gone:
            path.write_bytes(damaged(good, chance))
        try:
            translated = self._translated()
        except DragomanError as problem:
            assert str(path) in str(problem), f"it is {name}, but the error is: {problem}"
            tally.refused[name] += 1
        else:
            assert translated == self.expected, f"{name} is damaged, and translations are others"
            tally.harmless[name] += 1
        finally:
            path.unlink(missing_ok=True)
            os.link(self.model / name, path)
