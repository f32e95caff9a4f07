"""Work for the tests of the cluster: in a module of its own, which workers import."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from dragoman.crew import Part
from dragoman.errors import InputError
from dragoman.files import written_whole


def parts(numbers: Iterator[int] | range) -> Iterator[Part[int]]:
    return (Part(f"number {number}", number) for number in numbers)


def doubled(factor: int, number: int, threads: int) -> int:
    return factor * number


def slow_first(factor: int, number: int, threads: int) -> int:
    time.sleep(0.2 if number == 0 else 0)
    return factor * number


def named(tool: list[str], number: int, threads: int) -> str:
    return f"{tool[number]} {os.getpid()}"


def refused(tool: Path, number: int, threads: int) -> int:
    """A mistake of the user's, counted."""
    with tool.open("a") as file:
        file.write(f"{number}\n")
    raise InputError("text:3: no number")


def broken(tool: Path, number: int, threads: int) -> int:
    """Something that never works, counted."""
    with tool.open("a") as file:
        file.write(f"{number}\n")
    raise OSError(28, "No space left on device", "spool")


def killed_once(tool: Path, number: int, threads: int) -> int:
    """The first worker that takes number 3 dies of it."""
    if number == 3:
        try:
            tool.touch(exist_ok=False)
        except FileExistsError:
            return number
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def full_once(tool: Path, number: int, threads: int) -> int:
    """The first worker that takes number 3 has no room on its disk."""
    if number == 3:
        try:
            tool.touch(exist_ok=False)
        except FileExistsError:
            return number
        raise OSError(28, "No space left on device", "spool")
    return number


def paused_once(tool: Path, number: int, threads: int) -> int:
    """The first worker that takes number 3 stands still for a second, as on a network that
    does."""
    if number == 3 and not tool.exists():
        tool.touch()
        own = os.getpid()
        subprocess.Popen(["sh", "-c", f"sleep 1; kill -CONT {own}"], start_new_session=True)
        os.kill(own, signal.SIGSTOP)
    return number


def greedy_once(tool: Path, number: int, threads: int) -> int:
    """The first worker that takes number 3 wants more memory than it may have."""
    if number == 3:
        try:
            tool.touch(exist_ok=False)
        except FileExistsError:
            return number
        wanted = b"x" * 1_000_000_000
        time.sleep(30)  # until it is noticed
        return len(wanted)
    return number


def written(tool: Path, number: int, threads: int) -> int:
    """A file of 100 kB."""
    with written_whole(tool / f"written.{number}") as path:
        path.write_bytes(b"x" * 100_000)
    return number


def killing(tool: Path, number: int, threads: int) -> int:
    """Whoever takes it dies of it."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def interrupted_once(place: Path) -> bool:
    """Whether this is the first time that somebody asks."""
    try:
        (place / "interrupted").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
