"""Weights by feature name: defaults, the scale they are kept in, and their file.

Pruning thresholds are differences of model scores, so they mean something only in a fixed scale.
Weights are kept so that the absolute values of all but ``unknown``, ``unknown.*``, ``context.*``
and ``reorder.*`` add up to 1.
These are scaled along and not counted: ``unknown`` is no more than "never, if it can be helped",
and with the reordering features or those of a context counted, a threshold would mean something
else in a model that has them than in one that has not.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from dragoman.errors import InputError, ModelError
from dragoman.files import read_toml, written_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# NumPy takes longer to load than a line to translate, so only those who compute with weights do.
Vector: TypeAlias = "NDArray[np.float64]"

UNKNOWN = "unknown"
# Before tuning: what Moses starts from.
_DEFAULTS = {
    "words": 1.0,
    "phrases": 0.2,
    "distortion": 0.3,
    "rules": 0.2,
    "glue": 0.3,
    UNKNOWN: -100.0,
}
_COUNTS = frozenset({"words", "phrases", "rules", "glue", UNKNOWN})
_LANGUAGE_MODEL = 0.5
# The one over classes says much that the one over words has said.
_CLASS_MODEL = 0.1
_REORDERING = 0.3
_TABLE = 0.2
# Words never seen, by the source that translates them; none is preferred before tuning.
_SOURCES = "unknown."
_SOURCE = 0.0
# The scale does not count these, nor what is not known at all.
_SCALED_ALONG = ("reorder.", "context.", _SOURCES)


def default_weights(features: Sequence[str]) -> Vector:
    """Reasonable weights for a model that has not been tuned."""
    import numpy as np

    return np.array(default_values(features))


def default_values(features: Sequence[str]) -> list[float]:
    """The same as a list."""
    values = [_default(name) for name in features]
    total = _total(features, values)
    return [value / total for value in values]


def _default(name: str) -> float:
    if name in _DEFAULTS:
        return _DEFAULTS[name]
    if name.startswith(_SOURCES):
        return _SOURCE
    if name == "lm.classes":
        return _CLASS_MODEL
    if name == "lm" or name.startswith("lm.") or name == "bilm":
        return _LANGUAGE_MODEL
    return _REORDERING if name.startswith("reorder.") else _TABLE


def lowest_weights(features: Sequence[str]) -> Vector:
    """Below which no weight makes sense: zero for what can only count for a translation, as
    probabilities and short jumps do, and no bound for what merely counts words or rules."""
    import numpy as np

    return np.array(
        [-math.inf if name in _COUNTS or name.startswith(_SOURCES) else 0.0 for name in features]
    )


def normalised(features: Sequence[str], weights: Vector) -> Vector:
    """The weights in the scale in which they are kept; they must not all be zero."""
    import numpy as np

    scaled: Vector = np.asarray(weights, dtype=np.float64) / _total(features, weights)
    return scaled


def _total(features: Sequence[str], weights: Iterable[float]) -> float:
    """What the weights that the scale counts add up to."""
    total: float = sum(
        abs(value)
        for name, value in zip(features, weights, strict=True)
        if name != UNKNOWN and not name.startswith(_SCALED_ALONG)
    )
    if not math.isfinite(total):
        raise InputError("weights must be finite numbers")
    if total == 0:
        raise InputError("all weights but those of unknown words, reordering and context are zero")
    return total


def from_mapping(features: Sequence[str], values: Mapping[str, float], where: str) -> list[float]:
    """One weight for each feature; missing ones are zero, others than the model's are errors."""
    for name in values:
        if name not in features:
            nearest = difflib.get_close_matches(name, features, n=1)
            guess = f"; did you mean {nearest[0]!r}?" if nearest else ""
            raise InputError(f"{where}: the model has no feature {name!r}{guess}")
    _check_numbers(values, where)
    return [float(values.get(name, 0.0)) for name in features]


def load_weights(path: str | Path, features: Sequence[str]) -> list[float]:
    """Read the weights of these features from a TOML file of them."""
    return from_mapping(features, read_weights(path), str(path))


def read_weights(path: str | Path) -> dict[str, float]:
    """The content of a TOML file that has one ``name = value`` for each feature."""
    flat = _flat(read_toml(Path(path)))
    if not flat:
        raise ModelError(f"{path}: holds no weights")
    _check_numbers(flat, str(path))
    return {name: float(value) for name, value in flat.items()}


def _check_numbers(values: Mapping[str, object], where: str) -> None:
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"{where}: the weight of {name!r} must be a number, not {value!r}")
        if not math.isfinite(value):
            raise InputError(f"{where}: the weight of {name!r} is {value}; it must be finite")


def save_weights(path: str | Path, features: Sequence[str], weights: Vector) -> None:
    """Write weights, normalised."""
    import tomli_w

    kept = normalised(features, weights)
    content = {name: float(value) for name, value in zip(features, kept, strict=True)}
    with written_whole(Path(path)) as temporary:
        temporary.write_text(tomli_w.dumps(content), "utf-8")


def _flat(content: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """TOML reads ``tm.fwd = 1`` as a table in a table; ``"tm.fwd" = 1`` as we write it."""
    flat: dict[str, Any] = {}
    for key, value in content.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat
