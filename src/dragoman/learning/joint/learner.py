"""Rules and weights in one loop: algorithm 1 of Zhai & Huang (2015), paper 003.

An iteration decodes the training text twice. Forced decoding finds the derivations of each
target sentence over all phrase pairs of its pair; their rules, counted by how probable they are,
become the phrase table. Real decoding with that table shows where a search leaves the best of
these derivations, and a perceptron moves the weights there. docs/lab/003.md has the whole
story.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman._core import FoundRules, TranslationModel
from dragoman.corpus.bitext import Bitext
from dragoman.crew import Crew, Effort, Here, Part
from dragoman.errors import InputError
from dragoman.evaluation.metric import Metric, evaluate
from dragoman.files import written_whole
from dragoman.learning.joint.config import JointConfig
from dragoman.learning.joint.history import (
    Iteration,
    JointResult,
    best_of,
    describe,
    reason_to_stop,
)
from dragoman.learning.joint.passes import (
    FilesBesideTable,
    ForcedPairs,
    Lesson,
    Lexicon,
    Material,
    Workplace,
    find_rules,
    learn_from,
    translate_lines,
    write_fold,
)
from dragoman.learning.joint.segment import segment
from dragoman.model.bundle import Bundle
from dragoman.model.weights import UNKNOWN, default_weights, lowest_weights, normalised
from dragoman.progress import SILENT, Progress, Task
from dragoman.search.options import SearchOptions
from dragoman.search.stack import PhraseSearch
from dragoman.tuning.perceptron import AveragedPerceptron

Vector = NDArray[np.float64]

# The order in which the native trainer takes the weights of forced decoding.
FORCED_FEATURES = ("tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd", "sparse", "phrases", "distortion")
SPARSE, PHRASES = "sparse", "phrases"

# Sentence pairs of a part of forced decoding, and of a part of a batch of real decoding.
PAIRS_AT_ONCE, LESSON = 2_000, 64
# Dev sentences that a worker of a cluster translates at a time.
DEV_PART = 32
# What it takes: a pair in forced and in real decoding, a dev sentence; a pair in the model of a
# fold.
FORCED, REAL, DEV = (Effort(seconds, threaded=True) for seconds in (3e-4, 4e-4, 7e-4))
FOLD = Effort(3e-5, threaded=False)
# A rule with a smaller count is none.
LEAST_COUNT = 1e-9
# Where the weight of "words" is looked for, all others together being 1, and in how many steps.
LENGTH_WEIGHTS = (-1.0, 3.0)
LENGTH_STEPS = 6
# Hypotheses per stack on the dev set, as in the paper.
TEST_BEAM = 50


@dataclass(frozen=True)
class Learnt:
    """What the perceptron made of the training text."""

    average: Vector
    last: Vector
    learnable: int  # pairs with a derivation to learn from
    correct: int  # translated as the reference says
    violations: int


def feature_names(config: JointConfig) -> list[str]:
    """The features of a joint model, in the order of its weights."""
    names = ["tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd"] + [SPARSE] * config.sparse
    return [*names, "lm", "words", "phrases", "distortion", UNKNOWN]


def search_options(config: JointConfig) -> SearchOptions:
    """How to translate with what was learnt: with the same limits."""
    gaps = config.reordering == "gap"
    return SearchOptions(
        beam_limit=TEST_BEAM,
        distortion_limit=None if gaps else config.distortion_limit,
        gap_limit=config.gap_limit if gaps else None,
    )


class JointLearner:
    """The loop over one bitext.

    `lexicon` holds p(target | source) and p(source | target). What is to be found again after an
    interruption lies in `directory`, and so does the best table; a learner with the same
    arguments goes on behind the last whole iteration.
    """

    def __init__(
        self,
        bitext: Bitext,
        lexicon: Lexicon,
        files: FilesBesideTable,
        dev: tuple[Sequence[str], Sequence[str]],
        metric: Metric,
        directory: Path,
        config: JointConfig | None = None,
        *,
        threads: int = 1,
        crew: Crew | None = None,
        progress: Progress = SILENT,
    ) -> None:
        self._config = config = config if config is not None else JointConfig()
        self._files, self._dev, self._metric = files, dev, metric
        self._directory, self._threads, self._progress = directory, threads, progress
        self._crew = crew if crew is not None else Here(threads)
        self._features = feature_names(config)
        self._options = search_options(config)
        segments = segment(bitext.source, bitext.target, lexicon, config.max_words)
        if segments.cut:
            progress.message(
                f"{segments.cut:,} sentence pairs of more than {config.max_words} words were cut "
                f"into segments: {len(segments.source):,} pairs"
            )
        self._material = Material(segments.source, segments.target, lexicon)
        self._trainer = self._material.trainer(config, self._options)

    def run(self) -> JointResult:
        """Iterate until the dev score rises no more."""
        history = self._load()
        while not (reason := reason_to_stop(history, self._config)):
            entry = self._iterate(history)
            history.append(entry)
            self._save(history)
            self._progress.message(describe(entry, self._metric.name))
        best = best_of(history)
        return JointResult(
            self._features,
            np.array(best.weights),
            self._directory / "best.table",
            history,
            best.number,
            reason,
        )

    def _iterate(self, history: Sequence[Iteration]) -> Iteration:
        number = len(history) + 1
        trainer = self._trainer
        start = self._start(history)
        pairs, empty, reachable = self._count(number, self._forced(start))
        table = self._directory / "current.table"
        written = self._workplace().write_table(table)
        model = self._files.open(table)
        begin = np.array(history[-1].learnt) if history and self._carries else start
        learnt = self._learn(number, self._fold_models(number, model), begin)
        weights, score = self._evaluate(model, self._kept(learnt.average))
        return Iteration(
            number,
            pairs,
            empty,
            reachable,
            trainer.rules,
            written,
            learnt.learnable,
            learnt.correct,
            learnt.violations,
            score,
            weights.tolist(),
            learnt.last.tolist(),
        )

    @property
    def _carries(self) -> bool:
        return self._config.weights == "carry"

    def _workplace(self, rules: str = "", models: Sequence[TranslationModel] = ()) -> Workplace:
        own = self._material, self._trainer, models
        return Workplace(self._directory, self._config, self._options, self._files, rules, own)

    def _who(self, effort: Effort) -> Crew:
        """Who does work that takes so much; others find the text in files."""
        crew = self._crew.suited(effort)
        if crew.elsewhere:
            self._material.save(self._directory)
        return crew

    def _fold_models(self, number: int, whole: TranslationModel) -> list[TranslationModel]:
        """For the pairs of each fold, a model that has not seen them."""
        folds = range(self._config.folds)
        if len(folds) == 1:
            return [whole]
        crew = self._who(len(folds) * len(self._trainer) * FOLD)
        work = self._workplace(self._standing(number, crew))
        parts = (Part(f"the model without fold {fold + 1}", fold) for fold in folds)
        with self._progress.task(f"models of folds {number}", total=len(folds)) as task:
            for _ in crew.run(write_fold, work, parts, task):
                task.advance()
        return [work.fold_model(fold) for fold in folds]

    def _standing(self, number: int, crew: Crew) -> str:
        """The file with the rules that an iteration has counted, for others."""
        path = self._counted(number)
        if crew.elsewhere and not path.exists():
            with written_whole(path) as temporary:
                self._trainer.save_rules(str(temporary))
        return path.name

    def _start(self, history: Sequence[Iteration]) -> Vector:
        """The weights with which an iteration decodes, and learns unless it carries on.

        They add up to 1, and updates are far larger: with probabilities that have changed, the
        perceptron practically begins anew.
        """
        if history:
            return np.array(history[-1].weights)
        weights = default_weights(self._features)
        for place, name in enumerate(self._features):
            if self._config.start == "zero" and name != UNKNOWN:
                weights[place] = 0.0
        return weights

    def _forced(self, weights: Vector) -> Vector:
        """Those of forced decoding, for which language model and length are all the same.

        They are as large together as those of a model before tuning, whatever the language model
        has come to weigh: else soft counts would grow softer or sharper from one iteration to the
        next. The rules' own weights are in the scale of the others.
        """
        place = {name: number for number, name in enumerate(self._features)}
        scaled = [name for name in FORCED_FEATURES if name in place and name != SPARSE]
        usual = default_weights(self._features)
        own, wanted = (
            sum(abs(float(vector[place[name]])) for name in scaled) for vector in (weights, usual)
        )
        scale = wanted / own if own > 0 else 1.0
        given = {name: scale * float(weights[place[name]]) for name in place}
        forced = [given.get(name, 0.0) for name in FORCED_FEATURES]
        return np.array([*forced, min(0.0, given[PHRASES]) - self._config.null_cost])

    def _count(self, number: int, weights: Vector) -> tuple[int, int, int]:
        """Lines 4 to 7 of the algorithm."""
        trainer = self._trainer
        size = len(trainer)
        empty = reachable = 0
        with self._progress.task(f"forced decoding {number}", total=size, unit="pairs") as task:
            for end, found in self._found(number, weights, task):
                trainer.add(found)
                empty += found.counts.empty
                reachable += found.counts.reachable
                task.advance(found.counts.pairs)
                task.note(f"{reachable / end:.1%} reachable")
        if reachable == 0:
            raise InputError(
                f"none of {size:,} sentence pairs can be derived ({empty:,} have an empty side); "
                "allow null rules or more reordering, or look whether the two sides belong "
                "together"
            )
        trainer.finish_counting(unite=self._config.rules == "unite")
        for path in self._directory.glob("found.*"):
            path.unlink()
        return size, empty, reachable

    def _found(self, number: int, weights: Vector, task: Task) -> Iterator[tuple[int, FoundRules]]:
        """What forced decoding finds, in parts, and how many pairs that makes. What others have
        found in an attempt that was interrupted is not looked for again."""
        size = len(self._trainer)
        crew = self._who(size * FORCED)
        parts = []
        for begin in range(0, size, PAIRS_AT_ONCE):
            end = min(size, begin + PAIRS_AT_ONCE)
            name = f"found.{number}.{begin:010}-{end:010}"
            file = (self._directory / name).absolute() if crew.elsewhere else None
            asked = ForcedPairs(begin, end, weights, file)
            parts.append(Part(f"sentence pairs {begin + 1:,} to {end:,}", asked))
        there = {p.content.end for p in parts if p.content.file and p.content.file.exists()}
        work = self._workplace(self._rules(number - 1).name if number > 1 else "")
        missing = [part for part in parts if part.content.end not in there]
        coming = crew.run(find_rules, work, missing, task)
        for part in parts:
            end, file = part.content.end, part.content.file
            found = None if end in there else next(coming)
            if found is None:
                assert file is not None
                found = FoundRules.open(str(file))
            yield end, found

    def _learn(self, number: int, models: Sequence[TranslationModel], start: Vector) -> Learnt:
        """Lines 8 to 12."""
        config = self._config
        # What is unknown can only be copied, and the rules' own weights are weights already.
        fixed = np.array([name in (UNKNOWN, SPARSE) for name in self._features])
        if config.sparse:
            start = np.where([name == SPARSE for name in self._features], 1.0, start)
        # Gold derivations are chosen by these weights as well. Once improbable rules are welcome,
        # what is learnt from are improbable derivations, and nothing leads back.
        perceptron = AveragedPerceptron(
            start, rate=config.rate, fixed=fixed, lowest=lowest_weights(self._features)
        )
        # What the beam alone prunes: violations are to be those of the model.
        options = replace(
            self._options,
            search="estimate",
            ttable_threshold=math.inf,
            beam_limit=config.real_beam,
        )
        # Rules that count less are not in the table.
        least_count = max(config.min_count, LEAST_COUNT) if config.learn_from == "table" else 0.0
        learnable = correct = violations = done = 0
        size = len(self._trainer)
        # A rule's own weight is moved where it is kept.
        crew = Here(self._threads) if config.sparse else self._who(config.batch * REAL)
        work = self._workplace(self._standing(number, crew), models)
        with self._progress.task(f"real decoding {number}", total=size, unit="pairs") as task:
            for fold, batch in self._batches(number):
                parts = [
                    Part(
                        f"{len(pairs)} of a batch of sentence pairs, {pairs[0] + 1:,} the first",
                        Lesson(fold, pairs, least_count, perceptron.weights, options),
                    )
                    for begin in range(0, len(batch), LESSON)
                    for pairs in [batch[begin : begin + LESSON]]
                ]
                lessons = list(crew.run(learn_from, work, parts, task))
                difference = sum((found.difference for found in lessons), np.zeros(len(start)))
                perceptron.move(difference / len(batch))
                learnable += sum(found.reachable for found in lessons)
                correct += sum(found.correct for found in lessons)
                violations += sum(found.violations for found in lessons)
                done += len(batch)
                task.advance(len(batch))
                task.note(f"{correct / done:.1%} right, {violations / done:.1%} to learn from")
        self._trainer.finish_learning(config.rate / config.batch if config.sparse else 0.0)
        return Learnt(perceptron.average, perceptron.weights, learnable, correct, violations)

    def _batches(self, number: int) -> list[tuple[int, NDArray[np.uint32]]]:
        """All pairs, each batch from one fold, in an order of this iteration's own."""
        random = np.random.default_rng([self._config.seed, number])
        batches = []
        for fold in range(self._config.folds):
            pairs = np.arange(fold, len(self._trainer), self._config.folds, dtype=np.uint32)
            random.shuffle(pairs)
            for begin in range(0, len(pairs), self._config.batch):
                batches.append((fold, pairs[begin : begin + self._config.batch].copy()))
        return [batches[place] for place in random.permutation(len(batches))]

    def _kept(self, weights: Vector) -> Vector:
        """In the scale in which weights are kept; unknown words as unwelcome as ever."""
        if not np.isfinite(weights).all():
            raise InputError("the perceptron lost its way; try a smaller joint.rate")
        usual = default_weights(self._features)
        learnt = np.array([name not in (UNKNOWN, SPARSE) for name in self._features])
        if not weights[learnt].any():
            return usual  # nothing was learnt from a start at zero
        kept = normalised(self._features, weights)
        unknown = self._features.index(UNKNOWN)
        kept[unknown] = usual[unknown]
        return kept

    def _evaluate(self, model: TranslationModel, weights: Vector) -> tuple[Vector, float]:
        """The weights, perhaps with another length, and their score on the dev set."""
        if not self._dev[0]:
            return weights, 0.0
        if self._config.match_length:
            weights = self._match_length(model, weights)
        references = [list(self._dev[1])]
        return weights, evaluate(self._metric, self._translate(model, weights), references).value

    def _translate(self, model: TranslationModel, weights: Vector) -> list[str]:
        files = self._files.with_table(self._directory / "current.table")
        search = PhraseSearch(
            Bundle(model, weights.tolist(), files=files), self._options, threads=self._threads
        )
        lines = list(self._dev[0])
        crew = self._crew.suited(len(lines) * DEV)
        size = DEV_PART if crew.elsewhere else max(1, len(lines))
        parts = (
            Part(f"dev sentences {first + 1:,} to {first + size:,}", lines[first : first + size])
            for first in range(0, len(lines), size)
        )
        return [line for found in crew.run(translate_lines, search, parts) for line in found]

    def _match_length(self, model: TranslationModel, weights: Vector) -> Vector:
        """The weight of "words" with which translations are as long as references.

        References that can be derived are not of the usual length, so that what the perceptron
        learns about length is wrong.
        """
        words = self._features.index("words")
        wanted = sum(len(line.split()) for line in self._dev[1])
        low, high = LENGTH_WEIGHTS
        tried = weights
        for _ in range(LENGTH_STEPS):
            tried = weights.copy()
            tried[words] = (low + high) / 2
            tried = self._kept(tried)
            length = sum(len(line.split()) for line in self._translate(model, tried))
            if length == wanted:
                break
            middle = (low + high) / 2
            low, high = (middle, high) if length < wanted else (low, middle)
        return tried

    # A round counts when the history, which is written last, says so.

    def _save(self, history: list[Iteration]) -> None:
        directory = self._directory
        if best_of(history).number == history[-1].number:
            with written_whole(directory / "best.table") as temporary:
                shutil.copyfile(directory / "current.table", temporary)
        number = history[-1].number
        with written_whole(self._rules(number)) as temporary:
            self._trainer.save_rules(str(temporary))
        with written_whole(directory / "history.json") as temporary:
            temporary.write_text(json.dumps([asdict(entry) for entry in history]), "utf-8")
        self._rules(number - 1).unlink(missing_ok=True)
        self._counted(number).unlink(missing_ok=True)

    def _counted(self, number: int) -> Path:
        """The rules before the weights are learnt."""
        return self._directory / f"counted.{number}"

    def _rules(self, number: int) -> Path:
        return self._directory / f"rules.{number}"

    def _load(self) -> list[Iteration]:
        path = self._directory / "history.json"
        if not path.exists():
            return []
        history = [Iteration(**entry) for entry in json.loads(path.read_text("utf-8"))]
        self._trainer.load_rules(str(self._rules(history[-1].number)))
        return history
