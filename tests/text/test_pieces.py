"""Tokenisers that learn how to cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import FileError, InputError, UsageError
from dragoman.text.marked import plain_tokeniser
from dragoman.text.tokenise import Pieces, joined_word, make_tokeniser, whole_words

THAI = ["แมวกินปลา", "หมากินข้าว", "แมวกินข้าว", "หมาเห็นแมว", "แมวเห็นปลา", "คนกินปลา", "คนเห็นหมา"]
ENGLISH = ["unhappy", "happy", "unkind", "kind", "kindness", "happiness", "unkindness", "sadness"]


def learnt(words: list[str], place: Path, size: int) -> Path:
    path = place / "pieces.model"
    path.write_bytes(Pieces.learn(words * 30, size).model)
    return path


def test_scripts_without_spaces_are_cut(tmp_path: Path) -> None:
    tokeniser = make_tokeniser("segmenter", "th", learnt(THAI, tmp_path, 40))
    cut = tokeniser.cut("แมวกินข้าว 5 ตัว, OK?")
    assert cut.text == "แมวกินข้าว 5 ตัว, OK?"
    assert cut.tokens[-4:] == [*cut.tokens[-4:-3], ",", "OK", "?"]
    assert len(cut.tokens) > 7


def test_words_are_cut_and_whole_again(tmp_path: Path) -> None:
    tokeniser = make_tokeniser("subword", "en", learnt(ENGLISH, tmp_path, 30))
    cut = tokeniser.cut("Such unhappiness, 12 times!")
    assert any(token.startswith("￭") for token in cut.tokens)
    words = [joined_word(cut.tokens[begin:end]) for begin, end in whole_words(cut.tokens)]
    assert words == ["Such", "unhappiness", ",", "12", "times", "!"]


def test_the_same_text_gives_the_same_pieces() -> None:
    assert Pieces.learn(THAI * 30, 40).model == Pieces.learn(THAI * 30, 40).model


def test_what_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="too little text"):
        Pieces.learn([], 100)
    with pytest.raises(UsageError, match="learns from text"):
        plain_tokeniser("subword", "en")
    with pytest.raises(FileError, match="gone.model: No such file"):
        Pieces.load(tmp_path / "gone.model")
