"""Every script of bench/ can be imported and says what it takes."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

BENCH = Path(__file__).resolve().parents[2] / "bench"
PARTS = ("programs", "decode_score", "reestimate_study")  # what the scripts share


@pytest.mark.parametrize("script", sorted(BENCH.glob("*.py")), ids=lambda path: path.stem)
def test_help(script):
    done = subprocess.run(
        [sys.executable, str(script), "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if script.stem not in PARTS:
        assert done.stdout.startswith(f"usage: {script.name}")
