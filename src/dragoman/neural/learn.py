"""Training the network of Devlin et al. (2014): a target word from the words before it and from
the source words around its partner.

Words are told from noise (Gutmann & Hyvärinen 2010; the noise is shared within a batch, as by Zoph
et al. 2016), so that a score is nearly a log probability and nothing is ever summed over the
vocabulary. Adagrad changes the weights, row by row where those of words are concerned.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from threadpoolctl import threadpool_limits

from dragoman._core import AlignedText, NetworkShape, network_examples, save_network
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext, SentenceIds
from dragoman.errors import InputError
from dragoman.files import written_whole
from dragoman.neural.config import NeuralConfig
from dragoman.progress import SILENT, Progress, Task

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]

_RESERVED = 3  # <unk>, <s>, </s>
_RARE = 1  # words seen no more often are all alike
_STATE = "state.npz"
# Weights that every word has to do with; of the others, each row has a rate of its own.
_DENSE = ("first", "bias")
# Squared gradients are taken to have been so large before the first one.
_FIRST_SQUARE = 0.01
# How probable a word is as noise, at least.
_LEAST_NOISE = 1e-7


@dataclass(frozen=True)
class Learnt:
    """What the network has learnt from."""

    examples: int  # words and ends of sentences
    passes: int
    source_words: int
    target_words: int


def learn(
    text: Bitext,
    links: Links,
    path: Path,
    config: NeuralConfig | None = None,
    *,
    resume: Path | None = None,
    progress: Progress = SILENT,
) -> Learnt:
    """Write a network that was trained on aligned text. With `resume`, a directory, each pass is
    saved there, and a later call with the same arguments goes on behind it."""
    config = config if config is not None else NeuralConfig()
    shape = NetworkShape(
        history=config.history,
        window=config.window,
        dimensions=config.dimensions,
        hidden=config.hidden,
        source_words=_words_known(text.source, config.words),
        target_words=_words_known(text.target, config.words),
    )
    words = len(text.target.ids) + len(text)
    if not words:
        raise InputError("there is no text that a network could learn from")
    step = -(-words // config.most)
    examples = network_examples(AlignedText(text.native, links.native), shape, step)
    passes = max(1, min(config.passes, config.most // len(examples)))
    learner = _Learner(shape, examples, config, passes)
    # One thread, since the order in which numbers are added up must not depend on how many.
    with (
        threadpool_limits(1),
        progress.task("training the network", passes * len(examples), "words") as task,
    ):
        learner.run(resume, task)
    save_network(
        str(path), shape, **{name: values.ravel() for name, values in learner.weights.items()}
    )
    return Learnt(len(examples), passes, shape.source_words, shape.target_words)


def _words_known(text: SentenceIds, most: int) -> int:
    """Ids below it are of words that are frequent enough; ids fall with the frequency."""
    counts = np.bincount(text.ids)
    return _RESERVED + min(most, int((counts[_RESERVED:] > _RARE).sum()))


class _Learner:
    """The weights on their way."""

    def __init__(
        self,
        shape: NetworkShape,
        examples: NDArray[np.uint16],
        config: NeuralConfig,
        passes: int,
    ) -> None:
        self._shape, self._examples, self._config, self._passes = shape, examples, config, passes
        counts = np.bincount(examples[:, -1], minlength=shape.target_words)
        self._noise = np.maximum(counts / counts.sum(), _LEAST_NOISE)
        self._up_to = np.cumsum(self._noise)
        self._expected = np.log(config.noise * self._noise).astype(np.float32)
        self.weights = self._first_weights()
        self._squares = {
            name: np.full(
                values.shape if name in _DENSE else len(values), _FIRST_SQUARE, np.float32
            )
            for name, values in self.weights.items()
        }

    def _first_weights(self) -> dict[str, Floats]:
        shape = self._shape
        random = np.random.default_rng(self._config.seed)
        inputs = shape.inputs * shape.dimensions

        def normal(rows: int, columns: int, deviation: float) -> Floats:
            return random.standard_normal((rows, columns), dtype=np.float32) * np.float32(
                deviation
            )

        return {
            "source": normal(shape.source_words, shape.dimensions, 0.1),
            "target": normal(shape.target_words, shape.dimensions, 0.1),
            "first": normal(inputs, shape.hidden, (2 / inputs) ** 0.5),
            "bias": np.zeros(shape.hidden, np.float32),
            "output": normal(shape.target_words, shape.hidden, 0.05),
            "frequency": np.log(self._noise).astype(np.float32),
        }

    def run(self, resume: Path | None, task: Task) -> None:
        """All passes, from where an earlier run was interrupted."""
        size, count = self._config.batch, len(self._examples)
        batches = -(-count // size)
        begun = self._load(resume)
        task.advance(begun * count)
        for number in range(begun, self._passes):
            random = np.random.default_rng([self._config.seed, number])
            order = random.permutation(count)
            for batch in range(batches):
                done = (number * batches + batch) / (self._passes * batches)
                rows = order[batch * size : (batch + 1) * size]
                self._learn_from(rows, np.float32(self._config.rate * (1 - done)), random)
                task.advance(len(rows))
            self._save(resume, number + 1)

    def _learn_from(self, rows: Ids, rate: np.float32, random: np.random.Generator) -> None:
        weights, shape = self.weights, self._shape
        taken = self._examples[rows].astype(np.int64)
        before, around = taken[:, : shape.history], taken[:, shape.history : -1]
        words = taken[:, -1]
        drawn = random.random(self._config.noise) * self._up_to[-1]
        noise = np.searchsorted(self._up_to, drawn, side="right").clip(0, len(self._noise) - 1)

        count = len(rows)
        inputs = np.concatenate(
            [
                weights["target"][before].reshape(count, -1),
                weights["source"][around].reshape(count, -1),
            ],
            axis=1,
        )
        hidden = np.maximum(inputs @ weights["first"] + weights["bias"], 0)
        right, wrong = weights["output"][words], weights["output"][noise]
        # By how much the network takes a word for text rather than for noise.
        of_words = (
            np.einsum("ij,ij->i", hidden, right) + (weights["frequency"] - self._expected)[words]
        )
        of_noise = hidden @ wrong.T + (weights["frequency"] - self._expected)[noise]
        up = _share(-of_words)
        down = _share(of_noise)

        towards = up[:, None] * right - down @ wrong
        towards[hidden <= 0] = 0
        of_inputs = towards @ weights["first"].T
        edge = shape.history * shape.dimensions
        width = shape.dimensions
        both = np.concatenate([words, noise])
        self._move_rows(
            "output", both, np.concatenate([up[:, None] * hidden, -(down.T @ hidden)]), rate
        )
        self._move_rows("frequency", both, np.concatenate([up, -down.sum(axis=0)])[:, None], rate)
        self._move_rows("target", before.ravel(), of_inputs[:, :edge].reshape(-1, width), rate)
        self._move_rows("source", around.ravel(), of_inputs[:, edge:].reshape(-1, width), rate)
        self._move("first", inputs.T @ towards, rate)
        self._move("bias", towards.sum(axis=0), rate)

    def _move(self, name: str, gradient: Floats, rate: np.float32) -> None:
        squares = self._squares[name]
        squares += gradient * gradient
        self.weights[name] += rate * gradient / np.sqrt(squares)

    def _move_rows(self, name: str, rows: Ids, gradients: Floats, rate: np.float32) -> None:
        """Rows that come several times are moved by the sum of their gradients."""
        moved, which = np.unique(rows, return_inverse=True)
        ones = np.ones(len(rows), np.float32)
        adding = sparse.csr_matrix((ones, (which, np.arange(len(rows)))), (len(moved), len(rows)))
        gradient = adding @ gradients
        squares = self._squares[name]
        squares[moved] += (gradient * gradient).mean(axis=1)
        change = (rate / np.sqrt(squares[moved]))[:, None] * gradient
        values = self.weights[name]
        values[moved] += change.reshape(values[moved].shape)

    def _save(self, resume: Path | None, passes: int) -> None:
        if resume is None or passes == self._passes:
            return
        arrays: dict[str, Any] = {"passes": np.array(passes)} | self.weights
        arrays |= {f"squares {name}": values for name, values in self._squares.items()}
        with written_whole(resume / _STATE) as temporary, temporary.open("wb") as file:
            np.savez(file, **arrays)

    def _load(self, resume: Path | None) -> int:
        """The passes that were done before."""
        if resume is None or not (resume / _STATE).exists():
            return 0
        with np.load(resume / _STATE) as data:
            for name in self.weights:
                self.weights[name] = data[name]
                self._squares[name] = data[f"squares {name}"]
            return int(data["passes"])


def _share(values: Floats) -> Floats:
    """The logistic function."""
    return (1 / (1 + np.exp(np.minimum(-values, 80)))).astype(np.float32, copy=False)
