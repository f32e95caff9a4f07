"""The way of joint training: its iterations, the best of them, and when it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.learning.joint.config import JointConfig


@dataclass(frozen=True)
class Iteration:
    """One round, and the score its model reached on the dev set."""

    number: int
    pairs: int
    empty: int  # pairs with an empty side
    reachable: int  # pairs of which forced decoding found a derivation
    rules: int  # with counts, null rules left out
    written: int  # in the table
    learnable: int  # pairs that the perceptron had a derivation of
    correct: int  # pairs that real decoding translated as their reference says
    violations: int
    score: float
    weights: list[float]
    learnt: list[float]  # the perceptron's last weights, in its own scale

    @property
    def reachability(self) -> float:
        """The share of pairs that could be derived."""
        return self.reachable / self.pairs if self.pairs else 0.0


@dataclass(frozen=True)
class JointResult:
    """The best model seen, and the way there."""

    features: list[str]
    weights: NDArray[np.float64]
    table: Path
    iterations: list[Iteration]
    best: int  # number of an iteration
    reason: str  # why it ended


def describe(entry: Iteration, metric: str) -> str:
    """One line of the learning curve."""
    return (
        f"iteration {entry.number}: {entry.reachability:.1%} reachable, {entry.rules:,} rules "
        f"({entry.written:,} in the table), weights from {entry.learnable:,} pairs, "
        f"{metric} {entry.score:.2f} on the dev set"
    )


def best_of(history: Sequence[Iteration]) -> Iteration:
    """The one whose model is kept."""
    return max(history, key=lambda entry: entry.score)


def reason_to_stop(history: Sequence[Iteration], config: JointConfig) -> str:
    """Empty when the loop should go on."""
    if not history:
        return ""
    if history[-1].number - best_of(history).number >= config.patience:
        return f"no better for {config.patience} iterations"
    if len(history) >= config.max_iterations:
        return f"{config.max_iterations} iterations done"
    return ""
