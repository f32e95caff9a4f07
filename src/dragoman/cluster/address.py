"""Where a cluster is, as a user says it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import FileError, UsageError

_LOCAL = "local:"
MOST_LOCAL = 256  # worker processes on one machine


@dataclass(frozen=True)
class Address:
    """One of the three ways to find a scheduler."""

    local: int = 0  # so many worker processes on this machine
    url: str = ""
    file: Path | None = None  # in which a scheduler wrote its address

    @classmethod
    def parse(cls, text: str) -> Address:
        """local:N, an address with a protocol, or a file that a scheduler wrote."""
        if text.startswith(_LOCAL):
            number = text.removeprefix(_LOCAL)
            if not number.isdecimal() or not 1 <= int(number) <= MOST_LOCAL:
                raise UsageError(
                    f"{text}: local:N starts N worker processes here, 1 to {MOST_LOCAL}"
                )
            return cls(local=int(number))
        if "://" in text:
            return cls(url=text)
        if Path(text).is_file():
            return cls(url=_url_in(Path(text)), file=Path(text))
        raise UsageError(
            f"{text}: no cluster is called so; give local:N, the address of a Dask scheduler "
            "(tcp://HOST:8786), or the file that its --scheduler-file wrote"
        )

    def __str__(self) -> str:
        if self.local:
            return f"{_LOCAL}{self.local}"
        return f"{self.file}: {self.url}" if self.file is not None else self.url


def _url_in(file: Path) -> str:
    try:
        return str(json.loads(file.read_text("utf-8"))["address"])
    except OSError as problem:
        raise FileError.of(problem, file) from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise UsageError(f"{file}: not a file that a Dask scheduler wrote") from problem
