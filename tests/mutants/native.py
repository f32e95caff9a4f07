"""Plausible bugs of native code: do native and Python tests notice them?

    python -m tests.mutants.native [--only WORD] [--draw N] [--seed S] [--processes N]

Those of native.toml, or with --draw as many as you like of all small changes, the same for the
same seed. The code is copied and compiled there, once as a whole and then file by file; only the
programs that are run are linked again, and the Python module only for mutants that they let pass.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.copies import BUILD, ROOT, make_copy
from tests.mutants.native_operators import changes_of

CORE = ROOT / "native" / "core"
PLACE = BUILD / "native"
SOURCE, OBJECTS = PLACE / "source", PLACE / "objects"
LIST = Path(__file__).parent / "native.toml"
COMPILER = "the compiler"  # no mutant at all
SECONDS = 240  # for one build or one run of tests; a mutant that takes longer does not end


@dataclass(frozen=True)
class NativeMutant:
    """A file of native/core with one change, and the tests to ask."""

    what: str
    file: str
    text: str  # of the whole file
    native: str  # which programs of native/tests, a regular expression
    python: tuple[str, ...]

    @property
    def programs(self) -> list[str]:
        names = [path.stem for path in sorted((ROOT / "native" / "tests").glob("*_test.cc"))]
        return [name for name in names if re.search(self.native, name)]


def listed(only: str) -> list[NativeMutant]:
    """Those that somebody wrote down."""
    found = []
    for one in tomllib.loads(LIST.read_text("utf-8"))["mutant"]:
        text = (CORE / one["file"]).read_text("utf-8")
        if text.count(one["before"]) != 1:
            raise SystemExit(f"{one['file']} has not, or not once: {one['before']!r}")
        text = text.replace(one["before"], one["after"])
        asked = (one["native"], tuple(one["python"]))
        found.append(NativeMutant(one["what"], one["file"], text, *asked))
    return [one for one in found if only in one.what]


def drawn(only: str, count: int, seed: int) -> list[NativeMutant]:
    """Some of all small changes of the files whose path has a word in it, in their order."""
    folders = tomllib.loads(LIST.read_text("utf-8"))["folder"]
    found = []
    for path in sorted(CORE.rglob("*.cc")):
        file = path.relative_to(CORE).as_posix()
        asked = folders.get(path.parent.name)
        if only not in file or asked is None:
            continue
        for line, change, text in changes_of(path.read_text("utf-8")):
            found.append(
                NativeMutant(
                    f"{file}:{line}: {change}", file, text, asked["native"], tuple(asked["python"])
                )
            )
    places = random.Random(seed).sample(range(len(found)), min(count, len(found)))
    return [found[at] for at in sorted(places)]


def quiet(*command: object, seconds: float | None = None, **environment: str) -> bool:
    """Whether a program succeeds in time; what it says goes to a log."""
    with (PLACE / "log").open("ab") as log:
        running = subprocess.Popen(
            [str(word) for word in command],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return running.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            return False


def configure() -> None:
    """Copies of the sources; what has been compiled before stays where they are the same."""
    for path in sorted((ROOT / "native").rglob("*")):
        copy = SOURCE / path.relative_to(ROOT)
        if path.is_file() and not (copy.exists() and copy.read_bytes() == path.read_bytes()):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    shutil.copy2(ROOT / "CMakeLists.txt", SOURCE)
    tools = Path(sys.executable).parent
    # Bindings are only glue, and slow to compile with optimisation.
    options = ["-DDRAGOMAN_TESTS=ON", "-DDRAGOMAN_OPTIMISATION=-O1", "-DCMAKE_BUILD_TYPE=Debug"]
    options += ["-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DSKBUILD=ON"]
    if shutil.which("ccache"):
        options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    configured = quiet(
        tools / "cmake", "-S", SOURCE, "-B", OBJECTS, "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}", f"-DPython_EXECUTABLE={sys.executable}",
        *options,
    )  # fmt: skip
    if not configured:
        raise SystemExit(f"cmake failed; {PLACE / 'log'} says why")


def compiled(processes: int, *targets: str, seconds: float | None = SECONDS) -> bool:
    cmake = Path(sys.executable).parent / "cmake"
    chosen = ["--target", *targets] if targets else []
    return quiet(cmake, "--build", OBJECTS, "-j", processes, *chosen, seconds=seconds)


def noticed(mutant: NativeMutant, copy: Path, processes: int) -> str:
    """By what; empty when by nothing."""
    if mutant.programs and not compiled(processes, *mutant.programs):
        return COMPILER
    for program in mutant.programs:
        if not quiet(OBJECTS / program, seconds=SECONDS):
            return program
    if not compiled(processes, "_core"):
        return COMPILER
    options = ["-x", "-q", "--tb=line", "-p", "no:cacheprovider", "--hypothesis-seed=1"]
    command = [sys.executable, "-m", "pytest", *options, *mutant.python]
    return "" if quiet(*command, seconds=SECONDS, PYTHONPATH=str(copy)) else "Python tests"


def tried(mutants: Sequence[NativeMutant], processes: int) -> tuple[int, int]:
    """How many are noticed, and of how many that compile; each is printed with what noticed it."""
    copy = make_copy("native-copy")
    (core,) = (copy / "dragoman").glob("_core*.so")
    core.unlink()
    core.symlink_to(OBJECTS / core.name)
    killed = sound = 0
    for mutant in mutants:
        path = SOURCE / "native" / "core" / mutant.file
        path.write_text(mutant.text, "utf-8")
        try:
            by = noticed(mutant, copy, processes)
        finally:
            shutil.copyfile(CORE / mutant.file, path)
        sound += by != COMPILER
        killed += by not in ("", COMPILER)
        print(f"  {'killed by ' + by if by else 'SURVIVED':32} {mutant.what}", flush=True)
    return killed, sound


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.native", description=__doc__)
    parser.add_argument("--only", default="", help="those with this word in what they say of them")
    parser.add_argument("--draw", type=int, default=0, help="so many changes made by chance")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args()
    count = chosen.draw
    mutants = drawn(chosen.only, count, chosen.seed) if count else listed(chosen.only)
    if not mutants:
        parser.error(f"there is no mutant with {chosen.only!r}")
    PLACE.mkdir(parents=True, exist_ok=True)
    configure()
    if not compiled(chosen.processes, seconds=None):
        raise SystemExit(f"the code does not compile as it is; {PLACE / 'log'} says why")
    killed, sound = tried(mutants, chosen.processes)
    share = 100 * killed / max(sound, 1)
    print(f"native       {killed:4} of {sound:4} killed, {share:5.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
