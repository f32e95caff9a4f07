"""Several language models as one, with weights that suit a held-out text.

The weights are found by expectation maximisation (Jelinek and Mercer 1980) on the probabilities
that each model gives to the words of the held-out text; the likelihood has a single maximum, so
the start does not matter. The result is an ordinary model with the n-grams of all.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import Mixture
from dragoman.errors import InputError, UsageError
from dragoman.files import require_place, written_whole
from dragoman.lm.memory import physical_memory
from dragoman.lm.query import LanguageModel, Perplexity
from dragoman.progress import SILENT, Progress

_ITERATIONS = 1000
_TOLERANCE = 1e-7


@dataclass(frozen=True)
class Mix:
    """A mixture that was made."""

    path: Path
    weights: tuple[float, ...]
    # On the held-out text, unknown words included; each model over the words of all of them.
    perplexities: tuple[float, ...]
    # Of the model that was written.
    perplexity: Perplexity


def mix(
    models: Sequence[LanguageModel],
    heldout: Sequence[str],
    output: str | Path,
    *,
    weights: Sequence[float] | None = None,
    memory: int | None = None,
    spool: str | Path | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Mix:
    """Mix models with the weights that suit `heldout` best, or with `weights`.

    Where lists of all n-grams would take more than `memory` bytes (default: half of what the
    machine has), they go through unnamed files in `spool`; the model is the same.
    """
    output = Path(output)
    require_place(output)
    memory = memory if memory is not None else physical_memory() // 2
    if memory < 1:
        raise UsageError(f"memory must be positive, not {memory}")
    if len(models) < 2:
        raise UsageError("a mixture needs at least two models")
    if not heldout:
        raise InputError("the held-out text is empty; it decides on the weights")
    mixture = Mixture([model.native for model in models])
    log_probs = mixture.word_log_probs(list(heldout), threads).reshape(len(models), -1)
    chosen = best_weights(log_probs) if weights is None else _normalised(weights, len(models))
    with progress.task("mixing", unit="models"), written_whole(output) as temporary:
        mixture.write(
            chosen.tolist(),
            str(temporary),
            threads=threads,
            memory=memory,
            spool=str(spool) if spool is not None else tempfile.gettempdir(),
        )
    return Mix(
        path=output,
        weights=tuple(chosen.tolist()),
        perplexities=tuple(np.exp(-log_probs.mean(axis=1)).tolist()),
        perplexity=LanguageModel.open(output).perplexity(heldout, threads=threads),
    )


def best_weights(log_probs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights that make the words likeliest; a row of `log_probs` per model."""
    # Only ratios within a word matter; shifted, nothing underflows for all models at once.
    probs = np.exp(log_probs - log_probs.max(axis=0))
    weights = np.full(len(probs), 1 / len(probs))
    for _ in range(_ITERATIONS):
        shares = weights[:, None] * probs
        new: NDArray[np.float64] = (shares / shares.sum(axis=0)).mean(axis=1)
        if np.abs(new - weights).max() < _TOLERANCE:
            return new
        weights = new
    return weights


def _normalised(weights: Sequence[float], models: int) -> NDArray[np.float64]:
    values = np.asarray(weights, dtype=np.float64)
    if len(values) != models:
        raise UsageError(f"{len(values)} weights for {models} models")
    if not np.isfinite(values).all() or (values < 0).any() or values.sum() <= 0:
        raise UsageError(f"weights must be positive, not {list(weights)}")
    normalised: NDArray[np.float64] = values / values.sum()
    return normalised
