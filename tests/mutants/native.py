"""Plausible bugs of native code, from native.toml: do native and Python tests notice them?

    python -m tests.mutants.native [--only WORD] [--processes N]

The code is copied and compiled there, once as a whole and then file by file.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.mutants.copies import BUILD, ROOT, make_copy

PLACE = BUILD / "native"
SOURCE, OBJECTS = PLACE / "source", PLACE / "objects"


def quiet(*command: object, **environment: str) -> bool:
    """Whether a program succeeds; what it says goes to a log."""
    with (PLACE / "log").open("ab") as log:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
        )
    return done.returncode == 0


def configure() -> None:
    """Copies of the sources; what has been compiled before stays where they are the same."""
    shutil.copytree(ROOT / "native", SOURCE / "native", dirs_exist_ok=True)
    shutil.copy2(ROOT / "CMakeLists.txt", SOURCE)
    tools = Path(sys.executable).parent
    configured = quiet(
        tools / "cmake", "-S", SOURCE, "-B", OBJECTS, "-G", "Ninja", "-DSKBUILD=ON",
        f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}", f"-DPython_EXECUTABLE={sys.executable}",
        "-DDRAGOMAN_TESTS=ON", "-DDRAGOMAN_OPTIMISATION=-O1", "-DCMAKE_BUILD_TYPE=Release",
    )  # fmt: skip
    if not configured:
        raise SystemExit(f"cmake failed; {PLACE / 'log'} says why")


def compiled(processes: int) -> bool:
    return quiet(Path(sys.executable).parent / "cmake", "--build", OBJECTS, "-j", processes)


def noticed(mutant: dict[str, object], copy: Path) -> str:
    """By which tests; empty when by none."""
    ctest = Path(sys.executable).parent / "ctest"
    if not quiet(ctest, "--test-dir", OBJECTS, "-R", mutant["native"], "--timeout", 300):
        return "native tests"
    tests = [str(path) for path in mutant["python"]]  # type: ignore[attr-defined]
    options = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=1"]
    if not quiet(sys.executable, "-m", "pytest", *options, *tests, PYTHONPATH=str(copy)):
        return "Python tests"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.native", description=__doc__)
    parser.add_argument("--only", default="", help="those whose description has this word")
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args()
    listed = tomllib.loads((Path(__file__).parent / "native.toml").read_text("utf-8"))["mutant"]
    mutants = [one for one in listed if chosen.only in one["what"]]
    PLACE.mkdir(parents=True, exist_ok=True)
    configure()
    if not compiled(chosen.processes):
        raise SystemExit(f"the code does not compile as it is; {PLACE / 'log'} says why")
    copy = make_copy("native-copy")
    (core,) = (copy / "dragoman").glob("_core*.so")
    core.unlink()
    core.symlink_to(OBJECTS / core.name)
    killed = 0
    for mutant in mutants:
        path = SOURCE / "native" / "core" / mutant["file"]
        text = path.read_text("utf-8")
        if text.count(mutant["before"]) != 1:
            raise SystemExit(f"{mutant['file']} has not, or not once: {mutant['before']!r}")
        path.write_text(text.replace(mutant["before"], mutant["after"]), "utf-8")
        by = noticed(mutant, copy) if compiled(chosen.processes) else "the compiler"
        path.write_text(text, "utf-8")
        killed += bool(by)
        print(f"  {'killed by ' + by if by else 'SURVIVED':24} {mutant['what']}", flush=True)
    print(
        f"native       {killed:4} of {len(mutants):4} killed, {100 * killed / len(mutants):5.1f} %"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
