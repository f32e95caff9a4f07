"""Packs: which files go in, what bounds there are, and where they are unpacked, by hand."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dragoman import archives, layout
from dragoman.errors import DragomanError, FileError, InputError, ModelError
from dragoman.files import sealed
from dragoman.model import directory as directory_module
from dragoman.model import pack as module
from dragoman.model.pack import is_pack, unpack, unpacked


def listed(content: dict[str, bytes], **changed: Any) -> str:
    import tomli_w

    told = {
        name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in content.items()
    }
    return sealed(tomli_w.dumps({"format": 1, "left_out": [], "files": told} | changed))


def made(path: Path, content: dict[str, bytes], **changed: Any) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(layout.PACK, listed(content, **changed))
        for name, data in content.items():
            if name != layout.PACK:
                archive.writestr(name, data)
    return path


FILES = {
    "model.toml": b"format = 1\n",
    "lm/target.bin": bytes(1000),
    "members/a/weights.toml": b"",
}


class Directory:
    """A model of which sizes and the tables in use are known."""

    def __init__(self, sizes: dict[str, int], tables: dict[str, str]) -> None:
        self._sizes, self._tables = sizes, tables
        self.shape = SimpleNamespace(members=[name for name in tables if name])

    def table_in_use(self) -> str:
        return self._tables[""]

    def file(self, name: str) -> Any:
        return name

    def sizes(self) -> dict[str, int]:
        return self._sizes


def test_which_files_go_in(monkeypatch):
    member = layout.member_directory("btg")
    tables = {"": layout.SORTED_PHRASES, member: layout.PHRASES}
    monkeypatch.setattr(
        directory_module,
        "ModelDirectory",
        lambda name: SimpleNamespace(table_in_use=lambda: tables[name]),
    )
    wanted = [
        "model.toml",
        layout.SORTED_PHRASES,
        layout.LANGUAGE_MODEL,
        f"{member}/{layout.PHRASES}",
        f"{member}/model.toml",
    ]
    unwanted = [
        layout.PHRASES,  # the sorted one is used
        f"{layout.MEMBERS}/old/model.toml",  # of no member
        f"{layout.SWEEP}/sweep.json",
        f"{layout.TUNED_MODEL}/model.toml",
        f"{member}/{layout.BITEXT}",
        layout.BITEXT,
    ]
    sizes = {name: number for number, name in enumerate([*wanted, *unwanted], 1)}
    kept, left_out = module._sorted_out(Directory(sizes, tables))  # type: ignore[arg-type]
    assert kept == {name: sizes[name] for name in wanted}
    assert left_out == {name: sizes[name] for name in unwanted}
    assert layout.BITEXT in layout.TRAINING_ONLY


def test_what_begins_like_a_pack(tmp_path):
    path = made(tmp_path / "a", FILES)
    assert is_pack(path)
    for content in (b"", path.read_bytes()[1:], b"PK\3\4" + bytes(60), path.read_bytes()[:30]):
        (tmp_path / "b").write_bytes(content)
        assert not is_pack(tmp_path / "b")
    assert not is_pack(tmp_path / "none") and not is_pack(tmp_path)


def test_everything_is_unpacked_and_nothing_is_left_beside(tmp_path):
    place = tmp_path / "deep" / "model"
    unpack(made(tmp_path / "a", FILES), place)
    found = {p.relative_to(place).as_posix(): p for p in place.rglob("*") if p.is_file()}
    assert {
        name: path.read_bytes() for name, path in found.items() if name != layout.PACK
    } == FILES
    assert found[layout.PACK].read_text("utf-8") == listed(FILES)
    assert place.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in place.parent.iterdir()] == ["model"]
    # An empty directory is as good as none.
    (tmp_path / "empty").mkdir()
    unpack(tmp_path / "a", tmp_path / "empty")
    assert (tmp_path / "empty" / "model.toml").is_file()


@pytest.mark.parametrize(
    ("name", "fine"),
    [
        ("a", True),
        ("a/b/c/d/e", True),
        ("a/b/c/d/e/f", False),
        ("a" * 100, True),
        ("a" * 101, False),
        ("_a-b.c", True),
        (".a", False),
        ("a/.b", False),
        ("-a", False),
        ("a//b", False),
        ("a/", False),
        ("a..b", False),
        ("a\\b", False),
        ("ä", False),
        (layout.PACK, False),
    ],
)
def test_names(tmp_path, name, fine):
    path = made(tmp_path / "pack", {"model.toml": b"", name: b"x"})
    place = tmp_path / "model"
    if fine:
        unpack(path, place)
        assert (place / name).read_bytes() == b"x"
    else:
        with pytest.raises(ModelError, match="is no name of a file of a model"):
            unpack(path, place)


def archive_of(size: int, path: Path) -> Any:
    path.write_bytes(bytes(size))
    return SimpleNamespace(path=path, damaged=lambda what: InputError.at(path, None, what))


def test_how_much_a_pack_may_unpack_to(tmp_path, monkeypatch):
    archive = archive_of(10, tmp_path / "a")
    free = SimpleNamespace(free=3000)
    monkeypatch.setattr(module.shutil, "disk_usage", lambda place: free)
    check = module._check_sizes
    check(archive, {"a": (1000, ""), "b": (2000, "")}, tmp_path)
    with pytest.raises(InputError, match="10 bytes that would unpack to 3,001"):
        check(archive, {"a": (1000, ""), "b": (2001, "")}, tmp_path)
    with pytest.raises(InputError, match="10 bytes"):
        check(archive, {"a": (-1, ""), "b": (2, "")}, tmp_path)
    check(archive, {"a": (0, "")}, tmp_path)
    free.free = 2999
    with pytest.raises(DragomanError, match=r"3,000 bytes, .* has room for 2,999"):
        check(archive, {"a": (3000, "")}, tmp_path)


def test_where_packs_are_unpacked(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "said"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert module._cache() == tmp_path / "said"
    monkeypatch.delenv("DRAGOMAN_CACHE")
    assert module._cache() == tmp_path / "xdg" / "dragoman" / "packs"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert module._cache() == tmp_path / "home" / ".cache" / "dragoman" / "packs"
    pack = made(tmp_path / "pack", FILES)
    place = unpacked(pack)
    assert place.parent == module._cache()
    assert place.name == hashlib.sha256(listed(FILES).encode()).hexdigest()
    # What is there is not looked at again.
    (place / "lm" / "target.bin").unlink()
    assert unpacked(pack) == place and not (place / "lm" / "target.bin").exists()
    # Without its manifest, somebody has begun to tidy up.
    (place / "model.toml").unlink()
    assert unpacked(pack) == place
    assert (place / "model.toml").exists() and (place / "lm" / "target.bin").exists()
    monkeypatch.setenv("DRAGOMAN_CACHE", str(pack))
    with pytest.raises(FileError, match="set DRAGOMAN_CACHE to another place"):
        unpacked(pack)


def test_whoever_was_quicker_has_done_it(tmp_path, monkeypatch):
    pack, place = made(tmp_path / "pack", FILES), tmp_path / "model"
    extract = module._extract

    def slowly(*arguments: Any) -> None:
        extract(*arguments)
        place.mkdir(exist_ok=True)
        (place / layout.MANIFEST).write_text("another's")

    monkeypatch.setattr(module, "_extract", slowly)
    unpack(pack, place)
    assert (place / layout.MANIFEST).read_text() == "another's"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "pack"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": 2}, "pack format version 2, but this Dragoman reads version 1"),
        ({"files": {"model.toml": {"size": 1}}}, "its list of files"),
        ({"files": {"model.toml": {"size": "x", "sha256": ""}}}, "its list of files"),
        ({"files": []}, "its list of files"),
        ({"files": {"lm/target.bin": {"size": 1000, "sha256": "0"}}}, "there is no model.toml"),
    ],
)
def test_lists_that_are_none(tmp_path, changed, message):
    with pytest.raises(ModelError, match=message):
        unpack(made(tmp_path / "pack", FILES, **changed), tmp_path / "model")


def test_archives_are_bounded(tmp_path, monkeypatch):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as file:
        for number in range(4):
            file.writestr(f"f{number}", bytes(10))
    with archives.open_archive(path, "archive") as archive:
        assert archive.names == {"f0", "f1", "f2", "f3"}
        assert archive.read("f0", 10) == bytes(10)
        with pytest.raises(InputError, match="f0 in it unpacks to more than 9 bytes"):
            archive.read("f0", 9)
        with pytest.raises(InputError, match="cut or damaged"):
            archive.read("f9", 9)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 4)
    with archives.open_archive(path, "archive"):
        pass
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    with pytest.raises(InputError, match="too many files"), archives.open_archive(path, "archive"):
        pass
    with zipfile.ZipFile(path, "w") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("a", "1")
        file.writestr("a", "2")
    with pytest.raises(InputError, match="some twice"):
        unpack_nothing(path)
    path.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(100))
    with pytest.raises(InputError, match="no archive, but of an old format"):
        unpack_nothing(path)
    path.write_bytes(b"\xd0\xcf\x11")
    with pytest.raises(InputError, match="no archive, or cut"):
        unpack_nothing(path)
    with pytest.raises(FileError):
        unpack_nothing(tmp_path / "none")


def unpack_nothing(path: Path) -> None:
    with archives.open_archive(path, "archive"):
        pass


def test_passwords_are_told(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a", "x")
    content = bytearray(path.read_bytes())
    # The general purpose flag of the member in the directory at the end.
    content[content.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(bytes(content))
    with pytest.raises(InputError, match="has a password; save it without one"):
        unpack_nothing(path)
