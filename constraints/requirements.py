"""What pyproject.toml asks for: prints the dependencies, and those of the extras that are named.

``make upgrade`` installs them anew and writes down the versions it got.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path


def requirements(*extras: str) -> list[str]:
    """Requirement lines: of the build, of the package, of the extras."""
    content = tomllib.loads(
        (Path(__file__).resolve().parents[1] / "pyproject.toml").read_text("utf-8")
    )
    project = content["project"]
    found = [*content["build-system"]["requires"], *project["dependencies"]]
    for extra in extras:
        found += project["optional-dependencies"][extra]
    return found


if __name__ == "__main__":
    print("\n".join(requirements(*sys.argv[1:])))
