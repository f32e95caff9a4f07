"""Workers as they may be on a cluster: another environment, another view of the disk."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from tests.cluster.programs import programs
from tests.cluster.trainings import phrasebook, small

from dragoman.cluster.worker import own_version
from dragoman.errors import ClusterError
from dragoman.training.train import run_training

pytest.importorskip("distributed")

HIDDEN = ("unshare", "--mount")


def environment(place: Path, version: str = "") -> Path:
    """The interpreter of a virtual environment with all that this one has, but Dragoman in that
    version, or not at all."""
    venv.create(place, symlinks=True)
    (site,) = place.glob("lib/python*/site-packages")
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not entry.name.startswith("dragoman-") and (version or entry.name != "dragoman"):
            (site / entry.name).symlink_to(entry)
    if version:
        (installed,) = Path(sysconfig.get_path("purelib")).glob("dragoman-*.dist-info")
        copy = shutil.copytree(installed, site / f"dragoman-{version}.dist-info")
        metadata = (copy / "METADATA").read_text("utf-8")
        changed = metadata.replace(f"\nVersion: {own_version()}\n", f"\nVersion: {version}\n")
        assert changed != metadata
        (copy / "METADATA").write_text(changed, "utf-8")
    return place / "bin" / "python"


def can_hide() -> bool:
    return (
        shutil.which("unshare") is not None
        and subprocess.run([*HIDDEN, "true"], capture_output=True, check=False).returncode == 0
    )


def refused(tmp_path: Path, python: list[str], told: str) -> None:
    """Training is refused before anything is written."""
    material = phrasebook(tmp_path / "text", 50)
    with programs(tmp_path) as cluster:
        cluster.scheduler()
        cluster.worker("--no-nanny", python=python)
        with pytest.raises(ClusterError, match=told):
            run_training(material, tmp_path / "shared/model", small(), cluster=str(cluster.file))
    assert not (tmp_path / "shared/model").exists()


@pytest.mark.slow
def test_a_worker_without_the_package(tmp_path):
    python = environment(tmp_path / "other")
    (tmp_path / "shared").mkdir()
    told = rf"does not have Dragoman: install {own_version()} there"
    refused(tmp_path, [str(python)], told)


@pytest.mark.slow
def test_a_worker_with_another_version(tmp_path):
    python = environment(tmp_path / "other", "0.0.9")
    (tmp_path / "shared").mkdir()
    told = rf"has Dragoman 0\.0\.9, this machine {own_version()}: install the same version on both"
    refused(tmp_path, [str(python)], told)


@pytest.mark.slow
@pytest.mark.skipif(not can_hide(), reason="no right to give a process another view of the disk")
def test_a_worker_that_does_not_see_the_model(tmp_path):
    (tmp_path / "shared").mkdir()
    mounted = f'mount -t tmpfs none "{tmp_path}/shared" && exec "$@"'
    python = [*HIDDEN, "sh", "-c", mounted, "sh", sys.executable]
    told = rf"cannot use {tmp_path}/shared .*: the model directory must lie on a file system that"
    refused(tmp_path, python, told)
