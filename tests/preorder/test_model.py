"""Preordering inside a model: training, translating, and positions that stay the user's."""

import json
import random

import numpy as np
import pytest

from dragoman import Translator, train
from dragoman._core import GivenTranslation
from dragoman.alignment.links import Links
from dragoman.corpus.bitext import Bitext
from dragoman.corpus.config import PrepareConfig
from dragoman.errors import InputError, ModelError, UsageError
from dragoman.model.directory import ModelDirectory
from dragoman.preorder.config import PreorderConfig
from dragoman.report.config import ReportConfig
from dragoman.training.config import Config
from dragoman.translation.demands import MarkedLine
from dragoman.translation.preordering import ModelPreordering, carry
from dragoman.tuning.config import TuneConfig

NOUNS = {"hon": "books", "gohan": "rice", "mizu": "water", "kuruma": "cars"}
VERBS = {"yomu": "read", "taberu": "eat", "nomu": "drink", "miru": "see"}
SUBJECTS = {"watashi": "I", "kare": "he", "kanojo": "she"}


def corpus(count, seed):
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        s, n, v = (draw.choice(sorted(words)) for words in (SUBJECTS, NOUNS, VERBS))
        tree = f"(S (TP (N {s}) (P wa)) (VP (PP (N {n}) (P o)) (V {v})))"
        rows.append((f"{s} wa {n} o {v}", f"{SUBJECTS[s]} {VERBS[v]} {NOUNS[n]}", tree))
    return rows


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    place = tmp_path_factory.mktemp("corpus")
    for name, count in (("train", 200), ("dev", 12)):
        rows = corpus(count, len(name))
        for column, kind in enumerate(("src", "tgt", "trees")):
            text = "".join(f"{row[column]}\n" for row in rows)
            (place / f"{name}.{kind}").write_text(text, "utf-8")
    return place


def settings(method):
    return Config(
        prepare=PrepareConfig(tokeniser="whitespace", drop_duplicates=False),
        preorder=PreorderConfig(method=method, hash_bits=14, rounds=3, word_classes=6),
        tune=TuneConfig(max_iterations=1, nbest=5),
        report=ReportConfig(samples=2, alignments=2),
    )


def trained(files, place, method):
    trees = [files / "train.trees", files / "dev.trees"] if method == "trees" else []
    train(
        (files / "train.src", files / "train.tgt"),
        place,
        dev=(files / "dev.src", files / "dev.tgt"),
        trees=trees,
        config=settings(method),
        threads=1,
    )
    return place


@pytest.fixture(scope="module")
def tree_model(files, tmp_path_factory):
    return trained(files, tmp_path_factory.mktemp("trees") / "model", "trees")


@pytest.fixture(scope="module")
def btg_model(files, tmp_path_factory):
    return trained(files, tmp_path_factory.mktemp("btg") / "model", "btg")


def test_the_model_sees_the_new_order(tree_model, btg_model):
    for model in (tree_model, btg_model):
        words = [model / "corpus/source.vocab", model / "corpus/target.vocab"]
        original = Bitext.open(model / "corpus/train.bitext", *words)
        reordered = Bitext.open(model / "preorder/train.bitext", *words)
        orders = np.load(model / "preorder/train.orders.npy")
        assert len(original) == len(reordered)
        for index in range(len(original)):
            begin, end = (int(original.source.offsets[index + k]) for k in (0, 1))
            mapped = original.source[index][orders[begin:end]]
            assert (mapped == reordered.source[index]).all()
            assert (original.target[index] == reordered.target[index]).all()
        report = json.loads((model / "preorder/report.json").read_text())
        assert report["before"]["tau"] < report["after"]["tau"]
        first = reordered.source_text(0).split()
        assert first.index("o") > min(first.index(verb) for verb in VERBS if verb in first)
        links = Links.open(model / "align/links")
        links.check_against(reordered.source.offsets, reordered.target.offsets)


def test_both_translate(files, tree_model, btg_model):
    lines = ["kare wa mizu o miru", "watashi wa hon o taberu"]
    expected = ["he see water", "I eat books"]
    assert Translator.open(btg_model).translate(lines) == expected
    trees = files / "new.trees"
    trees.write_text(
        "(S (TP (N kare) (P wa)) (VP (PP (N mizu) (P o)) (V miru)))\n"
        "(S (TP (N watashi) (P wa)) (VP (PP (N hon) (P o)) (V taberu)))\n"
    )
    assert Translator.open(tree_model, trees=trees).translate(lines) == expected
    with pytest.raises(ModelError, match=r"give the trees of the lines with --trees"):
        Translator.open(tree_model).translate(lines)
    with pytest.raises(UsageError, match="only 2 trees"):
        Translator.open(tree_model, trees=trees).translate([*lines, lines[0]])
    with pytest.raises(InputError, match="word 1 of the tree is 'kare'"):
        Translator.open(tree_model, trees=trees).translate(lines[::-1])
    with pytest.raises(UsageError, match="makes its own trees"):
        Translator.open(btg_model, trees=trees)


def test_traces_speak_of_the_users_words(btg_model, tmp_path, run):
    line = "kanojo wa kuruma o miru"
    source, trace = tmp_path / "in", tmp_path / "trace"
    source.write_text(line + "\n")
    result = run("translate", btg_model, "-i", source, "--trace", trace)
    assert result.stdout == "she see cars\n", result.stderr
    story = json.loads(trace.read_text())
    words = line.split()
    assert story["source"] == line
    assert story["preordered"].split() == [words[place] for place in story["order"]]
    target = story["target"].split()
    pairs = {(words[i], target[j]) for i, j in story["alignment"]}
    assert {("kanojo", "she"), ("miru", "see"), ("kuruma", "cars")} <= pairs
    for phrase in story["phrases"]:
        begin, end = phrase["source_span"]
        places = phrase.get("source_positions", list(range(begin, end)))
        assert sorted(phrase["source"].split()) == sorted(words[place] for place in places)


def test_it_is_served_and_looked_into_like_any_other(btg_model):
    from starlette.testclient import TestClient

    from dragoman.server.api import Settings
    from dragoman.server.app import create_app, open_models

    line = "kanojo wa kuruma o miru"
    words = line.split()
    settings = Settings()
    app = create_app(open_models([btg_model], threads=1, settings=settings), settings)
    with TestClient(app, base_url="http://localhost") as client:
        plain = client.post("/translate", json={"q": line})
        assert plain.json()["translatedText"] == "she see cars", plain.text
        inspected = client.post("/inspect", json={"q": line}).json()
    for told in (
        inspected["sentences"][0],
        Translator.open(btg_model).explain(line)["sentences"][0],
    ):
        target = told["target"].split()
        pairs = {(words[i], target[j]) for i, j in told["alignment"]}
        assert {("kanojo", "she"), ("miru", "see"), ("kuruma", "cars")} <= pairs


def test_terms_and_walls_survive(btg_model, tmp_path, run):
    source = tmp_path / "in"
    source.write_text(
        'kare wa <t term="H2O">mizu o</t> miru\nkare wa mizu o miru <b> kare wa hon o yomu </b>\n'
    )
    result = run("translate", btg_model, "-i", source, "--markup")
    first, second = result.stdout.splitlines()
    assert first == "he see H2O", result.stderr
    assert second == "he see water <b> he read books </b>"
    assert result.returncode == 0


def test_carrying_demands():
    line = MarkedLine(["a", "b", "c", "d", "e"], [GivenTranslation(1, 3, "x")], [(3, 5)], [])
    seen = carry(line, [4, 2, 0, 1, 3])
    assert list(line.order) == [4, 3, 2, 1, 0]
    assert seen.tokens == ["e", "d", "c", "b", "a"]
    assert (seen.given, seen.zones) == ([GivenTranslation(2, 4, "x")], [(0, 2)])
    walled = MarkedLine(["a", "b", "c", "d"], walls=[2])
    assert carry(walled, [3, 1, 2, 0]).tokens == ["b", "a", "d", "c"]
    crossing = MarkedLine(
        ["a", "b", "c"],
        [GivenTranslation(0, 2, "x", 0.0, False), GivenTranslation(1, 3, "y", 0.0, False)],
    )
    assert carry(crossing, [1, 0, 2]).tokens == ["a", "b", "c"]
    assert list(crossing.order) == [0, 1, 2]


def test_training_without_it_again_forgets_it(files, tmp_path):
    model = trained(files, tmp_path / "model", "btg")
    assert ModelPreordering.of_model(ModelDirectory(model)) is not None
    trained(files, model, "off")
    directory = ModelDirectory(model)
    assert ModelPreordering.of_model(directory) is None
    with pytest.raises(UsageError, match="without preordering needs no --trees"):
        ModelPreordering.of_model(directory, files / "train.trees")


def test_nothing_is_done_twice(files, tree_model):
    before = ModelDirectory(tree_model).manifest
    trained(files, tree_model, "trees")
    assert ModelDirectory(tree_model).manifest == before


def test_a_model_that_needs_trees_cannot_stand_alone(tree_model, btg_model):
    ModelPreordering.of_model(ModelDirectory(btg_model)).check_trees()
    ordering = ModelPreordering.of_model(ModelDirectory(tree_model))
    wanted = r"no parser of its own: give .*--trees; .*pip install '.*\[spacy\]'.*\[preorder\]"
    with pytest.raises(ModelError, match=wanted):
        ordering.check_trees()
    with pytest.raises(UsageError, match=wanted):
        ordering.orders(["a sentence without a tree"])


def test_wrong_settings(files, tmp_path):
    def attempt(method, trees):
        corpus = (files / "train.src", files / "train.tgt")
        train(corpus, tmp_path / "m", trees=trees, config=settings(method))

    with pytest.raises(UsageError, match="needs them: give files"):
        attempt("trees", [])
    with pytest.raises(UsageError, match="makes its own trees"):
        attempt("btg", [files / "train.trees"])
    with pytest.raises(UsageError, match="trees are for preordering"):
        attempt("off", [files / "train.trees"])
    with pytest.raises(InputError, match="no tree has the words of sentence"):
        attempt("trees", [files / "dev.trees"])
