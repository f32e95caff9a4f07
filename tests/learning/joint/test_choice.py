"""Joint training's choices by hand: folds, the best table, when it ends, how long to translate."""

import json
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.learning.joint.pairs import bitext_of, lexicon_of

from dragoman.evaluation.metrics import make_metric
from dragoman.learning.joint import learner as module
from dragoman.learning.joint import passes
from dragoman.learning.joint.config import JointConfig
from dragoman.learning.joint.history import Iteration
from dragoman.learning.joint.learner import JointLearner
from dragoman.learning.joint.passes import FilesBesideTable
from dragoman.lm.estimate import estimate_from_lines
from dragoman.lm.query import LanguageModel
from dragoman.model.weights import default_weights
from dragoman.rules.table import PhraseTable

# Each pair has a word of its own on either side.
SOURCE = [f"s{i} common" for i in range(7)]
TARGET = [f"t{i} usual" for i in range(7)]


@pytest.fixture
def make(tmp_path):
    bitext = bitext_of(SOURCE, TARGET)
    bitext.source_vocabulary.save(str(tmp_path / "source.vocab"))
    bitext.target_vocabulary.save(str(tmp_path / "target.vocab"))
    estimate_from_lines(TARGET, tmp_path / "lm", order=2)
    files = FilesBesideTable(tmp_path / "source.vocab", tmp_path / "target.vocab", tmp_path / "lm")

    def make_learner(kind=JointLearner, **changes):
        work = tmp_path / "work"
        work.mkdir(exist_ok=True)
        metric = make_metric("bleu", tokenize="none")
        config = replace(JointConfig(batch=2, folds=3), **changes)
        dev = (SOURCE[:2], TARGET[:2])
        return kind(bitext, lexicon_of(bitext), files, dev, metric, work, config)

    return make_learner


def test_a_model_of_a_fold_has_seen_nothing_of_it(make, tmp_path):
    learner = make()
    learner._count(1, learner._forced(learner._start([])))
    learner._workplace().write_table(tmp_path / "whole")
    learner._fold_models(1, None)
    for fold in range(3):
        table = PhraseTable.open(
            tmp_path / "work" / f"fold{fold}.table",
            tmp_path / "source.vocab",
            tmp_path / "target.vocab",
        )
        language_model = LanguageModel.open(tmp_path / "work" / f"fold{fold}.lm")
        assert language_model.order == 2
        for pair in range(7):
            own = pair % 3 == fold
            targets = [entry.target for entry in table.translations(f"s{pair}")]
            assert (f"t{pair}" in targets) != own
            assert (f"t{pair}" in language_model) != own


def test_the_text_of_a_folds_language_model_is_that_of_the_others(make, tmp_path, monkeypatch):
    learner = make()
    learner._count(1, learner._forced(learner._start([])))
    texts = []

    def estimate(lines, path, **options):
        texts.append(list(lines))
        estimate_from_lines(texts[-1], path, **options)

    monkeypatch.setattr(passes, "estimate_from_lines", estimate)
    learner._fold_models(1, None)
    assert texts == [[TARGET[i] for i in range(7) if i % 3 != fold] for fold in range(3)]
    # In the next iteration the same language models are used again, whose text is the same.
    learner._fold_models(1, None)
    assert len(texts) == 3


def test_each_pair_is_learnt_from_once_with_the_model_of_its_fold(make):
    learner = make(rate=0.5)
    asked = []

    class Trainer:
        def __len__(self):
            return 7

        def learn(self, batch, least, model, weights, options, threads):
            asked.append((batch.tolist(), model, least, weights.copy()))
            difference = np.full(9, float(len(batch)))
            return SimpleNamespace(difference=difference, reachable=2, correct=1, violations=2)

        def finish_learning(self, rate):
            self.rate = rate

    learner._trainer = trainer = Trainer()
    start = np.arange(9.0)
    learnt = learner._learn(4, ["zero", "one", "two"], start)
    for batch, model, least, _ in asked:
        assert {pair % 3 for pair in batch} == {["zero", "one", "two"].index(model)}
        assert len(batch) <= 2
        assert least == 0.01
    assert Counter(pair for batch, *_ in asked for pair in batch) == Counter(range(7))
    # Folds of 3, 2 and 2 pairs are 2, 1 and 1 batches; each moves by half of its mean, 1, but the
    # weight of unknown words.
    assert (learnt.learnable, learnt.correct, learnt.violations) == (8, 4, 8)
    moved = np.where(np.arange(9) == 8, 0.0, 0.5)
    assert [weights.tolist() for *_, weights in asked] == [
        (start + step * moved).tolist() for step in range(4)
    ]
    assert learnt.average.tolist() == (start + 2.5 * moved).tolist()
    assert learnt.last.tolist() == (start + 4 * moved).tolist()
    assert trainer.rate == 0.0


def test_batches_have_an_order_of_their_own_in_each_iteration(make):
    learner = make(folds=1, seed=5)
    orders = [[pair for _, batch in learner._batches(n) for pair in batch] for n in (1, 2, 1)]
    assert orders[0] == orders[2] != orders[1]
    assert orders[0] != sorted(orders[0])
    assert [len(batch) for _, batch in make(folds=1, batch=7)._batches(1)] == [7]


class Scripted(JointLearner):
    """Its rounds write a table that says their number, and have the scores given."""

    scores = ()

    def _iterate(self, history):
        number = len(history) + 1
        (self._directory / "current.table").write_text(f"table of round {number}")
        return Iteration(
            number, 7, 0, 7, 1, 1, 7, 0, 0, self.scores[number - 1], [float(number), 0.0], []
        )


@pytest.mark.parametrize(
    ("scores", "patience", "most", "ended_after", "best", "reason"),
    [
        ([1, 2, 3], 1, 3, 3, 3, "3 iterations done"),
        ([1, 3, 2, 1, 9], 2, 9, 4, 2, "no better for 2 iterations"),
        ([3, 3, 3, 9], 2, 9, 3, 1, "no better for 2 iterations"),  # of equals the first
        ([1, 0], 1, 9, 2, 1, "no better for 1 iterations"),
        ([5], 1, 1, 1, 1, "1 iterations done"),
        ([1, 0, 2, 0, 0], 2, 9, 5, 3, "no better for 2 iterations"),
    ],
)
def test_the_best_table_is_kept(make, scores, patience, most, ended_after, best, reason):
    learner = make(Scripted, patience=patience, max_iterations=most)
    learner.scores = scores
    result = learner.run()
    assert (len(result.iterations), result.best, result.reason) == (ended_after, best, reason)
    assert result.table.read_text() == f"table of round {best}"
    assert result.weights.tolist() == [best, 0.0]
    # Rules of the last iteration only: they are what the next would begin with.
    assert sorted(path.name for path in learner._directory.glob("rules.*")) == [
        f"rules.{ended_after}"
    ]
    history = json.loads((learner._directory / "history.json").read_text())
    assert [entry["score"] for entry in history] == scores[:ended_after]
    again = make(Scripted, patience=patience, max_iterations=most)
    assert again.run().iterations == result.iterations  # it has no scores: nothing is iterated


def test_the_usual_limits():
    config = JointConfig()
    assert (config.folds, config.patience, config.max_iterations) == (4, 2, 10)


def test_the_start_and_what_is_kept(make):
    learner = make(start="zero")
    assert learner._features[-1] == "unknown"
    start = learner._start([])
    assert start[:-1].tolist() == [0] * 8
    assert start[-1] < 0
    # A later iteration begins where the one before ended, not the best.
    entry = Iteration(1, 7, 0, 7, 1, 1, 7, 0, 0, 9.0, [1.0] * 9, [5.0] * 9)
    worse = replace(entry, number=2, score=1.0, weights=[2.0] * 9)
    assert learner._start([entry, worse]).tolist() == [2.0] * 9
    kept = learner._kept(np.array([2.0, 0, 0, 0, -2.0, 0, 0, 0, 7.0]))
    assert kept.tolist() == [0.5, 0, 0, 0, -0.5, 0, 0, 0, start[-1]]
    usual = make()._start([])
    assert learner._kept(np.zeros(9)).tolist() == usual.tolist()


def test_weights_of_forced_decoding_go_by_name(make):
    learner = make()
    names = ["tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd", "lm", "words", "phrases", "distortion"]
    assert learner._features == [*names, "unknown"]
    usual = default_weights(learner._features)
    wanted = np.abs(usual[[0, 1, 2, 3, 6, 7]]).sum()
    forced = learner._forced(np.arange(9.0))
    assert forced[:7] / forced[1] == pytest.approx([0, 1, 2, 3, 0, 6, 7])
    # As large together as before tuning, whatever language model and length weigh.
    assert np.abs(forced[:7]).sum() == pytest.approx(wanted)
    heavier = np.where([name in ("lm", "words") for name in learner._features], 99, np.arange(9.0))
    assert learner._forced(heavier).tolist() == forced.tolist()
    assert learner._forced(np.zeros(9)).tolist() == [0.0] * 8


@pytest.mark.parametrize(
    ("phrases", "cost", "expected"), [(6, 0, 0), (6, 0.25, -0.25), (-6, 0, -6), (-6, 0.5, -6.5)]
)
def test_null_rules_earn_nothing_for_being_phrases(make, phrases, cost, expected):
    learner = make(null_cost=cost)
    weights = np.array([1.0, 2, 3, 4, 0, 0, phrases, 7, 0])
    usual = default_weights(learner._features)
    scale = np.abs(usual[[0, 1, 2, 3, 6, 7]]).sum() / 23
    learnt = expected + cost
    assert learner._forced(weights)[7] == pytest.approx(scale * learnt - cost)


def test_the_papers_ways(make, monkeypatch):
    """Rules are united, weights carried over, and all pairs learnt from that can be derived."""
    learner = make(rules="unite", weights="carry", learn_from="all", max_iterations=3, patience=3)
    seen = {"begin": [], "least": set(), "united": []}
    learn, native = learner._learn, learner._trainer

    class Trainer:
        def __getattr__(self, name):
            return getattr(native, name)

        def __len__(self):
            return len(native)

        def finish_counting(self, unite):
            native.finish_counting(unite)
            seen["united"].append((unite, native.rules))

        def learn(self, batch, least, *rest):
            seen["least"].add(least)
            return native.learn(batch, least, *rest)

    def remember(number, models, start):
        seen["begin"].append(start.tolist())
        return learn(number, models, start)

    monkeypatch.setattr(learner, "_trainer", Trainer())
    monkeypatch.setattr(learner, "_learn", remember)
    rounds = learner.run().iterations
    assert seen["least"] == {0.0}
    assert [unite for unite, _ in seen["united"]] == [True] * 3
    assert [rules for _, rules in seen["united"]] == sorted(rules for _, rules in seen["united"])
    assert seen["begin"][1:] == [entry.learnt for entry in rounds[:2]]
    assert [entry.learnable for entry in rounds] == [7, 7, 7]
    # Each pair has a word that no other fold knows, so that folds leave nothing to learn from.
    fresh = make()
    fresh._directory = fresh._directory.parent / "fresh"
    fresh._directory.mkdir()
    assert {entry.learnable for entry in fresh.run().iterations} == {0}


@pytest.mark.parametrize("best", [-0.4, 0.3, 0.9, 2.3])
def test_the_length_is_matched_by_halving(make, best):
    """Translations have as many words as references only near one weight."""
    learner = make()
    words = learner._features.index("words")
    tried = []

    def translate(model, weights):
        rest = np.abs(np.delete(weights, [words, len(weights) - 1])).sum()
        tried.append(weights[words] / rest)
        difference = tried[-1] - best
        return ["w"] * (4 + (0 if abs(difference) < 0.1 else 1 if difference > 0 else -1))

    learner._translate = translate
    weights = learner._kept(np.array([1.0, 1, 1, 1, 1, 0, 1, 1, 5]))
    learner._dev = (["s"], ["w w w w"])
    learner._match_length(None, weights)
    low, high = -1.0, 3.0
    for value in tried:
        assert value == pytest.approx((low + high) / 2)
        low, high = (value, high) if value < best else (low, value)
    assert len(tried) == 6 or abs(tried[-1] - best) < 0.1


def test_pairs_are_counted_in_portions(make, monkeypatch):
    learner = make()
    whole = learner._count(1, learner._forced(learner._start([])))
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 3)
    asked = []
    trainer = learner._trainer

    class Trainer:
        def __len__(self):
            return len(trainer)

        def find(self, begin, end, *rest):
            asked.append((begin, end))
            return trainer.find(begin, end, *rest)

        def add(self, found):
            trainer.add(found)

        def finish_counting(self, unite):
            trainer.finish_counting(unite)

    learner._trainer = Trainer()
    assert learner._count(2, learner._forced(learner._start([]))) == whole == (7, 0, 7)
    assert asked == [(0, 3), (3, 6), (6, 7)]
