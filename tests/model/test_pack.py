"""Packs: one file that translates as the directory does, and nothing else."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import dragoman
from dragoman.errors import DragomanError, ModelError, UsageError
from dragoman.files import sealed
from dragoman.layout import BITEXT, PACK
from dragoman.model.directory import ModelDirectory
from dragoman.model.pack import is_pack, pack, unpack
from dragoman.server.api import Settings
from dragoman.server.app import create_app, open_models
from dragoman.server.log import Log
from dragoman.training.train import run_reestimation, run_tuning

SENTENCES = ["Where is the station?", "The zwieback costs %d.", "Good morning."]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv("DRAGOMAN_CACHE", str(place))
    return place


@pytest.fixture
def packed(trained: Path, tmp_path: Path) -> Path:
    path = tmp_path / "shop.dragoman"
    pack(trained, path)
    return path


def test_a_pack_translates_as_the_directory_does(trained: Path, packed: Path, cache: Path) -> None:
    wanted = dragoman.Translator.open(trained).translate(SENTENCES)
    assert dragoman.Translator.open(packed).translate(SENTENCES) == wanted
    (place,) = cache.iterdir()
    # Opened again, it is where it was.
    stamp = (place / PACK).stat().st_mtime_ns
    assert dragoman.Translator.open(packed).translate(SENTENCES) == wanted
    assert [one.name for one in cache.iterdir()] == [place.name]
    assert (place / PACK).stat().st_mtime_ns == stamp


def test_the_same_model_gives_the_same_bytes_and_says_what_is_left_out(
    trained: Path, tmp_path: Path
) -> None:
    one, two = tmp_path / "a.dragoman", tmp_path / "b.dragoman"
    said = pack(trained, one)
    pack(trained, two)
    assert one.read_bytes() == two.read_bytes()
    assert is_pack(one)
    assert not is_pack(trained / "model.toml")
    assert BITEXT in said.left_out
    assert BITEXT not in said.kept
    assert said.bytes == one.stat().st_size < sum(said.kept.values())


def test_what_is_taught_stays_beside_the_pack(packed: Path, cache: Path) -> None:
    translator = dragoman.Translator.open(packed)
    translator.corrections.add("term", "station", "halte")
    again = dragoman.Translator.open(packed)
    assert "halte" in again.translate(SENTENCES[0], corrections=True)
    assert packed.with_name("shop.dragoman.corrections.db").is_file()
    assert not list(cache.rglob("corrections.db"))


def test_what_a_pack_cannot_do_is_said(packed: Path, tmp_path: Path) -> None:
    weights = tmp_path / "w.toml"
    weights.write_text("lm = 1.0\n")
    for wrong, message in (
        (lambda: run_tuning(packed), "tuning needs the directory"),
        (lambda: run_reestimation(packed, tmp_path / "new"), "re-estimation needs"),
        (lambda: pack(packed, tmp_path / "again.dragoman"), "is packed already"),
        (lambda: dragoman.train([("a", "b")] * 9, packed), "writing to a model needs"),
    ):
        with pytest.raises(ModelError, match=message) as refused:
            wrong()
        assert str(packed) in str(refused.value)


def test_unpacking(trained: Path, packed: Path, tmp_path: Path) -> None:
    place = tmp_path / "again"
    unpack(packed, place)
    wanted = dragoman.Translator.open(trained).translate(SENTENCES)
    assert dragoman.Translator.open(place).translate(SENTENCES) == wanted
    assert ModelDirectory(place).packed
    with pytest.raises(UsageError, match="is there already"):
        unpack(packed, place)
    with pytest.raises(ModelError, match="no pack"):
        unpack(trained / "model.toml", tmp_path / "other")
    with pytest.raises(ModelError, match="tuning needs the directory"):
        run_tuning(place)


def test_a_server_takes_packs(trained: Path, packed: Path) -> None:
    settings = Settings(log=Log(None))
    app = create_app(open_models([packed], threads=1, settings=settings), settings)
    with TestClient(app, base_url="http://localhost") as client:
        assert [one["name"] for one in client.get("/models").json()] == ["shop"]
        said = client.post("/translate", json={"q": SENTENCES[0]}).json()["translatedText"]
        assert said == dragoman.Translator.open(trained).translate(SENTENCES[0])
        assert client.post("/inspect", json={"q": SENTENCES[0]}).status_code == 200
        assert client.post("/models/shop/reload").status_code == 200


def test_from_the_command_line(trained: Path, tmp_path: Path, run) -> None:
    path = tmp_path / "shop.dragoman"
    done = run("pack", trained, "-o", path)
    assert done.returncode == 0, done.stderr
    assert "left out: " in done.stdout
    assert "cannot be tuned" in done.stdout
    lines = tmp_path / "in.en"
    lines.write_text("Where is the station?\n")
    assert run("translate", path, "-i", lines).stdout == (
        run("translate", trained, "-i", lines).stdout
    )
    assert run("inspect", "sentence", path, "good morning").returncode == 0
    assert run("unpack", path, "-o", tmp_path / "model", "-q").returncode == 0
    assert run("unpack", path, "-o", tmp_path / "model").returncode == 2


def remade(packed: Path, change) -> Path:
    """A pack whose list of files and members were changed by a stranger."""
    import tomllib

    import tomli_w

    with zipfile.ZipFile(packed) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    listed = tomllib.loads(members.pop(PACK).decode())
    change(listed, members)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(PACK), sealed(tomli_w.dumps(listed)))
        for name, content in members.items():
            archive.writestr(name, content)
    path = packed.with_name("strange.dragoman")
    path.write_bytes(out.getvalue())
    return path


def outside(listed, members):
    listed["files"]["../evil"] = {"size": 1, "sha256": "0" * 64}
    members["../evil"] = b"x"


def absolute(listed, members):
    listed["files"]["/evil"] = {"size": 1, "sha256": "0" * 64}
    members["/evil"] = b"x"


def bomb(listed, members):
    listed["files"]["zeros"] = {"size": 10**12, "sha256": "0" * 64}
    members["zeros"] = bytes(10)


def more_than_listed(listed, members):
    members["model.toml"] += b"\n" * 1000


def changed(listed, members):
    members["model.toml"] = members["model.toml"][:-1] + b"#"


def unlisted(listed, members):
    listed["files"]["lm/none.bin"] = {"size": 1, "sha256": "0" * 64}


def newer(listed, members):
    listed["format"] = 99


def without_manifest(listed, members):
    del listed["files"]["model.toml"]


def nonsense(listed, members):
    listed["files"] = {"model.toml": "big"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (outside, "no name of a file of a model"),
        (absolute, "no name of a file of a model"),
        (bomb, "would unpack to"),
        (more_than_listed, "unpacks to more than"),
        (changed, "does not match its checksum"),
        (unlisted, "listed and not in it"),
        (newer, "pack format version 99"),
        (without_manifest, "there is no"),
        (nonsense, "its list of files"),
    ],
)
def test_packs_from_strangers(packed: Path, cache: Path, tmp_path: Path, change, message) -> None:
    path = remade(packed, change)
    with pytest.raises(ModelError, match=message) as refused:
        dragoman.Translator.open(path)
    assert str(path) in str(refused.value)
    # Nothing half-written is left, here or elsewhere.
    assert not cache.exists() or list(cache.iterdir()) == []
    assert not (tmp_path / "evil").exists()
    with pytest.raises(DragomanError):
        unpack(path, tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_cut_pack(packed: Path, cache: Path) -> None:
    content = packed.read_bytes()
    for size in (10, 100, len(content) // 2, len(content) - 5):
        packed.write_bytes(content[:size])
        with pytest.raises(DragomanError):
            dragoman.Translator.open(packed).translate("a")
        assert not cache.exists() or list(cache.iterdir()) == []
