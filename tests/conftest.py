"""What all tests share."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# No test fails because a machine is busy; what takes how long is measured in bench/.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture(scope="session")
def data() -> Callable[[str], Path]:
    """The path of a file of the real corpora; the test is skipped when they are not there."""
    place = Path(os.environ.get("DRAGOMAN_DATA", ROOT.parent / "shared" / "data"))

    def find(name: str) -> Path:
        path = place / name
        if not path.exists():
            pytest.skip(f"real data not found: {path} (set DRAGOMAN_DATA to where it is)")
        return path

    return find


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of text or bytes in the test's own directory."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


@pytest.fixture
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the program as a user does and return what it printed and its exit code."""

    def run_program(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "dragoman", *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            **options,
        )

    return run_program


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """English to French from a part of the phrasebook, not tuned."""
    from dragoman.corpus.config import PrepareConfig
    from dragoman.corpus.read import ParallelFile
    from dragoman.model.directory import ModelDirectory
    from dragoman.training import pipeline
    from dragoman.training.config import Config
    from dragoman.training.plan import Material, training_stages

    place = tmp_path_factory.mktemp("trained")
    for language in ("en", "fr"):
        lines = (
            (ROOT / "examples" / "phrasebook" / f"train.{language}")
            .read_text("utf-8")
            .splitlines()[::5]
        )
        (place / language).write_text("\n".join(lines) + "\n", "utf-8")
    directory = ModelDirectory(place / "phrasebook")
    config = Config(
        prepare=PrepareConfig(
            source_language="en", target_language="fr", tokeniser="moses", dev_size=50, test_size=0
        )
    )
    files = [ParallelFile.plain(place / "en", place / "fr")]
    stages = training_stages(config, directory, Material(files))
    needed = ("prepare", "align", "lm", "rules")
    pipeline.run(directory, [stage for stage in stages if stage.name in needed], threads=1)
    return directory.path


@pytest.fixture(scope="session")
def made_once(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str, Callable[[Path], None]], Path]:
    """A directory that the first of all test processes to ask for it fills, and all may read."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def find(name: str, make: Callable[[Path], None]) -> Path:
        place = shared / name
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not place.exists():
                unfinished = shared / f"{name}.unfinished"
                shutil.rmtree(unfinished, ignore_errors=True)
                unfinished.mkdir()
                make(unfinished)
                unfinished.rename(place)
        return place

    return find
