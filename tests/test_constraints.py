"""The same tree gives the same environment: what is installed is what constraints/ says."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

from constraints.requirements import requirements

ROOT = Path(__file__).resolve().parents[1]


def pinned(name: str) -> dict[str, str]:
    lines = (ROOT / "constraints" / name).read_text("utf-8").split()
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+]+", line) for line in lines), "only exact versions"
    return {normal(line.split("==")[0]): line.split("==")[1] for line in lines}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_what_is_installed_is_pinned() -> None:
    pins = pinned("test.txt")
    installed = {normal(one.name): one.version for one in importlib.metadata.distributions()}
    for name in installed.keys() - {"dragoman", "pip", "setuptools", "wheel"}:
        assert pins.get(name) == installed[name], f"{name}: `make upgrade` and commit"
    assert pins.keys() <= installed.keys()


def test_the_demo_is_a_part_of_the_tests() -> None:
    tests = pinned("test.txt")
    assert all(tests[name] == version for name, version in pinned("demo.txt").items())
    assert pinned("build.txt").keys() == {"setuptools", "wheel"}


def test_every_requirement_is_met() -> None:
    tests, demo = pinned("test.txt"), pinned("demo.txt")
    for line in requirements("serve", "plots"):
        assert normal(re.split(r"[<>=~! ]", line)[0]) in demo, line
    for line in requirements("test"):
        name, _, exact = line.partition("==")
        version = tests[normal(re.split(r"[<>=~! ]", name)[0])]
        assert not exact or version == exact.split()[0], f"{line} against {version}"


def test_the_build_needs_what_is_pinned() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]
    assert {re.split(r"[<>=]", line)[0] for line in build["requires"]} == {
        "scikit-build-core",
        "nanobind",
    }
