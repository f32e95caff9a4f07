"""Models of every kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.doors.kinds import make


@pytest.fixture(scope="session")
def model_of(made_once: Callable[[str, Callable[[Path], None]], Path]) -> Callable[[str], Path]:
    """The directory of a model of a kind."""

    def find(kind: str) -> Path:
        return made_once(f"kind-{kind}", lambda place: make(kind, place, find)) / "model"

    return find
