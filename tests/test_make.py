"""What a machine lacks is said in one line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]


def make(place: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "-s", *arguments],
        cwd=place,
        env={"PATH": os.environ["PATH"], "HOME": str(place)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """As much of a checkout as make looks at before it installs anything."""
    place = tmp_path / "checkout"
    place.mkdir()
    shutil.copy(ROOT / "Makefile", place)
    shutil.copytree(ROOT / "constraints", place / "constraints")
    for name in ("native/core", "native/bind", "src", "tests", "bench", "examples", "docs"):
        (place / name).mkdir(parents=True)
    return place


def tools(tmp_path: Path, *names: str) -> str:
    """A PATH with these programs and no others."""
    place = tmp_path / "tools"
    place.mkdir()
    for name in names:
        found = shutil.which(name)
        assert found is not None, name
        (place / name).symlink_to(found)
    return str(place)


USUAL = ("sh", "find", "nproc")


def said(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode != 0
    lines = [line for line in done.stderr.splitlines() + done.stdout.splitlines() if line]
    ours = [line for line in lines if not line.startswith("make: ***")]
    assert len(ours) == 1, lines
    return ours[0]


def test_no_compiler(checkout: Path, tmp_path: Path) -> None:
    path = tools(tmp_path, *USUAL, "make")
    done = make(checkout, "machine", f"PYTHON={sys.executable}", PATH=path)
    assert "no C++ compiler found" in said(done)


def test_python_too_old(checkout: Path, tmp_path: Path) -> None:
    old = tmp_path / "python3.9"
    old.write_text("#!/bin/sh\n[ $1 = -V ] && echo Python 3.9.2 || exit 1\n")
    old.chmod(0o755)
    line = said(make(checkout, "machine", f"PYTHON={old}"))
    assert "needs Python 3.11 or newer" in line
    assert "3.9.2" in line
    assert "no such-python found" in said(make(checkout, "machine", "PYTHON=such-python"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_no_write_access(checkout: Path) -> None:
    checkout.chmod(0o555)
    try:
        assert "cannot be written to" in said(make(checkout, "machine"))
    finally:
        checkout.chmod(0o755)


def test_no_network(checkout: Path) -> None:
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0"}
    nowhere |= {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"}
    line = said(make(checkout, ".venv/.dependencies", **nowhere))
    assert "installing CMake and Ninja failed" in line
    assert "without a network" in line
