"""The averaged perceptron (Collins 2002), in batches.

Whoever calls it finds the violations: for paper 003 they are those of the latent-variable
max-violation perceptron (Huang et al. 2012; Yu et al. 2013), whose updates are differences of
features between the best derivation of the reference and the best translation, up to the step
where the two differ most. The updates of a batch are found with the same weights and then added
together (Zhao & Huang 2013), so they can be found in parallel and the result is the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


class AveragedPerceptron:
    """Weights on their way, and their average, which is what to use."""

    def __init__(
        self,
        start: Vector,
        *,
        rate: float = 1.0,
        fixed: NDArray[np.bool_] | None = None,
        lowest: Vector | None = None,
    ) -> None:
        """`fixed`: which weights stay as they are; `lowest`: what none falls below."""
        self.weights = np.array(start, dtype=np.float64)
        self._rate = rate
        self._fixed = fixed
        self._lowest = lowest
        self._sum = np.zeros_like(self.weights)
        self._steps = 0

    def move(self, difference: Vector) -> None:
        """Add the update of one batch; zeros count as a step, too."""
        step = self._rate * difference
        if self._fixed is not None:
            step[self._fixed] = 0.0
        self.weights = self.weights + step
        if self._lowest is not None:
            self.weights = np.maximum(self.weights, self._lowest)
        self._sum += self.weights
        self._steps += 1

    @property
    def average(self) -> Vector:
        """The mean of the weights after each step; the start when there was none."""
        mean: Vector = self._sum / self._steps if self._steps else self.weights.copy()
        return mean
