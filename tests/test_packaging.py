"""A wheel built from the sdist works away from the source tree.

make installs the package from the unpacked sdist (release/unpacked.py), so that after it nothing
has to be compiled again for the wheel.
"""

import importlib.metadata
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]


BUILD = [sys.executable, "-m", "build", "--no-isolation"]
QUIET = {"check": True, "capture_output": True, "text": True}


@pytest.fixture(scope="module")
def sdist():
    """The sdist, unpacked."""
    subprocess.run([sys.executable, ROOT / "release" / "unpacked.py"], **QUIET)
    return ROOT / "build" / "source"


@pytest.fixture(scope="module")
def wheel(sdist, tmp_path_factory):
    place = tmp_path_factory.mktemp("dist")
    subprocess.run([*BUILD, "--outdir", str(place), "--wheel", str(sdist)], **QUIET)
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def elsewhere(wheel, tmp_path_factory):
    """A virtual environment outside the tree with the wheel in it, and beside it only what the
    tests' own environment has of other packages."""
    place = tmp_path_factory.mktemp("elsewhere") / "venv"
    venv.create(place, symlinks=True, with_pip=False)
    python = place / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    install = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *install], check=True, capture_output=True)
    (packages,) = place.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    return python


def test_sdist_holds_what_is_built_and_tested_and_nothing_made_here(sdist):
    names = {path.name for path in sdist.iterdir()} - {"build"}  # where it is compiled
    assert {"native", "src", "tests", "pyproject.toml", "CMakeLists.txt", "LICENSE"} <= names
    assert not names & {".venv", "dist", ".git", ".ci", "bench", "demo-model"}


def test_wheel_holds_the_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "dragoman/py.typed" in names
    assert "dragoman/_core.pyi" in names
    info = "dragoman-" + importlib.metadata.version("dragoman") + ".dist-info"
    assert {name.split("/")[0] for name in names} == {"dragoman", info}


def test_wheel_trains_translates_and_serves_elsewhere(elsewhere, tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    result = subprocess.run(
        [elsewhere, ROOT / "tests" / "try_installed.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    for name in ("translate", "serve"):
        assert f"{name}: I sell the old flower -> je vends la vieille fleur" in result.stdout
