"""The guide, the notebooks and the examples of the Python reference run as they are printed."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.documents.made import docx

import dragoman

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide"
PYTHON_PAGE = ROOT / "docs" / "reference" / "python.md"
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
PAIRS = 1500  # of the phrasebook; readers have all of it

specification = importlib.util.spec_from_file_location("guide_run", GUIDE / "run.py")
runner = importlib.util.module_from_spec(specification)
sys.modules["guide_run"] = runner
specification.loader.exec_module(runner)
PAGES = [page for page in sorted(GUIDE.glob("*.md")) if runner.runnable(page)]

ENVIRONMENT = os.environ | {
    "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    "COLUMNS": "80",
}


def shortened(place):
    """The examples with the first part of the phrasebook."""
    shutil.copytree(ROOT / "examples", place, ignore=shutil.ignore_patterns("*.trees", "*.links"))
    for path in (ROOT / "examples" / "phrasebook").glob("*.*"):
        if path.name.startswith(("train.", "dev.", "test.")):
            count = PAIRS if path.name.startswith("train.") else 100
            lines = path.read_text("utf-8").splitlines(keepends=True)[:count]
            (place / "phrasebook" / path.name).write_text("".join(lines), "utf-8")


@pytest.fixture
def walked(made_once, tmp_path):
    """The folder of a reader who has gone through the first page."""

    def walk(place):
        shortened(place / "examples")
        runner.run_page(runner.FIRST, place, environment=ENVIRONMENT)

    ready = made_once("guide", walk)
    shutil.copytree(ready, tmp_path / "reader", symlinks=True)
    return tmp_path / "reader"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(page, walked):
    if "curl" in page.read_text("utf-8") and not shutil.which("curl"):
        pytest.skip("no curl")
    if page != runner.FIRST:
        runner.run_page(page, walked, environment=ENVIRONMENT)
    assert (walked / "en-fr" / "model.toml").exists()


@pytest.mark.slow
def test_the_commands_of_the_readme_run(walked, tmp_path):
    """But for `make`, which cannot run itself; the server is asked for its health and ended."""
    shutil.copy(walked / "phrasebook.tmx", walked / "memory.tmx")
    letter = "<w:p><w:r><w:t>Where is the station?</w:t></w:r></w:p>"
    (walked / "letter.docx").write_bytes(docx(letter))
    (walked / "terms.tsv").write_text("station\thalte\n", "utf-8")
    text = (ROOT / "README.md").read_text("utf-8")
    serve = re.search(r"^dragoman serve model\b", text, re.M)[0]
    asked = "curl --silent --retry 30 --retry-delay 1 --retry-connrefused"
    text = text.replace(serve, f"{serve} --port 8000 & {asked} http://127.0.0.1:8000/health  #")
    page = tmp_path / "README.md"
    page.write_text(text.replace("```sh\nmake demo", "<!-- not run: make -->\n```sh\nmake demo"))
    printed = runner.run_page(page, walked, environment=ENVIRONMENT)
    called = re.findall(r"^(?:echo .*\| )?(dragoman \w+)", page.read_text("utf-8"), re.M)
    assert len(printed) == 3
    assert len(called) >= 5
    assert '"status":"ok"' in printed[0]
    assert "gare" in printed[0] + printed[2]
    assert (walked / "brief.docx").stat().st_size
    assert "halte" in (walked / "filled.po").read_text("utf-8")


def test_what_a_page_shows_is_what_its_steps_print():
    page = "```sh\necho one\n```\n```text\n```\n\n<!-- not run: never -->\n```sh\nfalse\n```\n"
    (step,) = runner.steps(page)
    assert step.code == "echo one\n"
    assert runner.renewed(page, ["one\n"]) == page.replace("```text\n", "```text\none\n")


def test_a_page_whose_command_fails_is_told_of(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```sh\ntrue\n```\n\n```sh\nls no-such-file\n```\n")
    with pytest.raises(RuntimeError, match="no-such-file"):
        runner.run_page(page, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook, made_once):
    def prepare(place):
        (place / "notebooks").mkdir()
        (place / "phrasebook").symlink_to(ROOT / "examples" / "phrasebook")

    # One folder for all of them: the first trains, the others find the model up to date.
    place = made_once("notebooks", prepare) / "notebooks"
    script = ROOT / "examples" / "notebooks" / "execute.py"
    ran = subprocess.run(
        [sys.executable, script, notebook], cwd=place, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert notebook.read_text("utf-8").count('"image/svg+xml"') >= 1, (
        "keep what it shows (--write)"
    )


@pytest.mark.slow
def test_the_examples_of_the_python_reference_run(walked):
    code = "\n".join(re.findall(r"```python\n(.*?)```", PYTHON_PAGE.read_text("utf-8"), re.DOTALL))
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=walked,
        env=ENVIRONMENT | {"DRAGOMAN_CACHE": str(walked / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]


@pytest.mark.parametrize("name", dragoman.__all__)
def test_every_public_name_is_in_the_python_reference(name):
    text = PYTHON_PAGE.read_text("utf-8")
    home = getattr(dragoman, name).__module__
    assert f"::: {home}.{name}\n" in text, f"add it to {PYTHON_PAGE}, with an example"
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    assert re.search(rf"\b{name}\b", examples), "each has an example"
