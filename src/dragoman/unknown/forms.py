"""Forms of one word, by the endings that training has learnt (dragoman.unknown.endings)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.errors import ModelError
from dragoman.files import number_within, read_json


@dataclass(frozen=True)
class Forms:
    """What a model has learnt about forms; without anything, every word has only itself."""

    others: dict[str, list[str]] = field(default_factory=dict)  # by an ending, those it may become
    shortest: int = 0
    apart: frozenset[frozenset[str]] = frozenset()

    @classmethod
    def load(cls, path: Path) -> Forms:
        """From the file of the sources; models of before there were forms have none."""
        try:
            content = read_json(path).get("forms")
            if content is None:
                return cls()
            others: dict[str, list[str]] = defaultdict(list)
            for one, other in content["endings"]:
                others[one].append(other)
                others[other].append(one)
            apart = frozenset(frozenset(pair) for pair in content["apart"])
            return cls(dict(others), int(number_within(content["shortest"], 0, 1000)), apart)
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise ModelError(f"{path}: cannot be read; train the model again") from problem

    def of(self, word: str) -> Iterator[str]:
        """What may be other forms of a word, known or not."""
        if not word.isalpha():
            return
        longest = max(map(len, self.others), default=-1)
        for size in range(min(longest, len(word) - self.shortest) + 1):
            cut = len(word) - size
            for ending in self.others.get(word[cut:], ()):
                form = word[:cut] + ending
                if frozenset((word, form)) not in self.apart:
                    yield form


NO_FORMS = Forms()
