"""The model directory: names, hashes, and the manifest that explains it.

Everything in the directory is written under a temporary name and renamed when whole, so what
bears its proper name is complete. ``model.toml`` says which stages have run, with which
parameters, on which inputs, and what they wrote. It holds no times and no absolute paths: the
same inputs and parameters give the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.errors import DragomanError, FileError, ModelError
from dragoman.file_lock import FileLock

FORMAT_VERSION = 1
MANIFEST = "model.toml"
STAGING = ".unfinished"
LOCK = ".lock"


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise FileError.of(problem, path) from problem


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, renamed to it if the body succeeds and removed if not."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(path)
    except OSError as problem:
        raise FileError.of(problem, path) from problem
    finally:
        temporary.unlink(missing_ok=True)


def require_place(path: Path) -> None:
    """Before long work whose result goes to `path`: can a file be written there?"""
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no directory {path.parent}; make it first")
    if path.is_dir():
        raise FileError(f"{path}: is a directory; give the name of a file")


def _sync(path: Path) -> None:
    """Let a rename never overtake the data it names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(frozen=True)
class StageRecord:
    """What a finished stage did."""

    parameters: dict[str, Any] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)  # name to SHA-256
    outputs: dict[str, str] = field(default_factory=dict)  # path in the directory to SHA-256


@dataclass(frozen=True)
class Manifest:
    """The content of ``model.toml``."""

    stages: dict[str, StageRecord] = field(default_factory=dict)

    def with_stage(self, name: str, record: StageRecord, order: Sequence[str]) -> Manifest:
        """A manifest in which stage `name` has `record`, with the stages in the given order."""
        stages = {**self.stages, name: record}
        listed = {key: stages.pop(key) for key in order if key in stages}
        return Manifest({**listed, **stages})

    def without_stage(self, name: str) -> Manifest:
        """A manifest in which stage `name` has not run."""
        return Manifest({key: value for key, value in self.stages.items() if key != name})

    def to_toml(self) -> str:
        import tomli_w

        stages = {
            name: {
                "parameters": record.parameters,
                "inputs": record.inputs,
                "outputs": record.outputs,
            }
            for name, record in self.stages.items()
        }
        return tomli_w.dumps({"format": FORMAT_VERSION, "stages": stages})

    @classmethod
    def from_toml(cls, text: str, path: Path) -> Manifest:
        try:
            content = tomllib.loads(text)
        except tomllib.TOMLDecodeError as problem:
            raise ModelError(f"{path}: damaged: {problem}") from problem
        version = content.get("format")
        if version != FORMAT_VERSION:
            raise ModelError(
                f"{path}: model format version {version}, but this Dragoman reads version "
                f"{FORMAT_VERSION}; train again or use the Dragoman that made it"
            )
        try:
            stages = {
                name: StageRecord(
                    parameters=dict(entry["parameters"]),
                    inputs=dict(entry["inputs"]),
                    outputs=dict(entry["outputs"]),
                )
                for name, entry in content["stages"].items()
            }
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise ModelError(f"{path}: damaged: {problem!r}") from problem
        return cls(stages)


class Workspace:
    """A model directory, existing or to be made."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def file(self, name: str) -> Path:
        """Where the file called `name` (e.g. "corpus/train.bitext") lies."""
        return self.path / name

    def staging(self, stage: str) -> Path:
        """Where `stage` puts what is not finished."""
        return self.path / STAGING / stage

    def exists(self) -> bool:
        """Whether there is a model here."""
        return (self.path / MANIFEST).exists()

    def create(self) -> None:
        """Make the directory; a directory with other people's files in it is refused."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            strangers = [
                item.name for item in self.path.iterdir() if item.name not in (STAGING, LOCK)
            ]
        except OSError as problem:
            raise FileError.of(problem, self.path) from problem
        if strangers and not self.exists():
            raise ModelError(
                f"{self.path}: holds other files ({sorted(strangers)[0]}, ...) and no model; "
                "give an empty or a new directory"
            )

    def read_manifest(self) -> Manifest:
        """The manifest; an empty one when nothing has run here."""
        path = self.path / MANIFEST
        try:
            return Manifest.from_toml(path.read_text("utf-8"), path)
        except FileNotFoundError:
            return Manifest()
        except UnicodeDecodeError as problem:
            raise ModelError(f"{path}: damaged: {problem}") from problem
        except OSError as problem:
            raise FileError.of(problem, path) from problem

    def write_manifest(self, manifest: Manifest) -> None:
        with written_whole(self.path / MANIFEST) as temporary:
            temporary.write_text(manifest.to_toml(), "utf-8")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep a second process from writing here at the same time."""
        try:
            lock = FileLock(self.path / LOCK)
        except BlockingIOError as problem:
            raise DragomanError(
                f"{self.path}: another dragoman process is writing to this model"
            ) from problem
        except OSError as problem:
            raise FileError.of(problem, self.path) from problem
        with lock:
            yield
