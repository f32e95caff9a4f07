"""The model directory: what it says of itself, and what it refuses."""

import pytest

from dragoman.errors import ModelError
from dragoman.layout import MANIFEST
from dragoman.model.directory import ModelDirectory


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = 999\n[stages]\n", "model format version 999"),
        ("[stages]\n", "model format version None"),
        ("format = 1\nstages = 3\n", "damaged"),
        ("format = 1\n[stages.first]\nparameters = 1\n", "damaged"),
        ("format = 1\n[[[", "damaged"),
    ],
)
def test_a_foreign_or_damaged_manifest_says_so(write, tmp_path, text, message):
    write(MANIFEST, text)
    with pytest.raises(ModelError, match=message):
        _ = ModelDirectory(tmp_path).manifest
