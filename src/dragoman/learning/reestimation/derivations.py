"""How a model derives the sentence pairs of a bitext, kept as arrays.

The bitext is cut into shards of consecutive pairs. Each shard has a pseudo-document of its own
(paper 002, eqs. 1 and 2), so that shards can be derived at the same time, in any order and by
any number of workers, with the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dragoman._core import (
    PhraseDecoder,
    RederiveOptions,
    Rederiver,
    RederiveShard,
    ShardDerivations,
)
from dragoman.alignment.links import Links
from dragoman.crew import Crew, Effort, Here, Part
from dragoman.errors import InputError, UsageError
from dragoman.evaluation.metrics import bleu_scores
from dragoman.files import written_whole
from dragoman.learning.reestimation.config import DeriveConfig
from dragoman.model.bundle import Bundle
from dragoman.progress import SILENT, Progress, Task
from dragoman.search.options import SearchOptions

SHARD = 256  # pairs
A_PAIR = Effort(5e-3, threaded=True)  # what it takes to derive it
NO_ROW = np.uint32(2**32 - 1)  # of a copied word
# The reference itself prunes: larger stacks reach no more of them (docs/lab/002.md).
FORCED_STACK = 100

DERIVED, NO_DERIVATION, REFUSED = 0, 1, 2


@dataclass(frozen=True)
class Pairs:
    """Sentence pairs to derive: tokens separated by spaces."""

    sources: Sequence[str]
    references: Sequence[str]
    links: Links | None = None
    # Where they stand in the bitext they are from.
    numbers: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.sources)


@dataclass(frozen=True)
class Derivations:
    """By pair, by derivation and by step; derivations and steps in the order of the pairs."""

    # By pair.
    numbers: NDArray[np.int64]  # in the bitext
    outcomes: NDArray[np.uint8]
    counts: NDArray[np.uint32]  # how many derivations
    model_bleu: NDArray[np.float64]  # ten columns: matches, totals, length, reference length
    best_bleu: NDArray[np.float64]
    # Three columns: of the model's best, of the best in a list of it, of the first derivation.
    objectives: NDArray[np.float64]
    # By derivation.
    steps: NDArray[np.uint32]  # how many
    scores: NDArray[np.float64]
    # By step, in target order.
    spans: NDArray[np.uint16]  # three columns: source begin and end, number of target words
    rows: NDArray[np.uint32]  # of the phrase table, or NO_ROW

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def derived(self) -> int:
        """How many pairs have a derivation."""
        return int((self.outcomes == DERIVED).sum())

    @cached_property
    def pair_of_derivation(self) -> NDArray[np.int64]:
        """Which of the pairs each derivation belongs to."""
        return np.repeat(np.arange(len(self)), self.counts)

    @property
    def shares(self) -> NDArray[np.float64]:
        """By derivation: one divided by how many its pair has, so that all pairs count the
        same."""
        shares: NDArray[np.float64] = 1.0 / self.counts[self.pair_of_derivation]
        return shares

    @property
    def step_weights(self) -> NDArray[np.float64]:
        """By step: the share of its derivation."""
        weights: NDArray[np.float64] = np.repeat(self.shares, self.steps)
        return weights

    @property
    def in_turn(self) -> NDArray[np.int64]:
        """One derivation of each pair that has any: of the first pair the first, of the second
        the second, and round again, so that each of k stands for a k-th of the pairs."""
        counts = self.counts.astype(np.int64)
        firsts = np.cumsum(counts) - counts
        pairs = np.flatnonzero(counts)
        chosen: NDArray[np.int64] = firsts[pairs] + np.arange(len(pairs)) % counts[pairs]
        return chosen

    def with_rows(self, rows: NDArray[np.uint32]) -> Derivations:
        """The same over another table: `rows` gives the new number of each row."""
        mapped = np.full(len(self.rows), NO_ROW)
        known = self.rows != NO_ROW
        mapped[known] = rows[self.rows[known]]
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return Derivations(**{**fields, "rows": mapped})

    def save(self, path: Path) -> None:
        """Write for :meth:`load`; the same derivations give the same bytes."""
        with written_whole(path) as temporary, temporary.open("wb") as file:
            np.savez(file, **{name: getattr(self, name) for name in self.__dataclass_fields__})

    @classmethod
    def load(cls, path: Path) -> Self:
        try:
            with np.load(path) as data:
                return cls(**{name: data[name] for name in cls.__dataclass_fields__})
        except (ValueError, KeyError, EOFError) as problem:
            raise InputError(f"{path}: damaged: {problem}") from problem

    @classmethod
    def of(cls, numbers: NDArray[np.int64], shard: ShardDerivations) -> Self:
        return cls(
            numbers,
            shard.outcomes,
            shard.derivations,
            shard.model_counts,
            shard.best_counts,
            shard.objectives,
            shard.steps,
            shard.scores,
            shard.spans,
            shard.rows,
        )

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        return cls(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in cls.__dataclass_fields__
            )
        )

    def corpus_bleu(self) -> tuple[float, float]:
        """BLEU of the model's best translations and of the first derivations."""
        both = np.stack([self.model_bleu.sum(axis=0), self.best_bleu.sum(axis=0)])
        # sacrebleu's order: length, reference length, matches, totals.
        first, second = bleu_scores(both[:, [8, 9, 0, 1, 2, 3, 4, 5, 6, 7]])
        return float(first), float(second)


def search_options(config: DeriveConfig, usual: SearchOptions) -> SearchOptions:
    """The search that derives: the model's own, or relaxed so that it reaches references."""
    from dataclasses import replace

    if config.method == "oracle":
        return replace(usual, beam_limit=config.stack) if config.stack else usual
    infinity = float("inf")
    return replace(
        usual,
        search="estimate",
        ttable_threshold=infinity,
        beam_threshold=infinity,
        ttable_limit=0,
        beam_limit=config.stack or FORCED_STACK,
        distortion_limit=None,
    )


def sampled(pairs: int, sample: int) -> NDArray[np.int64]:
    """The numbers of `sample` pairs, evenly spread; all when there are not so many."""
    if sample == 0 or sample >= pairs:
        return np.arange(pairs)
    return np.arange(sample) * pairs // sample


def derive(
    bundle: Bundle,
    pairs: Pairs,
    config: DeriveConfig,
    *,
    options: SearchOptions | None = None,
    max_phrase_length: int = 7,
    compare_with: int = 0,
    crew: Crew | None = None,
    resume: Path | None = None,
    progress: Progress = SILENT,
) -> Derivations:
    """Derive every pair that has both sides; the others are left out.

    `options` are those of the model's usual search. `compare_with`: also find the best objective
    in the model's own list of so many best. With `resume`, a directory, finished shards are kept
    there, and a later call with the same arguments goes on behind them.
    """
    if config.method == "both":
        raise UsageError("derivations by both methods are made one after the other, by parts()")
    if len(pairs.references) != len(pairs):
        raise InputError(f"{len(pairs):,} source sentences, {len(pairs.references):,} references")
    # Pairs without links are other text than the table was made of, and gave nothing to it.
    leave_one_out = config.leave_one_out and pairs.links is not None
    whole = [
        index
        for index in range(len(pairs))
        if pairs.sources[index].strip() and pairs.references[index].strip()
    ]
    if not whole:
        raise InputError("no sentence pair has both a source and a reference")
    if len(whole) < len(pairs):
        progress.message(f"{len(pairs) - len(whole):,} pairs without source or reference left out")
    search = search_options(config, options if options is not None else SearchOptions())
    deriver = Deriver(bundle, search, config, leave_one_out, max_phrase_length, compare_with)
    parts: list[Derivations] = []
    with progress.task("deriving the bitext", total=len(whole), unit="pairs") as task:
        crew = (crew or Here()).suited(len(whole) * A_PAIR)
        for part in _shards(deriver, pairs, whole, crew, task, resume, progress):
            parts.append(part)
            task.advance(len(part))
            if config.method == "oracle":
                model, best = part.corpus_bleu()
                task.note(f"BLEU {model:.1f}, oracle {best:.1f}")
    return Derivations.concatenate(parts)


@dataclass(frozen=True)
class Deriver:
    """What derives shards; the same whoever does it."""

    bundle: Bundle
    search: SearchOptions
    config: DeriveConfig
    leave_one_out: bool
    max_phrase_length: int
    compare_with: int

    @cached_property
    def native(self) -> Rederiver:
        """Opened when it is first used, also after a journey."""
        return Rederiver(
            PhraseDecoder(self.bundle.native, self.bundle.weights, self.search.native()),
            RederiveOptions(
                forced=self.config.method == "forced",
                nbest=self.config.nbest,
                mu=self.config.mu,
                beam=self.config.beam,
                leave_one_out=self.leave_one_out,
                max_phrase_length=self.max_phrase_length,
                compare_with=self.compare_with,
            ),
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


Shard = tuple[NDArray[np.int64], list[str], list[str], Links | None]
Derived = tuple[Derivations, list[tuple[int, str]]]


def _derive_shards(deriver: Deriver, shards: list[Shard], threads: int) -> list[Derived]:
    """Some shards at the same time, each by one thread: derivations, and pairs with problems."""
    requests = [
        RederiveShard(sources, references, None if links is None else links.native)
        for _, sources, references, links in shards
    ]
    found = deriver.native.run(requests, threads)
    return [
        (Derivations.of(numbers, result), list(result.problems))
        for (numbers, *_), result in zip(shards, found, strict=True)
    ]


def _shards(
    deriver: Deriver,
    pairs: Pairs,
    whole: Sequence[int],
    crew: Crew,
    task: Task,
    resume: Path | None,
    progress: Progress,
) -> Iterator[Derivations]:
    shards = [whole[first : first + SHARD] for first in range(0, len(whole), SHARD)]
    notes = {number: _note(resume, number) for number in range(len(shards))}
    known = {number for number, note in notes.items() if note is not None and note.exists()}
    missing = [number for number in notes if number not in known]

    def parts() -> Iterator[Part[list[Shard]]]:
        # As many at once as there are threads; each is the same whoever does it.
        for at in range(0, len(missing), crew.threads):
            chosen = [shards[number] for number in missing[at : at + crew.threads]]
            yield Part(
                f"pairs {chosen[0][0] + 1:,} to {chosen[-1][-1] + 1:,}",
                [_shard(pairs, indices, deriver.leave_one_out) for indices in chosen],
            )

    coming = chain.from_iterable(crew.run(_derive_shards, deriver, parts(), task))
    for number, note in notes.items():
        if number in known and note is not None:
            yield Derivations.load(note)
            continue
        part, problems = next(coming)
        for index, problem in problems:
            progress.message(f"pair {part.numbers[index] + 1}: {problem}")
        if note is not None:
            part.save(note)
        yield part


def _note(resume: Path | None, shard: int) -> Path | None:
    return None if resume is None else resume / f"shard.{shard:06}.npz"


def _shard(pairs: Pairs, indices: Sequence[int], leave_one_out: bool) -> Shard:
    links = None
    if leave_one_out and pairs.links is not None:
        links = Links.concatenate([pairs.links.slice(index, index + 1) for index in indices])
    places = np.array(indices)
    return (
        places if pairs.numbers is None else pairs.numbers[places],
        [pairs.sources[index] for index in indices],
        [pairs.references[index] for index in indices],
        links,
    )
