"""Lines of input in batches."""

import os
import time
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.translation.lines import PIECE, line_batches


@pytest.fixture
def pipe():
    """Both ends, the reading one as an open file."""
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as source:
        yield source, writer


def test_what_is_there_is_a_batch(pipe):
    source, writer = pipe
    batches = line_batches(source, 3)
    os.write(writer, b"a\nb\nunfini")
    begun = time.perf_counter()
    assert next(batches) == [b"a\n", b"b\n"]
    assert time.perf_counter() - begun < 0.5  # nobody waits for more to come
    os.write(writer, b"shed\n1\n2\n3\n")
    assert next(batches) == [b"unfinished\n", b"1\n", b"2\n"]
    assert next(batches) == [b"3\n"]
    os.write(writer, b"last")
    os.close(writer)
    assert list(batches) == [[b"last"]]


def test_a_line_longer_than_a_piece(pipe):
    source, writer = pipe
    batches = line_batches(source, 3)
    line = b"x" * (PIECE - 1) + b"\n"
    os.write(writer, line)
    assert next(batches) == [line]
    os.close(writer)
    assert list(batches) == []


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text("ab\n\r\x0c", min_size=1).map(str.encode), max_size=6), st.integers(1, 4))
def test_a_pipe_gives_the_lines_of_a_file(pieces, size):
    text = b"".join(pieces)
    expected = list(BytesIO(text))
    assert [line for batch in line_batches(BytesIO(text), size) for line in batch] == expected
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as source:
        for piece in pieces:
            os.write(writer, piece)
        os.close(writer)
        batches = list(line_batches(source, size))
    assert [line for batch in batches for line in batch] == expected
    assert all(1 <= len(batch) <= size for batch in batches)


def test_regular_files_give_full_batches(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a line\n" * (PIECE + 1))
    with path.open("rb") as source:
        sizes = [len(batch) for batch in line_batches(source, 1 << 15)]
    assert sizes == [1 << 15, 1 << 15, 1]
