"""Files that are there whole or not at all."""

import pytest

from dragoman.files import written_whole


def test_written_whole_leaves_the_old_file_on_failure(tmp_path):
    path = tmp_path / "f"
    path.write_text("old")
    with pytest.raises(RuntimeError), written_whole(path) as temporary:
        temporary.write_text("new")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
