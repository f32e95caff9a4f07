"""Running the ``dragoman`` program: its standard files, and errors as exit codes."""

from __future__ import annotations

import io
import os
import sys
from typing import BinaryIO, cast

from dragoman.cli import plain
from dragoman.errors import DragomanError, FileError


class _Closed(io.RawIOBase):
    """In the place of a standard file that was closed before the program began."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        raise FileError(f"{self.name} is closed")

    def write(self, _: object) -> int:
        raise FileError(f"{self.name} is closed")


def _replace_closed() -> None:
    """Python has None in the place of a closed file, which nobody expects."""
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_Closed("standard input")))
    if sys.stdout is None:
        # Written through: an error must not wait until the program has ended.
        raw = cast(BinaryIO, _Closed("standard output"))
        sys.stdout = io.TextIOWrapper(raw, write_through=True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115


def run() -> None:
    """Run the program; every foreseen problem is one line and an exit code."""
    _replace_closed()
    arguments = sys.argv[1:]
    try:
        if not plain.run(arguments):
            from dragoman.cli.help import make_command
            from dragoman.cli.main import app_for

            make_command(app_for(arguments))(prog_name="dragoman")
    except BrokenPipeError:  # nobody reads on, which is nobody's mistake
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except DragomanError as problem:
        _fail(problem)
    except OSError as problem:
        _fail(FileError.of(problem))
    except MemoryError:
        _fail(DragomanError("not enough memory"))


def _fail(problem: DragomanError) -> None:
    line = " ".join(str(problem).split())
    print(f"dragoman: error: {line}", file=sys.stderr)
    sys.exit(problem.exit_code)
