import math

import numpy as np
import pytest

from dragoman.errors import FileError, InputError, ModelError
from dragoman.model.weights import (
    default_weights,
    from_mapping,
    load_weights,
    lowest_weights,
    normalised,
    save_weights,
)

NAMES = ["tm.fwd", "lm", "words", "phrases", "distortion", "unknown", "reorder.word.forward.swap"]


def test_scale():
    weights = normalised(NAMES, np.array([1.0, 2.0, -1.0, 0.0, 0.0, -100.0, 8.0]))
    assert weights.tolist() == [0.25, 0.5, -0.25, 0.0, 0.0, -25.0, 2.0]


def test_defaults_are_in_scale():
    weights = dict(zip(NAMES, default_weights(NAMES), strict=True))
    assert sum(abs(weights[name]) for name in NAMES[:5]) == pytest.approx(1)
    assert weights["unknown"] < -10


def test_probabilities_have_bounds_and_counts_have_none():
    bounds = dict(zip(NAMES, lowest_weights(NAMES), strict=True))
    assert [name for name, bound in bounds.items() if bound == 0] == [
        "tm.fwd",
        "lm",
        "distortion",
        "reorder.word.forward.swap",
    ]
    assert bounds["words"] == bounds["phrases"] == bounds["unknown"] == -math.inf


def test_weights_survive_a_file(tmp_path):
    path = tmp_path / "weights.toml"
    weights = default_weights(NAMES)
    save_weights(path, NAMES, weights)
    assert load_weights(path, NAMES) == pytest.approx(weights)
    path.write_text("lm = 1\n[tm]\nfwd = 2\n")
    assert load_weights(path, NAMES) == [2, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"lmm": 1.0}, "did you mean 'lm'"),
        ({"lm": math.nan}, "must be finite"),
        ({"lm": math.inf}, "must be finite"),
        ({"lm": "much"}, "must be a number"),
        ({"lm": True}, "must be a number"),
    ],
)
def test_bad_weights(values, message):
    with pytest.raises(InputError, match=message):
        from_mapping(NAMES, values, "here")


def test_bad_files(tmp_path):
    with pytest.raises(FileError):
        load_weights(tmp_path / "none.toml", NAMES)
    (tmp_path / "bad.toml").write_text("lm = = 3")
    with pytest.raises(ModelError, match="not valid TOML"):
        load_weights(tmp_path / "bad.toml", NAMES)
    with pytest.raises(InputError, match="zero"):
        normalised(NAMES, np.zeros(len(NAMES)))
    with pytest.raises(InputError, match="finite"):
        normalised(NAMES, np.full(len(NAMES), math.nan))
