"""Texts counted part by part give the model of the whole."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from tests.travelling import Travelling

from dragoman._core import EstimateOptions, LmEstimator
from dragoman.corpus.bitext import BitextFiles, write_bitext
from dragoman.errors import InputError
from dragoman.lm.estimate import Settings, estimate_from_lines, estimate_from_texts
from dragoman.lm.texts import StreamText, bitext_texts, spooled


def noise(seed: int, size: int) -> list[str]:
    chance = random.Random(seed)
    return [
        " ".join(f"w{min(chance.randrange(300), chance.randrange(300))}" for _ in range(length))
        for length in (chance.randrange(15) for _ in range(size))
    ]


def in_parts(lines: list[str], place: Path, path: Path, settings: Settings) -> list[str]:
    place.mkdir()
    parts = spooled([StreamText.of_lines(lines, "text")], place)
    assert len(parts) > 3
    crew = Travelling()
    estimate_from_texts([*parts], path, settings, crew=crew, place=place)
    assert {file.name.split(".")[0] for file in place.iterdir()} == {"text"}
    return crew.done


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        # Cut at 4 bytes or more, behind a line.
        ([b"a\nbb", b"b\nc", b"\n"], [(5, b"a\n"), (6, b"bbb\n"), (7, b"c\n")]),
        ([b"a\nb\nc\n"], [(5, b"a\nb\nc\n")]),
        ([b"aaa", b"\n"], [(5, b"aaa\n")]),
        ([b"aaaaa", b"a\nb"], [(5, b"aaaaa"), (5, b"a\nb")]),  # longer than a part may be
        ([], []),
    ],
)
def test_texts_are_cut_between_lines(tmp_path, monkeypatch, pieces, expected):
    monkeypatch.setattr("dragoman.lm.texts.SPOOLED", 4)
    parts = spooled([StreamText("text", pieces, 5)], tmp_path)
    assert [(one.lines_before, b"".join(one.pieces())) for one in parts] == expected
    assert {one.name for one in parts} <= {"text"}


@pytest.mark.parametrize("memory", [None, 50_000])
@pytest.mark.parametrize(("order", "prune"), [(1, (0,)), (3, (0, 0, 1)), (5, (0,))])
def test_the_same_model(tmp_path, monkeypatch, order, prune, memory):
    monkeypatch.setattr("dragoman.lm.texts.SPOOLED", 5_000)
    monkeypatch.setattr("dragoman.lm.texts._PIECE", 700)
    monkeypatch.setattr("dragoman.lm.texts._BATCH", 20)
    lines = noise(1, 2000)
    lines[5] = "<s> begins </s>"
    whole = estimate_from_lines(lines, tmp_path / "whole", order=order, prune=prune)
    settings = Settings(order, prune, memory=memory, spool=tmp_path)
    done = in_parts(lines, tmp_path / "place", tmp_path / "parts", settings)
    assert done.count("collect_words") == done.count("count_ngrams") > 3
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    assert whole.skipped == 2


def test_the_target_side_of_a_bitext(tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.lm.texts.SENTENCES", 90)
    lines = noise(2, 500)
    files = BitextFiles(*(tmp_path / name for name in ("bitext", "source", "target")))
    write_bitext(((line, line) for line in lines), *vars(files).values())
    estimate_from_lines(lines, tmp_path / "whole")
    texts = bitext_texts(files, "bitext")
    assert [(text.begin, text.end) for text in texts][-1] == (450, 500)
    for crew in (None, Travelling()):
        place = tmp_path / "place"
        place.mkdir(exist_ok=True)
        estimate_from_texts([*texts], tmp_path / "lm", Settings(), crew=crew, place=place)
        assert (tmp_path / "lm").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_bad_line_is_found_where_it_stands(tmp_path, monkeypatch, end):
    monkeypatch.setattr("dragoman.lm.texts.SPOOLED", 40)
    good = b"a b c d e f\n" * 50
    streams = [io.BytesIO(good), io.BytesIO(good + b"\xff" + end)]
    texts = spooled([StreamText.of_stream(stream) for stream in streams], tmp_path)
    assert b"".join(b"".join(text.pieces()) for text in texts) == 2 * good + b"\xff" + end
    with pytest.raises(InputError, match="^text:51: not UTF-8"):
        estimate_from_texts(
            [*texts], tmp_path / "lm", Settings(), crew=Travelling(), place=tmp_path
        )


def test_what_is_no_part(tmp_path):
    place = {"spool": str(tmp_path)}
    first, other = (LmEstimator(EstimateOptions(order=order, **place)) for order in (2, 3))
    first.begin_file("text")
    first.add(b"a b c\n")
    first.end_file()
    path = str(tmp_path / "counts")
    first.put_away(path)
    with pytest.raises(InputError, match="counts: not from this work"):
        other.take_up(path)
    with pytest.raises(InputError, match="counts"):
        other.take_up_words(path)
