"""Files of a model that say what no training has said, with checksums that fit: refused by name,
and not found out by a crash in the middle of a sentence."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.doors.conftest import model_of  # noqa: F401

from dragoman.errors import ModelError
from dragoman.files import sealed, sha256
from dragoman.translation.translator import Translator

pytestmark = pytest.mark.slow

SURE, WRITING, CASE = "confidence.json", "corpus/writing.json", "corpus/truecase.source.json"
UNKNOWN = "unknown/sources.json"


@pytest.fixture(scope="module")
def forge(
    model_of: Callable[[str], Path],  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str, bytes], Path]:
    """A copy of a model in which one file has another content and the manifest vouches for it."""
    model = model_of("phrase")
    copy = tmp_path_factory.mktemp("forged") / "model"
    shutil.copytree(model, copy, copy_function=os.link)

    def make(name: str, content: bytes) -> Path:
        for other in (SURE, WRITING, CASE, UNKNOWN):
            (copy / other).unlink()
            os.link(model / other, copy / other)
        for path in (copy / name, copy / "model.toml"):
            path.unlink()
        (copy / name).write_bytes(content)
        manifest = (model / "model.toml").read_text("utf-8").partition("\n")[2]
        digests = sha256(model / name), sha256(copy / name)
        (copy / "model.toml").write_text(sealed(manifest.replace(*digests)), "utf-8")
        return copy

    return make


def used(model: Path) -> None:
    """All that a model says of one sentence, with a name that nobody knows."""
    translator = Translator.open(model)
    translator.translate_sentence("Good morning, Mr. Zxqw! HELLO").told_confidence()
    translator.suggest("Where is the station?", "l")
    list(translator.forms.of("stations"))


@pytest.mark.parametrize("name", [SURE, WRITING, CASE, UNKNOWN])
def test_what_is_only_written_otherwise_is_taken(
    forge: Callable[[str, bytes], Path],
    model_of: Callable[[str], Path],  # noqa: F811
    name: str,
) -> None:
    content = json.loads((model_of("phrase") / name).read_text("utf-8"))
    used(forge(name, json.dumps(content, indent=3).encode()))


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        (SURE, (), "x"),
        (SURE, ("weights", 0), ""),
        (SURE, ("weights", 2), []),
        (SURE, ("weights", 4), 10**30),
        (SURE, ("weights", 1), float("nan")),
        (SURE, ("weights",), [0, 1, 0, 0]),
        (SURE, ("scale",), "a b"),
        (SURE, ("scale",), float("inf")),
        (SURE, ("scale",), -1),
        (SURE, ("scale",), True),
        (SURE, ("curve",), [{"count": 1}]),
        (WRITING, ("case",), 0),
        (WRITING, ("case", "copies"), ["a"]),
        (WRITING, ("case", "titles"), 1.5),
        (WRITING, ("spacing", "kinds", "letter"), {" ": 1}),
        (WRITING, ("spacing", "kinds", "letter letter"), {" ": float("inf")}),
        (WRITING, ("spacing", "kinds", "letter letter"), {" ": -1}),
        (WRITING, ("spacing", "pair", "  "), {" ": 1}),
        (CASE, ("hello",), ""),
        (CASE, ("hello",), "Hel lo"),
        (CASE, ("hello",), None),
        (UNKNOWN, ("version",), None),
        (UNKNOWN, ("forms", "shortest"), float("inf")),
        (UNKNOWN, ("forms", "endings"), 1),
    ],
)
def test_odd_values_are_refused(
    forge: Callable[[str, bytes], Path],
    model_of: Callable[[str], Path],  # noqa: F811
    name: str,
    place: tuple[str | int, ...],
    value: Any,
) -> None:
    content = json.loads((model_of("phrase") / name).read_text("utf-8"))
    if place:
        inner = content
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
    else:
        content = value
    model = forge(name, json.dumps(content).encode())
    with pytest.raises(ModelError) as refusal:
        used(model)
    assert str(model / name) in str(refusal.value)


@pytest.mark.parametrize("name", [SURE, WRITING, CASE, UNKNOWN])
@pytest.mark.parametrize("content", [b"[" * 100_000, b"", b"\xff", b"1" * 5000], ids=len)
def test_what_is_no_json_is_refused(
    forge: Callable[[str, bytes], Path], name: str, content: bytes
) -> None:
    model = forge(name, content)
    with pytest.raises(ModelError) as refusal:
        used(model)
    assert str(model / name) in str(refusal.value)
