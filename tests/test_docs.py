"""The documentation speaks of what there is: commands, options, modules, files; its code runs."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from dragoman.cli.main import make_app

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
PAGES += [ROOT / "examples" / "phrasebook" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("name", ["configuration", "cli", "rest"])
def test_the_reference_is_what_was_declared(name):
    """`make reference` writes these pages anew."""
    script = ROOT / "docs" / "reference" / f"{name}.py"
    made = subprocess.run([sys.executable, script], check=True, capture_output=True, text=True)
    assert made.stdout == script.with_suffix(".md").read_text("utf-8"), "run `make reference`"


def test_every_command_is_in_the_table():
    """The README names commands and groups of them; the reference names all."""
    listed = re.findall(r"^\| `dragoman ([a-z]+)", (ROOT / "README.md").read_text(), re.M)
    assert set(listed) == {names[0] for names in COMMANDS}
    page = (ROOT / "docs" / "reference" / "cli.md").read_text()
    assert set(re.findall(r"^## dragoman ([a-z ]+)$", page, re.M)) == {
        " ".join(names) for names in COMMANDS
    }


def test_the_readme_is_a_door():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_documents_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / link).exists(), f"{page.name} links to {link}"


def commands(group=None, names=()):
    """The options of each command, by its words: dragoman WORDS."""
    group = group or typer.main.get_command(make_app())
    found = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= commands(command, (*names, name))
        else:
            options = [one for one in command.params if one.param_type_name == "option"]
            flags = [flag for one in options for flag in (*one.opts, *one.secondary_opts)]
            found[(*names, name)] = {*flags, "--help", "-h"}
    return found


COMMANDS = commands()


def calls(text):
    """Calls of the program, as lists of words; continued lines are one."""
    joined = text.replace("\\\n", " ")
    quoted = re.findall(r"`(dragoman\s[^`]+)`", joined)
    # At the head of a line, or behind whatever else may stand before a command.
    lines = re.findall(r"(?=(?:^\s*|\$ |[|;&(] *|\bdo )(dragoman [a-z].*)$)", joined, re.M)
    for call in quoted + lines:
        yield re.sub(r"\s#.*|[<>|;&)].*|, then.*", "", call, flags=re.DOTALL).split()[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_their_options_exist(page):
    for words in calls(page.read_text()):
        if words[0].startswith("-"):
            assert words[0] in ("--help", "--version", "--install-completion"), words
            continue
        known = [names for names in COMMANDS if words[: len(names)] == list(names)]
        groups = {names[: len(words)] for names in COMMANDS} | {names[:1] for names in COMMANDS}
        if not known:
            assert tuple(words) in groups, f"{page.name}: dragoman {' '.join(words)}"
            continue
        for word in words:
            flag = re.match(r"--?[a-z][a-z-]*", word)
            if flag:
                assert flag[0] in COMMANDS[known[0]], f"{page.name}: {' '.join(words)}: {word}"


FLAGS = {flag for flags in COMMANDS.values() for flag in flags}
BENCH = {
    flag
    for script in (ROOT / "bench").glob("*.py")
    for flag in re.findall(r'add_argument\(\s*"(--[a-z-]+)"', script.read_text())
}
# Options of KenLM's lmplz and of valgrind.
OTHERS = {"--skip_symbols", "--branch-sim=yes"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_stand_alone_exist(page):
    for option in re.findall(r"`(--[a-z][a-z_=-]*)", page.read_text()):
        known = option in FLAGS | BENCH | OTHERS
        assert known, f"{page.name}: {option}"


def resolves(name):
    """Whether a dotted name is a module or something in one."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        for part in parts[size:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_and_names_exist(page):
    text = page.read_text()
    for name in re.findall(r"\bdragoman(?:\.[A-Za-z_]\w*)+", text):
        if not name.endswith((".toml", ".tsv", ".db")):
            assert resolves(name), f"{page.name}: {name}"
    for code in blocks(text, "python") + re.findall(r"^    (from dragoman.*)$", text, re.M):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("dragoman"):
                for one in node.names:
                    assert resolves(f"{node.module}.{one.name}"), f"{page.name}: {one.name}"


FILES = [
    path.as_posix()
    for place in ("src", "native", "tests", "bench", "examples", "docs", "release")
    for path in (ROOT / place).rglob("*.*")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_of_the_repository_exist(page):
    text = page.read_text()
    for name in re.findall(r"\b((?:src|native|tests|bench|docs|examples)/[\w./*-]*\w)", text):
        path = name.replace("PAGE", "*")
        assert list(ROOT.glob(path)) or list(ROOT.glob(f"{path}.*")), f"{page.name}: {name}"
    # In tables a file is named by the end of its path.
    for name in re.findall(r"`([\w/]+\.(?:py|cc|h))`", text):
        assert any(path.endswith(f"/{name}") for path in FILES), f"{page.name}: {name}"
