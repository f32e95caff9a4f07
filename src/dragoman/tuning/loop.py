"""Tuning: decode the dev set, add its n-best lists to the pool, optimise, repeat."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import InputError
from dragoman.evaluation.metric import Metric
from dragoman.files import written_whole
from dragoman.progress import SILENT, Progress
from dragoman.tuning.length import fit_length
from dragoman.tuning.pool import Candidates, NbestLists, Pool

Vector = NDArray[np.float64]
_ROUND = "round-{}.npz"  # what is found again after an interruption
# Translate the dev set with these weights: an n-best list for each sentence, best first.
Decode = Callable[[Vector], NbestLists]
Method = Literal["mira", "mert", "pro", "perceptron"]


class Optimiser(Protocol):
    """Finds weights that rank the candidates well."""

    def optimise(
        self, candidates: Candidates, weights: Vector, metric: Metric, seed: int
    ) -> Vector: ...


def make_optimiser(method: Method, threads: int = 1, lowest: Vector | None = None) -> Optimiser:
    """The optimiser of that name, with its usual parameters; MIRA and the perceptron let no
    weight fall below its `lowest`."""
    match method:
        case "mira":
            from dragoman.tuning.mira import Mira

            return Mira(lowest=lowest)
        case "perceptron":
            from dragoman.tuning.mira import Mira

            return Mira(lowest=lowest, margin=False, aggressiveness=0.001)
        case "mert":
            from dragoman.tuning.mert import Mert

            return Mert(threads=threads)
        case "pro":
            from dragoman.tuning.pro import Pro

            return Pro()


@dataclass(frozen=True)
class Iteration:
    """One round: the score the decoder reached with these weights."""

    number: int
    score: float
    new_candidates: int
    weights: list[float]


@dataclass(frozen=True)
class TuningResult:
    """The best weights seen, and the way there."""

    weights: Vector
    score: float
    iterations: list[Iteration]
    reason: str  # why it ended


def tune(
    decode: Decode,
    references: Sequence[Sequence[str]],
    start: Vector,
    metric: Metric,
    optimiser: Optimiser,
    *,
    max_iterations: int = 12,
    patience: int = 3,
    seed: int = 1,
    examples: int = 0,
    length: int | None = None,
    resume: Path | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> TuningResult:
    """Tune weights on a dev set.

    Ends when the search finds nothing new twice running, when the best score is `patience` rounds
    old and these have not risen one by one, or after `max_iterations`. Returns the weights of the
    best round, so the result is never worse on the dev set than the start. The last `examples`
    sentences are learnt from, but do not count in the score. `length` is the number of the feature
    that decides how long translations are. With `resume`, a directory, each round is saved there
    and a later call with the same arguments goes on behind it.
    """
    if not np.isfinite(start).all():
        raise InputError("the starting weights are not all numbers")
    sign = 1 if metric.higher_is_better else -1
    pool = Pool(metric, references, threads)
    history = _load(resume, pool)
    weights = np.array(history[-1].weights) if history else start
    with progress.task("tuning", total=max_iterations, unit="rounds") as task:
        task.advance(len(history))
        # What is decided here depends on the history alone, so that an interruption, wherever
        # it falls, changes nothing.
        while not (reason := _reason_to_stop(history, sign, max_iterations, patience)):
            number = len(history) + 1
            if history:
                candidates = pool.candidates()
                weights = optimiser.optimise(
                    candidates, weights, metric, seed + history[-1].number
                )
                # The lists of the first weights alone do not show what other lengths are worth.
                if len(history) > 1:
                    weights = fit_length(candidates, weights, metric, length)
            if not np.isfinite(weights).all():
                reason = "the optimiser lost its way; the best weights so far are kept"
                break
            nbest = decode(weights)
            new = pool.add(nbest)
            if number == 1 and new == 0:
                raise InputError("the search found no translation of any dev sentence")
            score = metric.score(pool.total(nbest.first_texts()[: len(pool) - examples]))
            history.append(Iteration(number, score, new, weights.tolist()))
            task.advance()
            task.note(f"{metric.name} {score:.2f}")
            progress.message(
                f"round {number}: {metric.name} {score:.2f} on the dev set, "
                f"{new:,} new translations"
            )
            _save(resume, pool, history)
    best = max(history, key=lambda entry: sign * entry.score)
    return TuningResult(np.array(best.weights), best.score, history, reason)


def _reason_to_stop(
    history: Sequence[Iteration], sign: int, max_iterations: int, patience: int
) -> str:
    """Empty when tuning should go on."""
    if not history:
        return ""
    best = max(history, key=lambda entry: sign * entry.score)
    if len(history) > 1 and history[-1].new_candidates == history[-2].new_candidates == 0:
        return "the search finds nothing new"
    if history[-1].number - best.number >= patience and not _rises(history[-patience:], sign):
        return f"no better for {patience} rounds"
    return f"{max_iterations} rounds done" if len(history) >= max_iterations else ""


def _rises(rounds: Sequence[Iteration], sign: int) -> bool:
    """Whether each round is better than the one before: then tuning is on its way back from where
    the lists of its first rounds have led it."""
    scores = [sign * entry.score for entry in rounds]
    return len(scores) > 1 and all(later > earlier for earlier, later in pairwise(scores))


def _save(resume: Path | None, pool: Pool, history: list[Iteration]) -> None:
    """A file for each round with what was new in it, since the pool grows and grows."""
    if resume is None:
        return
    latest = history[-1]
    # Candidates and score in one file: killed between two, a round would be repeated against a
    # pool that has it already, and end elsewhere.
    arrays: dict[str, Any] = {"iteration": np.array(json.dumps(asdict(latest))), **pool.latest()}
    place = resume / _ROUND.format(latest.number)
    with written_whole(place) as temporary, temporary.open("wb") as file:
        np.savez(file, **arrays)


def _load(resume: Path | None, pool: Pool) -> list[Iteration]:
    history: list[Iteration] = []
    while resume is not None and (place := resume / _ROUND.format(len(history) + 1)).exists():
        with np.load(place) as data:
            pool.take_up(data)
            history.append(Iteration(**json.loads(str(data["iteration"]))))
    return history
