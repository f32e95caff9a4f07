"""A wheel built from the sdist works away from the source tree."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    place = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(place)]
    quiet = {"check": True, "capture_output": True, "text": True}
    subprocess.run([*build, "--sdist", str(ROOT)], **quiet)
    (sdist,) = place.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
        archive.extractall(place, filter="data")
    assert not [name for name in names if ".venv" in name or "/build/" in name]
    unpacked = place / sdist.name.removesuffix(".tar.gz")
    # What is packed matters here, not how fast it runs.
    hasty = ["-Ccmake.build-type=Debug", "-Ccmake.define.DRAGOMAN_OPTIMISATION=-O0"]
    subprocess.run([*build, "--wheel", *hasty, str(unpacked)], **quiet)
    (built,) = place.glob("*.whl")
    return built


def test_wheel_runs_elsewhere(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "site")
    assert "dragoman/py.typed" in names
    assert "dragoman/_core.pyi" in names
    assert not [name for name in names if name.startswith(("tests", "native", "include", "lib"))]

    (tmp_path / "s").write_text("a b\n" * 3 + "c\n")
    (tmp_path / "t").write_text("x y\n" * 3 + "z\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    run = {"check": True, "capture_output": True, "text": True, "cwd": tmp_path}
    place = subprocess.run(
        [sys.executable, "-c", "import dragoman._core as c; print(c.__file__)"],
        env=environment,
        **run,
    )
    assert place.stdout.startswith(str(tmp_path))
    command = [sys.executable, "-m", "dragoman", "corpus", "prepare"]
    result = subprocess.run(
        [*command, "-s", "s", "-t", "t", "-o", "m", "--tokeniser", "whitespace"],
        env=environment,
        **run,
    )
    assert "4 pairs read, 2 kept" in result.stdout
