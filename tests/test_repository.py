"""What stands beside the code agrees with it."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def pins(text):
    """Every name==version in a text, each with all versions it is given."""
    found = {}
    for name, version in re.findall(r"([\w-]+)==([\w.]+)", text):
        found.setdefault(name, set()).add(version)
    return found


def test_hooks_have_the_versions_of_the_linters():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    # Hooks of other repositories have versions that cannot be compared, and mypy's results depend
    # on the packages beside it.
    assert set(re.findall(r"repo: (\S+)", hooks)) == {"local"}
    assert "entry: .venv/bin/mypy\n" in hooks
    pinned = pins("\n".join(PROJECT["optional-dependencies"]["test"]))
    assert pins(hooks) == {name: pinned[name] for name in ("ruff", "clang-format")}
    assert "mypy" in pinned


def test_the_citation_is_of_this_version():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    for key in ("version", "license"):
        assert re.findall(rf"^{key}: (.+)$", citation, re.M) == [PROJECT[key]]
