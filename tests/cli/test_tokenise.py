"""``dragoman tokenise`` and ``dragoman detokenise``."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.cli.main import app_for
from dragoman.errors import DragomanError


def run(*words: object) -> None:
    arguments = [str(word) for word in words]
    app_for(arguments)(arguments, standalone_mode=False)


def test_there_and_back(tmp_path: Path) -> None:
    text, tokens, again = (tmp_path / name for name in ("text", "tokens", "again"))
    raw = "L'eau\u00a0: « 10:30 »…\n\n  Deux  espaces\t\r\n￭ ␣ fin"
    text.write_bytes(raw.encode())
    run("tokenise", "fr", "-i", text, "-o", tokens)
    assert tokens.read_text("utf-8").splitlines()[0] == ("L' ￭eau ␣00A0 : « 10:30 » ￭…")
    run("detokenise", "-i", tokens, "-o", again)
    assert again.read_bytes() == raw.encode() + b"\n"
    run("tokenise", "fr", "-i", text, "-o", tokens, "--plain")
    assert tokens.read_text("utf-8").splitlines()[0] == "L' eau : « 10:30 » …"


def test_a_file_may_replace_itself(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("Don't!\n", "utf-8")
    run("tokenise", "en", "-i", text, "-o", text)
    assert text.read_text("utf-8") == "Don ￭'t ￭!\n"
    text.write_bytes(b"Oh!\n\xff")
    with pytest.raises(DragomanError, match="not UTF-8"):
        run("tokenise", "en", "-i", text, "-o", text)
    assert text.read_bytes() == b"Oh!\n\xff"


@pytest.mark.parametrize(
    ("arguments", "content", "problem"),
    [
        (["tokenise", "jp"], b"a\n", "did you mean 'ja'"),
        (["tokenise", "en"], b"a\n\xff\n", ":2: not UTF-8"),
        (["tokenise", "en", "--tokeniser", "subword"], b"a\n", "learns from text"),
        (["detokenise"], "a ␣zz b\n".encode(), ":1: '␣zz' stands for no white space"),
        (["detokenise"], "a ␣0041 b\n".encode(), "stands for no white space"),
    ],
)
def test_what_is_refused(
    arguments: list[str], content: bytes, problem: str, tmp_path: Path
) -> None:
    text = tmp_path / "text"
    text.write_bytes(content)
    with pytest.raises(DragomanError) as refused:
        run(*arguments, "-i", text, "-o", tmp_path / "out")
    assert problem in str(refused.value)
