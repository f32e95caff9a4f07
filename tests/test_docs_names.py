"""Whatever the documentation names, there is: options, keys, routes, targets, headings, words."""

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

import dragoman
from dragoman.declared import declared
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.training.template import sections

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
PAGES += [ROOT / "examples" / "phrasebook" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
GUIDE = sorted((ROOT / "docs" / "guide").glob("*.md"))

KEYS = {
    name: {one.name for one in declared(group)} for name, group in sections() if name is not None
}
SEARCH = {one.name for group in (SearchOptions, ChartOptions) for one in declared(group)}

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def prose(page):
    """A page without its blocks of code."""
    return re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)


def quoted(page):
    """What stands between single backticks, line breaks made spaces."""
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose(page))]


def missing_keys(page):
    """Keys of the configuration that a page names and that are not there."""
    text = page.read_text("utf-8")
    for code in quoted(page):
        section = re.fullmatch(r"\[([a-z]+)\](?: (\w+).*)?", code)
        if section and (section[2] or "") not in KEYS.get(section[1], set()) | {""}:
            yield code
        if section and section[1] not in KEYS:
            yield code
        dotted = re.match(r"(\w+)\.(\w+)(?: ?= ?.*)?$", code)
        if dotted and dotted[1] in KEYS.keys() - WORDS_OF_FEATURES:
            yield from {dotted[2]} - KEYS[dotted[1]] - ENDINGS
    for block in re.findall(r"```toml\n(.*?)```|<<SETTINGS\n(.*?)SETTINGS", text, re.DOTALL):
        given = tomllib.loads("".join(block))
        for name, value in given.items():
            if isinstance(value, dict) and name in KEYS:
                yield from (f"{name}.{key}" for key in value if key not in KEYS[name])
            elif name not in KEYS[""] | SEARCH | TABLES_OF_A_MODEL:
                yield name


# `confidence.json` is a file.
ENDINGS = {"py", "toml", "h", "cc", "json", "html", "en", "fr"}
# `lm.2` and `unknown.parts` are features as well as they could be keys.
WORDS_OF_FEATURES = {"context", "lm", "unknown"}
# What weights.toml and model.toml hold is shown, too.
TABLES_OF_A_MODEL = {"model", "stages", "metrics", "files", "weights"}


@pages
def test_keys_of_the_configuration_exist(page):
    assert not list(missing_keys(page))


@pages
def test_routes_of_the_server_exist(page):
    routes = json.loads((ROOT / "tests" / "golden" / "openapi.json").read_text("utf-8"))["paths"]
    known = {re.sub(r"{\w+}", "NAME", route) for route in routes} | {"/openapi.json", "/docs"}
    for code in quoted(page):
        for route in re.findall(r"^(?:(?:GET|POST|PUT|DELETE) )(/[\w/.{}]*)", code):
            assert re.sub(r"\b[A-Z]+\b|{\w+}", "NAME", route) in known, code
    for route in re.findall(r"127\.0\.0\.1:8000(/[\w/.]*\w)", page.read_text("utf-8")):
        assert route in known, route


@pages
def test_targets_of_make_exist(page):
    targets = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    called = [code for code in quoted(page) if code.startswith("make ")]
    called += re.findall(r"^(make [a-z-]+)", page.read_text("utf-8"), re.M)
    for call in called:
        assert re.match(r"make ([\w-]+)", call)[1] in targets, call


def flags_of(script):
    """The options of a script, as it and the functions it imports from its neighbours declare."""
    path = ROOT / script
    tree = ast.parse(path.read_text("utf-8"))
    places = [tree]
    for imported in (node for node in tree.body if isinstance(node, ast.ImportFrom)):
        neighbour = path.with_name(f"{imported.module}.py")
        names = {one.name for one in imported.names}
        if neighbour.exists():
            body = ast.parse(neighbour.read_text("utf-8")).body
            places += [one for one in body if getattr(one, "name", None) in names]
    return {
        flag.value
        for place in places
        for call in ast.walk(place)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", None) == "add_argument"
        for flag in call.args
    }


@pages
def test_options_of_the_scripts_exist(page):
    """The command beside a figure can be given again."""
    text = " ".join(page.read_text("utf-8").split())
    for script, rest in re.findall(r"python ((?:bench|docs)/\w+\.py)([^`$#|]*)", text):
        for flag in re.findall(r"(?<= )(--[a-z][a-z-]*)", rest.split("python ")[0]):
            assert flag in flags_of(script), f"{script} {flag}"


def slug(heading):
    """The anchor of a heading, as GitHub and the site make it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.replace("`", ""))
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


@pages
def test_links_lead_to_headings_that_exist(page):
    for path, anchor in re.findall(r"\]\(([^)#:\s]*)#([^)\s]+)\)", page.read_text("utf-8")):
        target = page.parent / path if path else page
        headings = re.findall(r"^#+ (.*)$", prose(target), re.M)
        assert anchor in {slug(heading) for heading in headings}, f"{path}#{anchor}"


@pages
def test_members_of_public_classes_exist(page):
    for code in quoted(page):
        for name, member in re.findall(r"\b([A-Z]\w+)\.([a-z_]\w*)", code):
            thing = getattr(dragoman, name, None)
            if isinstance(thing, type):
                fields = getattr(thing, "__dataclass_fields__", {}) | thing.__dict__
                assert member in fields or hasattr(thing, member), code
        for name in re.findall(r"\bdragoman\.([a-z_]\w*)\(", code):
            assert hasattr(dragoman, name), code


# What belongs to other programs.
FOREIGN = {"processPhraseTableMin", "mosesserver", "multi", "mteval", "skip_symbols"}
FOREIGN |= {"setswitchinterval", "RssAnon", "RssFile", "DeprecationWarning"}
# What stands for something else, or is not there on purpose.
FOREIGN |= {"DIRECTION", "ORIENTATION", "helpers", "p000"}


CODE = {".py", ".cc", ".h", ".toml", ".html", ".js", ".css", ".yml", ".txt"}


def words_of_the_code():
    """Every identifier of the repository's code, its own tests of documents left out."""
    words = set(FOREIGN)
    for place in ("src", "native", "tests", "bench", "examples", "docs", "release", ".github"):
        for path in (ROOT / place).rglob("*"):
            words.update(re.split(r"\W", path.name))
            if path.suffix in CODE and not path.name.startswith("test_docs"):
                words.update(re.findall(r"\w+", path.read_text("utf-8", errors="ignore")))
    for name in ("Makefile", "pyproject.toml", "CMakeLists.txt", "mkdocs.yml"):
        words.update(re.findall(r"\w+", (ROOT / name).read_text("utf-8")))
    return words


@pytest.fixture(scope="module")
def words():
    return words_of_the_code()


@pages
def test_names_in_code_type_occur_in_the_code(page, words):
    """A name that is nowhere in the code is one that was renamed, or never was."""
    blocks = re.findall(r"```.*?```", page.read_text("utf-8"), re.DOTALL)
    shown = set(re.findall(r"\w+", "".join(blocks)))
    for code in quoted(page):
        for name in re.findall(r"[A-Za-z]\w*[^\W_]", code):
            # Pages about words never seen show words of other languages.
            alone = re.fullmatch(r"[\w.]+", code) and len(name) > 3
            alone = alone and page.stem != "unknown-words"
            if "_" in name or re.search(r"[a-z][A-Z]", name) or alone:
                assert name in words | shown, f"{code}: there is no {name}"


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.stem)
def test_a_page_of_the_guide_has_its_parts(page):
    if page.stem == "index":
        linked = set(re.findall(r"\]\(([\w-]+)\.md\)", page.read_text("utf-8")))
        assert linked == {one.stem for one in GUIDE} - {"index"}, "the list of pages is whole"
        return
    headings = re.findall(r"^## (.*)$", prose(page), re.M)
    assert headings[0] == "What you need"
    assert headings[-2:] == ["What can go wrong", "Where to read on"]
