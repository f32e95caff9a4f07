"""What training learns about how its text is written: spacing, capitals, accelerators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from dragoman.errors import ModelError
from dragoman.files import number_within, read_json
from dragoman.text.case import CaseHabits, CaseLearner
from dragoman.text.spacing import Spacing, SpacingLearner
from dragoman.text.tokenise import Cut


@dataclass(frozen=True)
class Writing:
    """How translations are written."""

    spacing: Spacing = field(default_factory=Spacing)
    case: CaseHabits = field(default_factory=CaseHabits)
    marks: str = ""  # of accelerators, those that stand inside words

    def save(self, path: Path) -> None:
        content = {
            "marks": self.marks,
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
                str(content["marks"]),
            )
        except (KeyError, TypeError, ValueError, ModelError) as problem:
            raise ModelError(f"{path}: damaged: {problem}") from problem


def _habits(abbreviations: Sequence[str] = (), **shares: object) -> CaseHabits:
    found = {name: number_within(share, 0, 1) for name, share in shares.items()}
    return CaseHabits(**found, abbreviations=tuple(map(str, abbreviations)))


class WritingLearner:
    """Learns from pairs of lines."""

    def __init__(self, marks: str) -> None:
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
