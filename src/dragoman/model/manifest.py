"""``model.toml``: which stages have made a model, with which parameters, from which inputs.

It holds no times and no absolute paths: the same inputs and parameters give the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.errors import ModelError
from dragoman.files import read_toml

FORMAT_VERSION = 1


@dataclass(frozen=True)
class StageRecord:
    """What a finished stage did."""

    parameters: dict[str, Any] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)  # name to SHA-256
    outputs: dict[str, str] = field(default_factory=dict)  # path in the directory to SHA-256
    results: dict[str, Any] = field(default_factory=dict)  # what it found out, if anything


@dataclass(frozen=True)
class Manifest:
    """The stages that have run."""

    stages: dict[str, StageRecord] = field(default_factory=dict)

    def with_stage(self, name: str, record: StageRecord, order: Sequence[str]) -> Manifest:
        """A manifest in which stage `name` has `record`, with the stages in the given order."""
        stages = {**self.stages, name: record}
        listed = {key: stages.pop(key) for key in order if key in stages}
        return Manifest({**listed, **stages})

    def without_stage(self, name: str) -> Manifest:
        """A manifest in which stage `name` has not run."""
        return Manifest({key: value for key, value in self.stages.items() if key != name})

    def only(self, names: Collection[str]) -> Manifest:
        """A manifest in which no other stages have run."""
        return Manifest({key: value for key, value in self.stages.items() if key in names})

    def digest(self, file: str) -> str | None:
        """The SHA-256 of a file as the stage that wrote it last has recorded it."""
        found = [r.outputs[file] for r in self.stages.values() if file in r.outputs]
        return found[-1] if found else None

    def to_toml(self) -> str:
        import tomli_w

        stages = {
            name: {
                "parameters": record.parameters,
                "inputs": record.inputs,
                "outputs": record.outputs,
                **({"results": record.results} if record.results else {}),
            }
            for name, record in self.stages.items()
        }
        return tomli_w.dumps({"format": FORMAT_VERSION, "stages": stages})

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Read a file; an empty manifest where there is none."""
        if not path.exists():
            return cls()
        content = read_toml(path)
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
                    results=dict(entry.get("results", {})),
                )
                for name, entry in content["stages"].items()
            }
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise ModelError(f"{path}: damaged: {problem!r}") from problem
        return cls(stages)
