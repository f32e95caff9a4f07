"""Models that are there already, tuned to agree."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman import Translator
from dragoman.cli.main import app_for
from dragoman.errors import DragomanError, ModelError, UsageError
from dragoman.files import sha256
from dragoman.model.directory import ModelDirectory
from dragoman.search.consensus import Agreement
from dragoman.training.agreement import run_agreement
from dragoman.tuning.config import ConsensusConfig

pytestmark = pytest.mark.slow

LINES = ["where is the station ?", "the house is very old ."]


def test_models_are_tuned_together_and_kept(
    model_of: Callable[[str], Path], tmp_path: Path
) -> None:
    model = Path(shutil.copytree(model_of("phrase"), tmp_path / "model"))
    other = Path(shutil.copytree(model_of("hiero"), tmp_path / "other"))
    run_agreement(model, [other], ConsensusConfig(list_size=10))
    agreement = Agreement.load(model / "consensus.toml")
    assert agreement.members == ("plain", "other")
    assert agreement.list_size == 10
    shutil.rmtree(other)  # it was copied
    together = Translator.open(model)
    assert together.consensus is not None
    assert len(together.consensus.members) == 2
    assert all(together.translate_lines(LINES))
    before = sha256(model / "consensus.toml")
    words = ["tune", str(model), "--with", str(model / "members" / "other"), "-q"]
    with pytest.raises(DragomanError, match="only --seed"):
        app_for(words)([*words, "--rounds", "2"], standalone_mode=False)
    assert sha256(model / "consensus.toml") == before


def test_models_that_cannot_be_tuned_together(
    model_of: Callable[[str], Path], tmp_path: Path
) -> None:
    model = Path(shutil.copytree(model_of("phrase"), tmp_path / "model"))
    with pytest.raises(UsageError, match="the model itself"):
        run_agreement(model, [model])
    with pytest.raises(UsageError, match="at least one other"):
        run_agreement(model, [])
    with pytest.raises(ModelError, match="a consensus of models itself"):
        run_agreement(model, [model_of("best")])
    with pytest.raises(ModelError, match="source tokeniser is whitespace"):
        run_agreement(model, [model_of("trees")])
    other = Path(shutil.copytree(model_of("hiero"), tmp_path / "other"))
    with (other / "corpus" / "dev.target").open("a", encoding="utf-8") as file:
        file.write("one more\n")
    with pytest.raises(ModelError, match="another dev set"):
        run_agreement(model, [other])
    (other / "corpus" / "dev.target").unlink()
    with pytest.raises(ModelError, match="has no dev set"):
        run_agreement(model, [other])
    assert ModelDirectory(model).members == ()
