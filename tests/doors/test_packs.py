"""A pack of every kind of model says what the model says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.doors.kinds import KINDS, lines_of

from dragoman.model.pack import pack
from dragoman.translation.translator import Translator

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", KINDS)
def test_a_pack_says_what_the_model_says(
    kind: str,
    model_of: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    trees = None
    if kind == "trees":
        trees = tmp_path / "trees"
        trees.write_text("".join(f"{line}\n" for line in lines_of("test.en.trees", 50)), "utf-8")
    model, path = model_of(kind), tmp_path / "model.dragoman"
    pack(model, path)
    lines = lines_of("test.en", 50)
    said = [
        Translator.open(one, trees=trees, tokenised=kind == "moses").translate_lines(lines)
        for one in (model, path)
    ]
    assert said[0] == said[1]
    assert all(said[0])
