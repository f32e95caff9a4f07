"""Is one system better than another, or was it luck?

Both tests work on the sentence statistics of :mod:`dragoman.evaluation.metrics` and give the
same answer for the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dragoman.errors import InputError
from dragoman.evaluation.metric import Metric, Rows


@dataclass(frozen=True)
class Comparison:
    """A system against a baseline."""

    baseline: float
    system: float
    # Two-sided p-value of approximate randomisation (Riezler & Maxwell 2005).
    p_randomisation: float
    # Share of resampled test sets on which the system does not win (Koehn 2004), the one that
    # was seen counted with them: as few trials as one likes never say that luck is impossible.
    p_bootstrap: float
    # 95 % of the resampled differences lie here.
    interval: tuple[float, float]


def compare(
    metric: Metric, baseline: Rows, system: Rows, *, trials: int = 1000, seed: int = 1
) -> Comparison:
    """Compare the statistics of two systems on the same sentences."""
    if baseline.shape != system.shape:
        raise InputError(
            f"the baseline has {len(baseline):,} sentences and the system {len(system):,}"
        )
    if trials < 1:
        raise InputError("a significance test needs at least one trial")
    scores = metric.score(baseline.sum(axis=0)), metric.score(system.sum(axis=0))
    sign = 1 if metric.higher_is_better else -1
    differences = _bootstrap(metric, baseline, system, trials, seed)
    low, high = np.quantile(differences, (0.025, 0.975))
    return Comparison(
        baseline=scores[0],
        system=scores[1],
        p_randomisation=_randomisation(metric, baseline, system, trials, seed),
        p_bootstrap=float(np.sum(sign * differences <= 0) + 1) / (trials + 1),
        interval=(float(low), float(high)),
    )


def _bootstrap(
    metric: Metric, baseline: Rows, system: Rows, trials: int, seed: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Differences of score on test sets drawn with replacement."""
    random = np.random.default_rng([seed, 0])
    differences = np.empty(trials)
    for trial in range(trials):
        drawn = random.integers(len(baseline), size=len(baseline))
        differences[trial] = metric.score(system[drawn].sum(axis=0)) - metric.score(
            baseline[drawn].sum(axis=0)
        )
    return differences


def _randomisation(metric: Metric, baseline: Rows, system: Rows, trials: int, seed: int) -> float:
    """How often exchanging the systems' outputs at random separates them at least as far."""
    random = np.random.default_rng([seed, 1])
    observed = abs(metric.score(system.sum(axis=0)) - metric.score(baseline.sum(axis=0)))
    total = system.sum(axis=0) + baseline.sum(axis=0)
    as_far = 0
    for _ in range(trials):
        swap = random.random(len(baseline)) < 0.5
        first = np.where(swap[:, None], baseline, system).sum(axis=0)
        difference = abs(metric.score(first) - metric.score(total - first))
        # Sums in another order may differ in the last bit.
        as_far += difference >= observed - 1e-12
    return (as_far + 1) / (trials + 1)
