"""Copies of the package in which mutants live; the working tree is never changed."""

from __future__ import annotations

import compileall
import importlib.util
import py_compile
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "dragoman"
BUILD = ROOT / "build" / "mutants"


def make_copy(name: str) -> Path:
    """A directory for PYTHONPATH with the package as it is in src and the installed core."""
    place = BUILD / name
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(PACKAGE, place / "dragoman", ignore=shutil.ignore_patterns("__pycache__"))
    core = importlib.util.find_spec("dragoman._core")
    if core is None or core.origin is None:
        raise SystemExit("the package is not installed: make .venv/.installed-test")
    (place / "dragoman" / Path(core.origin).name).symlink_to(core.origin)
    # By hash, not by time: a mutant may be as long as what it replaces and come in the same
    # second.
    compileall.compile_dir(
        place, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH
    )
    return place
