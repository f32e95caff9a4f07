"""The model directory: what it says of itself, and what it refuses."""

import pytest

from dragoman.errors import ModelError
from dragoman.layout import BILINGUAL_MODEL, MANIFEST, PHRASES
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


@pytest.mark.parametrize(
    ("outputs", "bilingual"),
    [
        ([PHRASES, BILINGUAL_MODEL], True),
        ([PHRASES], False),  # left of an earlier training, with other parameters
        ([], True),  # nobody has written down where its files are from
    ],
)
def test_a_bilingual_model_of_an_earlier_training_is_none_of_this_one(
    write, tmp_path, outputs, bilingual
):
    (tmp_path / "lm").mkdir()
    write(BILINGUAL_MODEL, "")
    written = "".join(f'"{name}" = "hash"\n' for name in outputs)
    tables = "".join(f"[stages.rules.{name}]\n" for name in ("parameters", "inputs", "outputs"))
    write(MANIFEST, f"format = 1\n{tables}{written}")
    assert ModelDirectory(tmp_path).shape.bilingual == bilingual
