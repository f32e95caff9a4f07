"""The README does what it says."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_python_example_runs(tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (code,) = blocks((ROOT / "README.md").read_text(), "python")
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert "gare" in result.stdout


def test_every_command_is_in_the_table():
    listed = set(re.findall(r"^\| `dragoman ([a-z ]+)`", (ROOT / "README.md").read_text(), re.M))
    result = subprocess.run(
        [sys.executable, "-m", "dragoman", "--help"], check=True, capture_output=True, text=True
    )
    commands = set(re.findall(r"^│ ([a-z]+) ", result.stdout, re.M))
    assert commands == {name.split()[0] for name in listed}


def test_links_between_documents_lead_somewhere():
    for document in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]:
        for link in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (document.parent / link).exists(), f"{document.name} links to {link}"
