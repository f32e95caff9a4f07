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


def test_the_refusal_of_another_format_is_quoted(run, tmp_path):
    """docs/reference/versions.md shows it word for word, so that it can be searched for."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.toml").write_text("format = 2\n")
    refused = run("translate", "model", cwd=tmp_path, input="")
    assert refused.returncode == 1
    assert "format version 2" in refused.stderr
    assert refused.stderr in (ROOT / "docs" / "reference" / "versions.md").read_text("utf-8")
