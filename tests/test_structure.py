"""The shape of the house: imports and includes point upstream, what only some systems have is
kept in few files, the stubs are current, loading is light."""

import ast
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from dragoman import layout

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "dragoman"
CORE = ROOT / "native" / "core"

# Each row may import from itself and from the rows above it.
LAYERS = [
    ["_core", "errors", "file_lock", "layout", "lazy", "memory", "progress"],
    ["archives", "arguments", "crew", "files"],
    ["declared"],
    ["cluster"],
    ["text"],
    ["corpus"],
    ["alignment"],
    ["grammar"],
    ["lm"],
    ["preorder"],
    ["rules"],
    ["context"],
    ["unknown"],
    ["neural"],
    ["model"],
    ["search"],
    ["translation"],
    ["documents"],
    ["evaluation"],
    ["tuning"],
    ["learning"],
    ["report"],
    ["training"],
    ["server"],
    ["cli"],
    ["__init__", "__main__"],
]
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}

# Each folder of native/core may include from itself and from those above it.
NATIVE_LAYERS = [
    "text",
    "parallel",
    "corpus",
    "alignment",
    "grammar",
    "lm",
    "preorder",
    "rules",
    "context",
    "unknown",
    "neural",
    "model",
    "search",
    "evaluation",
    "tuning",
    "learning",
]

# What the core needs beside standard C++, and where. Nobody else includes a C header.
SYSTEM_HEADERS = {
    "text/mapped_file.cc": {"fcntl.h", "sys/mman.h", "sys/stat.h", "unistd.h"},
    "text/mapped_pages.cc": {"sys/mman.h"},
    "text/parse_double.cc": {"locale.h", "stdlib.h", "xlocale.h"},
    "text/spool_file.cc": {"fcntl.h", "stdlib.h", "unistd.h"},
    "text/tokens.h": {"emmintrin.h"},
}
# Where the core differs by processor or system.
CONDITIONAL = {"alignment/hmm.cc", "text/parse_double.cc", "text/spool_file.cc", "text/tokens.h"}

# What Python offers on some systems only (its documentation: "Availability: Unix"), and where we
# use it.
POSIX_MODULES = {"curses", "fcntl", "grp", "mmap", "posix", "pty", "pwd", "readline", "resource"}
POSIX_MODULES |= {"select", "syslog", "termios", "tty"}
POSIX_CALLS = {"chown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getpgid", "getuid"}
POSIX_CALLS |= {"killpg", "mkfifo", "mknod", "nice", "posix_fadvise", "posix_fallocate"}
POSIX_CALLS |= {"posix_spawn", "posix_spawnp", "pread", "pwrite", "register_at_fork", "sendfile"}
POSIX_CALLS |= {"sched_getaffinity", "sched_setaffinity", "setsid", "statvfs", "sysconf", "wait3"}
POSIX_CALLS |= {"wait4", "waitid"}
POSIX_FILES = {
    "__main__.py": {"resource"},
    "file_lock.py": {"fcntl"},
    "lm/memory.py": {"os.sysconf"},
    "translation/lines.py": {"select"},
}


def part_of(module: str) -> str:
    """ "dragoman.corpus.read" is part of "corpus"; "dragoman" itself is "__init__"."""
    return module.split(".")[1] if "." in module else "__init__"


def imports_of(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            if node.module == "dragoman":
                names |= {f"dragoman.{alias.name}" for alias in node.names}
            else:
                names.add(node.module or "")
    return {name for name in names if name.split(".")[0] == "dragoman"}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=str)
def test_imports_point_upstream(path):
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert own in RANK, f"{own} has no place in LAYERS"
    for module in imports_of(path):
        assert RANK[part_of(module)] <= RANK[own], f"{own} imports {module}"


def posix_names_of(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names} & POSIX_MODULES
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module} & POSIX_MODULES
            if node.module == "os":
                names |= {f"os.{alias.name}" for alias in node.names if alias.name in POSIX_CALLS}
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "os":
            names |= {f"os.{node.attr}"} if node.attr in POSIX_CALLS else set()
    return names


def test_what_only_posix_has_stands_in_few_modules():
    found = {
        path.relative_to(PACKAGE).as_posix(): names
        for path in PACKAGE.rglob("*.py")
        if (names := posix_names_of(path))
    }
    assert found == POSIX_FILES


def native_files(*folders: str) -> list[Path]:
    return sorted(
        path
        for folder in folders
        for path in (ROOT / "native" / folder).rglob("*")
        if path.suffix in (".cc", ".h")
    )


def includes_of(path: Path, marks: str) -> list[str]:
    opening, closing = marks
    pattern = rf"^\s*#\s*include\s*{opening}([^{closing}]+){closing}"
    return re.findall(pattern, path.read_text("utf-8"), re.MULTILINE)


def name_in_core(path: Path) -> str:
    return path.relative_to(CORE).as_posix()


def test_every_native_folder_has_its_place():
    assert {path.relative_to(CORE).parts[0] for path in native_files("core")} == set(NATIVE_LAYERS)


@pytest.mark.parametrize("path", native_files("core"), ids=name_in_core)
def test_includes_point_upstream(path):
    own = NATIVE_LAYERS.index(path.relative_to(CORE).parts[0])
    for included in includes_of(path, '""'):
        assert (CORE / included).is_file(), f"{included} is not named from native/core"
        assert NATIVE_LAYERS.index(included.split("/")[0]) <= own, f"includes {included}"


def test_headers_do_not_go_round_in_circles():
    headers = {
        name_in_core(path): includes_of(path, '""')
        for path in native_files("core")
        if path.suffix == ".h"
    }
    try:
        TopologicalSorter(headers).prepare()
    except CycleError as circle:
        pytest.fail(" includes ".join(reversed(circle.args[1])))


def test_what_is_not_standard_cpp_stands_in_few_files():
    """The headers of C++ have no ``.h``; what has one is the system's or the processor's."""
    found = {
        name_in_core(path): headers
        for path in native_files("core")
        if (headers := {name for name in includes_of(path, "<>") if name.endswith(".h")})
    }
    assert found == SYSTEM_HEADERS


def test_what_differs_by_system_stands_in_few_files():
    found = {
        name_in_core(path)
        for path in native_files("core")
        if re.search(r"^\s*#\s*if", path.read_text("utf-8"), re.MULTILINE)
    }
    assert found == CONDITIONAL


def test_every_layer_exists():
    there = {path.name.removesuffix(".py").split(".")[0] for path in PACKAGE.iterdir()}
    assert set(RANK) <= there


def literals_of(path: Path) -> list[tuple[int, str]]:
    """The strings of a module with their lines, but what documents it."""
    found, documentation = [], set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Expr):
            documentation.add(node.value)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node not in documentation
        ):
            found.append((node.lineno, node.value))
    return found


def model_file_names() -> set[str]:
    """What files of a model directory are called: paths, folders, and last parts of paths."""
    named = [value for name, value in vars(layout).items() if name.isupper()]
    for held_out in ("dev", "test"):
        named += [*layout.held_out_files(held_out), layout.preordered_source(held_out)]
    whole = [name for name in named if "/" in name or "." in name]
    folders = {name.split("/")[0] + "/" for name in whole if "/" in name}
    return {*whole, *folders, *(name.rpartition("/")[2] for name in whole if "." in name)}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=str)
def test_only_the_layout_names_files_of_a_model(path):
    if path.name == "layout.py":
        return
    names = model_file_names()
    assert {"corpus/", "align/links", "weights.toml", "search.toml", "phrases.table"} <= names
    if path.name == "aligner.py":
        names -= {"source.vocab", "target.vocab"}  # an aligner has a directory of its own
    for line, text in literals_of(path):
        for name in names:
            assert not re.search(rf"(?<![\w.]){re.escape(name)}", text), f"{path}:{line}: {text!r}"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=str)
def test_only_the_model_directory_knows_its_manifest(path):
    allowed = ("layout.py", "training/pipeline.py")
    allowed += ("model/directory.py", "model/manifest.py", "model/pack.py")
    if path.relative_to(PACKAGE).as_posix() in allowed:
        return
    text = path.read_text("utf-8")
    assert "model.toml" not in text
    assert not re.search(r"\bMANIFEST\b|\bfrom_toml\b|\bto_toml\b", text)


@pytest.mark.parametrize("path", native_files("core"), ids=name_in_core)
def test_the_core_never_sees_python(path):
    text = path.read_text("utf-8")
    assert "Python.h" not in text
    assert "nanobind" not in text


def test_stubs_are_current(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "dragoman._core"]
        + ["-o", str(tmp_path / "_core.pyi")],
        check=True,
        cwd=tmp_path,
    )
    current = (tmp_path / "_core.pyi").read_text()
    assert (PACKAGE / "_core.pyi").read_text() == current, "run `make stubs` and commit"


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import dragoman", ["numpy", "typer", "rich", "sacrebleu", "sacremoses"]),
        ("import dragoman.cli.main", ["numpy", "sacrebleu", "sacremoses", "matplotlib"]),
    ],
)
def test_loading_is_light(statement, heavy):
    """Time depends on the machine; what is loaded does not."""
    code = f"{statement}; import sys; print(*[m for m in {heavy} if m in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.split() == []


def test_the_demo_needs_public_names_only():
    assert imports_of(ROOT / "examples" / "demo.py") == {"dragoman"}


def test_public_names_exist():
    import dragoman

    for name in dragoman.__all__:
        assert getattr(dragoman, name) is not None
    assert set(dragoman.__all__) <= set(dir(dragoman))
    assert dragoman.__version__.count(".") == 2
    with pytest.raises(AttributeError, match="nonsense"):
        dragoman.nonsense  # noqa: B018
