"""Reading links."""

import pytest

from dragoman.errors import FileError
from dragoman.rules.links import read_links
from tests.rules.corpora import make_bitext


def test_order_repetition_and_empty_lines(tmp_path, write):
    bitext, _ = make_bitext(tmp_path, [(["a", "b"], ["c", "d"], set())] * 4)
    links = read_links(write("links", "1-1 0-0 1-1\n\n 0-1\t\r\n1-0 0-1"), bitext)
    assert [links[k].tolist() for k in range(4)] == [
        [[0, 0], [1, 1]],
        [],
        [[0, 1]],
        [[0, 1], [1, 0]],
    ]
    with pytest.raises(IndexError):
        links[4]


def test_no_links_at_all(tmp_path, write):
    bitext, _ = make_bitext(tmp_path, [(["a"], ["c"], set())] * 3)
    links = read_links(write("links", "\n \n\n"), bitext)
    assert len(links) == 3
    assert links.links.shape == (0, 2)
    with pytest.raises(FileError, match="absent"):
        read_links(tmp_path / "absent", bitext)
