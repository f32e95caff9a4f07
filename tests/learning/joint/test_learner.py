"""The whole loop on a language pair whose rules are known."""

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from tests.learning.joint.pairs import bitext_of, lexicon_of

from dragoman.errors import ConfigError, InputError
from dragoman.evaluation.metrics import make_metric
from dragoman.learning.joint.config import JointConfig
from dragoman.learning.joint.learner import JointLearner, feature_names
from dragoman.learning.joint.passes import FilesBesideTable
from dragoman.lm.estimate import estimate_from_lines
from dragoman.model.weights import lowest_weights
from dragoman.rules.table import PhraseTable
from dragoman.search.options import SearchOptions
from dragoman.training.config import load

pytestmark = pytest.mark.slow

# Nouns translate word by word, adjectives move behind them, "ne" needs two words, "of" none.
WORDS = {f"n{i}": f"N{i}" for i in range(8)} | {f"a{i}": f"A{i}" for i in range(4)}
VERBS = {"v0": "V0", "v1": "V1 P", "v2": "V2"}


def sentences(count, seed):
    chance = random.Random(seed)
    source, target = [], []

    def noun_phrase():
        noun, adjective = f"n{chance.randrange(8)}", f"a{chance.randrange(4)}"
        if chance.random() < 0.5:
            return noun, WORDS[noun]
        return f"{adjective} {noun}", f"{WORDS[noun]} {WORDS[adjective]}"

    for _ in range(count):
        one, verb, other = noun_phrase(), chance.choice(sorted(VERBS)), noun_phrase()
        source.append(f"{one[0]} {verb} {other[0]}")
        target.append(f"{one[1]} {VERBS[verb]} {other[1]}")
    return source, target


class Toy:
    def __init__(self, directory, count=240, **changes):
        self.directory = directory
        directory.mkdir(exist_ok=True)
        self.train, self.dev = sentences(count, 1), sentences(30, 2)
        self.bitext = bitext_of(*self.train)
        for name, vocabulary in (
            ("source", self.bitext.source_vocabulary),
            ("target", self.bitext.target_vocabulary),
        ):
            vocabulary.save(str(directory / f"{name}.vocab"))
        estimate_from_lines(self.train[1], directory / "lm", order=3)
        self.files = FilesBesideTable(
            directory / "source.vocab", directory / "target.vocab", directory / "lm"
        )
        self.config = replace(JointConfig(max_iterations=3, batch=16), **changes)

    def learner(self, name="work", bitext=None, threads=2):
        place = self.directory / name
        place.mkdir(exist_ok=True)
        return JointLearner(
            bitext or self.bitext,
            lexicon_of(self.bitext),
            self.files,
            self.dev,
            make_metric("bleu", tokenize="none"),
            place,
            self.config,
            threads=threads,
        )

    def table(self, result):
        return PhraseTable.open(
            result.table, self.files.source_vocabulary, self.files.target_vocabulary
        )


@pytest.mark.parametrize(
    "changes",
    [
        {"null_rules": True},
        {"null_rules": True, "reordering": "distortion", "folds": 1},
        {"start": "zero"},
    ],
)
def test_the_loop_recovers_the_rules(tmp_path, changes):
    toy = Toy(tmp_path, **changes)
    result = toy.learner().run()
    table = toy.table(result)
    for source, target in WORDS.items():
        assert table.translations(source)[0].target == target
    if not toy.config.null_rules:  # else "P" may be an insertion
        assert table.translations("v1")[0].target == "V1 P"
    assert result.iterations[-1].reachability == 1
    best = max(entry.score for entry in result.iterations)
    assert best > 90
    assert result.iterations[result.best - 1].score == best
    assert np.isfinite(result.weights).all()
    assert result.features == feature_names(toy.config)


def test_threads_do_not_matter_and_a_resumed_run_ends_the_same(tmp_path, monkeypatch):
    toy = Toy(tmp_path, count=100)
    expected = toy.learner("whole", threads=1).run()
    learner = toy.learner("cut", threads=3)
    save = JointLearner._save

    def interrupted(self, history):
        save(self, history)
        if len(history) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(JointLearner, "_save", interrupted)
    with pytest.raises(KeyboardInterrupt):
        learner.run()
    monkeypatch.setattr(JointLearner, "_save", save)
    resumed = toy.learner("cut", threads=3).run()
    assert resumed.iterations == expected.iterations
    assert resumed.table.read_bytes() == expected.table.read_bytes()
    # Nothing is left to do.
    assert toy.learner("cut").run().iterations == expected.iterations


def test_improbable_rules_are_never_welcome(tmp_path):
    """Else derivations to learn from become improbable ones, and nothing leads back."""
    toy = Toy(tmp_path, count=120)
    lowest = lowest_weights(feature_names(toy.config))
    for entry in toy.learner().run().iterations:
        assert (np.array(entry.learnt) >= lowest).all()


def test_violations_are_differences_of_scores(tmp_path):
    toy = Toy(tmp_path, count=60)
    learner = toy.learner()
    learner._count(1, learner._forced(learner._start([])))
    table = tmp_path / "table"
    learner._workplace().write_table(table)
    models = learner._fold_models(1, toy.files.open(table))
    weights = learner._start([])
    for fold, batch in learner._batches(1):
        options = SearchOptions(
            "estimate", math.inf, beam_limit=3, distortion_limit=None, gap_limit=2
        )
        lessons = learner._trainer.learn(
            batch, 1e-9, models[fold], weights, options.native(), threads=2
        )
        assert lessons.violation == pytest.approx(-weights @ lessons.difference, abs=1e-4)
        assert lessons.correct + lessons.violations <= lessons.reachable <= lessons.pairs


def test_sparse_weights_are_a_column_of_the_table(tmp_path):
    toy = Toy(tmp_path, count=100, sparse=True, rate=0.5, start="zero")
    result = toy.learner().run()
    table = toy.table(result)
    assert table.file.features == ["tm.fwd", "tm.bwd", "lex.fwd", "lex.bwd", "sparse"]
    assert "sparse" in result.features


def test_long_sentences_are_cut(tmp_path):
    toy = Toy(tmp_path, count=60, max_words=5)
    lines = [" ".join(toy.train[side][i : i + 3]) for side in (0, 1) for i in range(0, 60, 3)]
    long = bitext_of(lines[:20], lines[20:])
    result = toy.learner(bitext=long).run()
    assert result.iterations[0].pairs > 20


def test_what_cannot_be_derived_is_counted(tmp_path):
    toy = Toy(tmp_path, count=40)
    source = [*toy.train[0], "n0", ""]
    target = [*toy.train[1], "N0 " * 20, ""]
    result = toy.learner(bitext=bitext_of(source, target)).run()
    first = result.iterations[0]
    assert (first.pairs, first.reachable, first.empty) == (42, 40, 1)


def test_a_corpus_without_any_derivation_is_an_error(tmp_path):
    toy = Toy(tmp_path, count=40)
    hopeless = bitext_of(["n0", "n1"], ["N0 " * 9, "N1 " * 9])
    with pytest.raises(InputError, match="none of 2 sentence pairs can be derived"):
        toy.learner(bitext=hopeless).run()


def test_without_a_dev_set_it_still_learns(tmp_path):
    toy = Toy(tmp_path, count=40)
    toy.dev = ([], [])
    assert toy.learner().run().best == 1


@pytest.mark.parametrize(
    "change", [{"k": 0}, {"max_length": 0}, {"folds": 0}, {"rate": -1.0}, {"max_words": 2}]
)
def test_bad_parameters(change):
    with pytest.raises(ConfigError, match=f"joint.{next(iter(change))}"):
        JointConfig(**change)


@pytest.fixture(scope="module")
def joint_model(tmp_path_factory):
    place = tmp_path_factory.mktemp("joint")
    files = []
    for name, (source, target) in (("train", sentences(240, 1)), ("dev", sentences(30, 2))):
        for side, lines in (("s", source), ("t", target)):
            path = place / f"{name}.{side}"
            path.write_text("".join(f"{line}\n" for line in lines))
            files.append(path)
    return place, files


def test_a_joint_model_is_an_ordinary_model(joint_model, run):
    place, (source, target, dev_source, dev_target) = joint_model
    settings = place / "joint.toml"
    settings.write_text("[joint]\nmax_iterations = 2\n[lm]\norder = 3\n")
    model = place / "model"
    arguments = ("train", "-s", source, "-t", target, "--dev", dev_source, dev_target)
    arguments += ("--tokeniser", "whitespace", "--method", "joint", "--config", settings)
    trained = run(*arguments, "-o", model, "-j", 2)
    assert trained.returncode == 0, trained.stderr
    assert "100.0% reachable" in trained.stderr
    again = run(*arguments, "-o", model)
    assert again.stderr.count("up to date") == 9
    translated = run("translate", model, "--tokenised", input="a1 n2 v1 n3\n")
    assert translated.stdout == "N2 A1 V1 P N3\n"
    history = json.loads((model / "joint.json").read_text())
    assert len(history["iterations"]) == 2
    shown = run("inspect", "phrases", model, "a1")
    assert "A1" in shown.stdout, shown.stderr
    # Tuned on top, rules are not learnt again.
    settings.write_text("[joint]\nmax_iterations = 2\ntune = true\n[lm]\norder = 3\n")
    settings.write_text(settings.read_text() + "[tune]\nmax_iterations = 2\n")
    tuned = run(*arguments, "-o", model)
    assert tuned.returncode == 0, tuned.stderr
    assert "joint: up to date" in tuned.stderr
    translated = run("translate", model, "--tokenised", input="a1 n2 v1 n3\n")
    assert translated.stdout == "N2 A1 V1 P N3\n"


def test_method_is_part_of_the_configuration(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text('method = "joint"\n[joint]\nreordering = "distortion"\n')
    loaded = load(path)
    assert loaded.method == "joint"
    assert loaded.joint.reordering == "distortion"
    path.write_text('method = "jont"\n')
    with pytest.raises(ConfigError, match="one of 'pipeline', 'joint'"):
        load(path)
