"""Packs the sdist and unpacks it in build/source, where make builds the package.

So what is installed and tested is what a release would hold, and a file that the sdist forgets is
missed at once. Files that have not changed keep their times, and the next build compiles only what
has.
"""

from __future__ import annotations

import os
import tarfile
import tempfile
from pathlib import Path

import scikit_build_core.build

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "build" / "source"
BUILT = "build"  # where scikit-build-core compiles inside of SOURCE; not from the sdist


def sdist_files() -> dict[str, bytes]:
    """The files of the sdist by their names in it."""
    here = Path.cwd()
    os.chdir(ROOT)
    try:
        with tempfile.TemporaryDirectory() as place:
            name = scikit_build_core.build.build_sdist(place)
            with tarfile.open(Path(place) / name) as archive:
                opened = {member.name: archive.extractfile(member) for member in archive}
                return {
                    name.partition("/")[2]: file.read() for name, file in opened.items() if file
                }
    finally:
        os.chdir(here)


def unpacked_files() -> list[Path]:
    """What lies in build/source, without what was built there."""
    found = (path.relative_to(SOURCE) for path in SOURCE.rglob("*") if path.is_file())
    return sorted(path for path in found if path.parts[0] != BUILT)


def unpack(files: dict[str, bytes]) -> None:
    """Makes build/source hold these files and no others."""
    for path in unpacked_files():
        if str(path) not in files:
            (SOURCE / path).unlink()
    for name, content in files.items():
        path = SOURCE / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    unpack(sdist_files())
