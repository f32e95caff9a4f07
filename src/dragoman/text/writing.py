"""What training learns about how its text is written: spacing, capitals, accelerators,
apostrophes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dragoman.errors import ModelError
from dragoman.files import number_within, read_json
from dragoman.text.case import CaseHabits, CaseLearner
from dragoman.text.normalise import APOSTROPHES, Apostrophes
from dragoman.text.spacing import Spacing, SpacingLearner
from dragoman.text.tokenise import Cut


@dataclass(frozen=True)
class Marks:
    """Marks that must be known before a line is cut into words."""

    accelerators: str = ""  # those that stand inside words
    source: Apostrophes = field(default_factory=Apostrophes)
    target: Apostrophes = field(default_factory=Apostrophes)

    @classmethod
    def from_json(cls, accelerators: str, sides: Sequence[Sequence[Any]]) -> Marks:
        """Models made before apostrophes were looked at have no sides."""
        found = [Apostrophes(_form(usual), apart is True) for usual, apart in sides]
        source, target = found or (Apostrophes(), Apostrophes())
        return cls(accelerators, source, target)


def _form(usual: object) -> str:
    if isinstance(usual, str) and (not usual or (len(usual) == 1 and usual in APOSTROPHES)):
        return usual
    raise ValueError(f"{usual!r} is no apostrophe")


@dataclass(frozen=True)
class Writing:
    """How text is written."""

    spacing: Spacing = field(default_factory=Spacing)
    case: CaseHabits = field(default_factory=CaseHabits)
    marks: Marks = field(default_factory=Marks)

    def save(self, path: Path) -> None:
        content = {
            "marks": self.marks.accelerators,
            "apostrophes": [(s.usual, s.apart) for s in (self.marks.source, self.marks.target)],
            "case": asdict(self.case),
            "spacing": self.spacing.to_json(),
        }
        text = json.dumps(content, ensure_ascii=False, indent=0)
        path.write_text(text + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path) -> Writing:
        content = read_json(path)
        try:
            return cls(
                Spacing.from_json(content["spacing"]),
                _habits(**content["case"]),
                Marks.from_json(str(content["marks"]), content.get("apostrophes", ())),
            )
        except (KeyError, TypeError, ValueError, ModelError) as problem:
            raise ModelError(f"{path}: damaged: {problem}") from problem


def _habits(abbreviations: Sequence[str] = (), **shares: object) -> CaseHabits:
    found = {name: number_within(share, 0, 1) for name, share in shares.items()}
    return CaseHabits(**found, abbreviations=tuple(map(str, abbreviations)))


class WritingLearner:
    """Learns from pairs of lines."""

    def __init__(self, marks: Marks) -> None:
        self._spacing, self._case, self._marks = SpacingLearner(), CaseLearner(), marks

    def update(self, source: Cut, target: Cut) -> None:
        """Learn from a pair of lines, items by their names."""
        self._spacing.update(target.tokens, target.gaps[1:-1])
        self._case.update(source.tokens, target.tokens)

    def add(self, other: WritingLearner, times: int = 1) -> None:
        """Learn what another has learnt; -1 times: forget it."""
        self._spacing.add(other._spacing, times)
        self._case.add(other._case, times)

    def finish(self) -> Writing:
        """What was learnt."""
        return Writing(self._spacing.finish(), self._case.finish(), self._marks)
