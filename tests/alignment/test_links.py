"""Links: text and files, and their scores."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.alignment import Links, read_gold, score
from dragoman.alignment.score import parse_gold
from dragoman.errors import FileError, InputError

corpora = st.lists(
    st.sets(st.tuples(st.integers(0, 65_535), st.integers(0, 65_535)), max_size=8), max_size=6
)


@given(corpora)
def test_text_and_back(pairs):
    links = Links.of(pairs)
    again = Links.parse(links.to_text().splitlines())
    assert np.array_equal(again.array, links.array)
    assert np.array_equal(again.offsets, links.offsets)
    assert [{tuple(map(int, link)) for link in rows} for rows in links] == pairs


def test_files_and_back(tmp_path):
    links = Links.of([[(0, 0), (1, 2)], [], [(3, 1)]])
    links.save(tmp_path / "links")
    opened = Links.open(tmp_path / "links")
    assert opened.to_text() == "0-0 1-2\n\n3-1\n"
    file = io.StringIO()
    opened.write(file)
    assert file.getvalue() == links.to_text()
    (tmp_path / "text").write_text(links.to_text())
    assert Links.read(tmp_path / "text").to_text() == links.to_text()


def test_slices_and_concatenations():
    links = Links.of([[(0, 0)], [], [(3, 1), (3, 2)], [(1, 1)]])
    assert links.slice(1, 3).to_text() == "\n3-1 3-2\n"
    assert Links.concatenate([links.slice(0, 2), links.slice(2, 4)]).to_text() == links.to_text()
    assert len(Links.concatenate([])) == 0
    with pytest.raises(IndexError):
        links[4]


@pytest.mark.parametrize("bad", ["0-0 1", "0-0 x-1", "0-0 1-70000", "0-0 1?1", "0-0 -1-1"])
def test_bad_lines_are_named(write, bad):
    path = write("bad.links", f"0-0\n\n{bad}\n")
    with pytest.raises(InputError, match=r"bad\.links:3: .*is not a link"):
        Links.read(path)


def test_missing_and_foreign_files(tmp_path, write):
    with pytest.raises(FileError):
        Links.read(tmp_path / "none")
    with pytest.raises(InputError, match="not a Dragoman file"):
        Links.open(write("foreign", "0-0\n" * 100))


def test_links_outside_their_pair_are_found():
    offsets = np.array([0, 2, 3], dtype=np.uint64)
    Links.of([[(1, 1)], [(0, 0)]]).check_against(offsets, offsets)
    with pytest.raises(InputError, match="sentence pair 2: link 0-1 points outside"):
        Links.of([[(1, 1)], [(0, 1)]]).check_against(offsets, offsets)
    with pytest.raises(InputError, match="1 sentence pairs"):
        Links.of([[]]).check_against(offsets, offsets)


def test_scores_by_hand():
    # Och & Ney: A = {0-0, 1-1, 2-0}, S = {0-0, 1-2}, P = S + {1-1}.
    gold = parse_gold(["0-0 1?1 1-2"])
    result = score(Links.of([[(0, 0), (1, 1), (2, 0)]]), gold)
    assert result.precision == pytest.approx(2 / 3)
    assert result.recall == pytest.approx(1 / 2)
    assert result.aer == pytest.approx(1 - (1 + 2) / (3 + 2))


def test_scores_of_nothing():
    result = score(Links.of([[]]), parse_gold([""]))
    assert (result.precision, result.recall, result.aer) == (1, 1, 0)


def test_bad_gold_is_named(write):
    with pytest.raises(InputError, match=r"gold:2: '1~2'"):
        read_gold(write("gold", "0-0\n1~2\n"))
    with pytest.raises(InputError, match="2 sentence pairs are aligned, but 1"):
        score(Links.of([[], []]), parse_gold([""]))
