"""Files written whole, or straight where there is nothing to replace."""

from __future__ import annotations

import ast
import errno
import inspect
import os
import threading
from pathlib import Path

import pytest

from dragoman import layout
from dragoman.errors import FileError, ModelError
from dragoman.files import is_leftover, number_within, same_file, written_whole
from dragoman.model.directory import ModelDirectory


def test_a_file_is_replaced_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old")
    with pytest.raises(RuntimeError), written_whole(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    with written_whole(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_was_there_stays_when_the_disk_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "out"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os if call == "fsync" else Path, call, fail)
        with pytest.raises(FileError, match="out"), written_whole(path) as temporary:
            temporary.write_text("new")
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "there" / "target")
    for text in ("first", "second"):  # the first time it points to nothing yet
        with written_whole(link) as temporary:
            temporary.write_text(text)
        assert link.is_symlink()
        assert (tmp_path / "there" / "target").read_text() == text


def test_a_pipe_gets_what_is_written(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with written_whole(pipe) as place:
        place.write_text("through the pipe")
    reader.join(timeout=10)
    assert read == ["through the pipe"]
    assert pipe.is_fifo()


def test_an_open_descriptor_gets_what_is_written(tmp_path: Path) -> None:
    read, write = os.pipe()
    try:
        with written_whole(Path(f"/dev/fd/{write}")) as place:
            place.write_text("through the descriptor")
        assert os.read(read, 100) == b"through the descriptor"
    finally:
        os.close(read)
        os.close(write)


def test_a_device_stays_a_device() -> None:
    with written_whole(Path("/dev/null")) as place:
        place.write_text("gone")
    assert Path("/dev/null").is_char_device()


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nowhere"), written_whole(tmp_path / "nowhere" / "x") as t:
        t.write_text("x")


def test_one_file_by_two_names(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert same_file(tmp_path / "a", tmp_path / "b")
    assert not same_file(tmp_path / "a", tmp_path / "c")
    assert not same_file(Path("/dev/null"), Path("/dev/null"))


def test_what_a_killed_run_left_is_recognised_and_goes(tmp_path: Path) -> None:
    assert is_leftover(".model.toml.1234.tmp")
    assert not is_leftover("model.toml")
    assert not is_leftover(".model.toml.tmp")
    left = tmp_path / "model" / ".model.toml.1.tmp"
    left.parent.mkdir()
    left.write_text("")
    directory = ModelDirectory(left.parent)
    with directory.created(), directory.locked():
        assert not left.exists()
    (left.parent / "letter.txt").write_text("")
    with pytest.raises(ModelError, match="letter.txt"), directory.created():
        pass


FAULTS = ["write", "fsync", "replace"]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_disk_that_fails_loses_nothing(tmp_path, monkeypatch, fault):
    """What was there is there, and nothing else."""
    path = tmp_path / "kept"
    path.write_text("old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    with monkeypatch.context() as patch, pytest.raises(FileError, match=r"kept: no room"):
        if fault == "fsync":
            patch.setattr(os, "fsync", fail)
        elif fault == "replace":
            patch.setattr(os, "replace", fail)
        with written_whole(path) as temporary:
            temporary.write_text("new")
            if fault == "write":
                fail()
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("kept", "old")]
    with written_whole(path) as temporary:
        temporary.write_text("new")
    assert path.read_text() == "new"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_device_that_is_full_is_an_error():
    full = Path("/dev/full")
    with pytest.raises(FileError, match="/dev/full: No space left"), written_whole(full) as place:
        place.write_text("x" * 100_000)


def test_data_is_on_the_disk_before_its_name_is(tmp_path, monkeypatch):
    """A rename that overtakes the data it names would leave an empty file after a power cut."""
    done = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (done.append("fsync"), fsync(fd)))
    monkeypatch.setattr(os, "replace", lambda *a: (done.append("replace"), replace(*a)))
    with written_whole(tmp_path / "a") as temporary:
        temporary.write_text("x")
        assert done == []
    assert done == ["fsync", "replace"]


def test_no_name_of_a_file_in_a_model_is_given_twice() -> None:
    """The second would take the place of the first, and a model lose a file that it needs."""
    tree = ast.parse(inspect.getsource(layout))
    names = [one.targets[0].id for one in tree.body if isinstance(one, ast.Assign)]
    assert len(names) == len(set(names)) > 20
    values = [value for name, value in vars(layout).items() if name.isupper()]
    files = [value for value in values if isinstance(value, str)]
    assert len(files) == len(set(files))


@pytest.mark.parametrize(
    "value", [None, True, "1", [1], float("nan"), float("inf"), 10**400, 1.5], ids=lambda _: ""
)
def test_a_number_that_a_file_should_not_have(value: object) -> None:
    with pytest.raises(ValueError, match="is no number|is not between -1 and 1"):
        number_within(value, -1, 1)


def test_a_number_that_a_file_may_have() -> None:
    assert [number_within(value, -1, 1) for value in (-1, 0.5, 1)] == [-1.0, 0.5, 1.0]
