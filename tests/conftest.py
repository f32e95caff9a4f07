"""What all tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
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
