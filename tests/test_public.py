"""What can be called from Python with names of `dragoman` alone."""

from dataclasses import replace
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

import dragoman
from dragoman import DragomanError, ModelError, UsageError

PHRASEBOOK = Path(__file__).resolve().parents[1] / "examples" / "phrasebook"
PAIRS = 300
QUICK = dragoman.Config()
QUICK = replace(QUICK, tune=replace(QUICK.tune, max_iterations=1, nbest=20))
LANGUAGES = {"source_language": "en", "target_language": "fr"}


class Said:
    """Keeps the messages of a training."""

    def __init__(self):
        self.lines = []

    def message(self, text):
        self.lines.append(text)

    def task(self, label, total=None, unit="items"):
        return dragoman.to_terminal(quiet=True).task(label, total, unit)


def lines_of(language, begin, end):
    return (PHRASEBOOK / f"train.{language}").read_text("utf-8").splitlines()[begin:end]


def pairs_of(begin, end):
    return list(zip(lines_of("en", begin, end), lines_of("fr", begin, end), strict=True))


def files_of(place, name, pairs):
    paths = place / f"{name}.en", place / f"{name}.fr"
    for side, path in enumerate(paths):
        path.write_text("".join(f"{pair[side]}\n" for pair in pairs), "utf-8")
    return paths


def train(corpus, model, **options):
    settings = {"tokeniser": "whitespace", "config": QUICK, "threads": 1, **LANGUAGES}
    return dragoman.train(corpus, model, **(settings | options))


@pytest.fixture(scope="module")
def translator(tmp_path_factory):
    place = tmp_path_factory.mktemp("public")
    corpus = files_of(place, "train", pairs_of(0, PAIRS))
    return train(corpus, place / "model", dev=files_of(place, "dev", pairs_of(PAIRS, PAIRS + 20)))


SENTENCE = "Where is the station ?"


# --- training ---------------------------------------------------------------------------------


def test_two_files_give_a_translator(translator):
    assert isinstance(translator, dragoman.Translator)
    assert translator.languages == ("en", "fr")
    assert translator.directory.shape.kind == "phrase"
    opened = dragoman.Translator.open(translator.directory.path)
    assert opened.translate(SENTENCE) == translator.translate(SENTENCE)


@pytest.mark.parametrize("form", ["pairs", "lists", "tsv", "tmx", "files"])
def test_every_form_of_a_corpus_is_read_alike(form, tmp_path, translator):
    pairs = pairs_of(0, 60)
    tsv, tmx = tmp_path / "a.tsv", tmp_path / "a.tmx"
    tsv.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), "utf-8")
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{escape(source)}</seg></tuv>'
        f'<tuv xml:lang="fr"><seg>{escape(target)}</seg></tuv></tu>'
        for source, target in pairs
    )
    tmx.write_text(f'<tmx version="1.4"><header/><body>{units}</body></tmx>', "utf-8")
    corpus = {
        "pairs": pairs,
        "lists": [list(pair) for pair in pairs],
        "tsv": str(tsv),
        "tmx": tmx,
        "files": [dragoman.ParallelFile.plain(*files_of(tmp_path, "plain", pairs))],
    }[form]
    made = train(corpus, tmp_path / "model", dev=pairs_of(60, 70))
    said = Said()
    # The same text in another form: what is made from it is up to date.
    train(pairs, tmp_path / "model", dev=pairs_of(60, 70), progress=said)
    rerun = [line for line in said.lines if line.endswith("up to date")]
    assert len(rerun) == (10 if form in ("pairs", "lists") else 9)
    assert made.translate("Thank you .")


def test_progress_can_be_shown(tmp_path, capsys):
    train(pairs_of(0, 40), tmp_path / "model", progress=True)
    shown = capsys.readouterr()
    assert "prepare: reads parallel text, cuts it into words and cleans it\n" in shown.err
    assert shown.out == ""
    train(pairs_of(0, 40), tmp_path / "model")
    assert capsys.readouterr().err == ""


def test_arguments_go_before_the_configuration(tmp_path):
    config = replace(QUICK, prepare=replace(QUICK.prepare, tokeniser="char", source_language="x"))
    made = train(pairs_of(0, 40), tmp_path / "model", config=config, kind="hiero")
    assert made.directory.shape.hierarchical
    assert made.directory.text.tokeniser == "whitespace"
    assert made.languages == ("en", "fr")
    assert made.translate("Thank you .")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"corpus": 5}, "corpus must be files or pairs of sentences, not 5"),
        ({"corpus": None}, "corpus must be files or pairs of sentences, not None"),
        ({"corpus": {"a": "b"}}, "corpus must be files or pairs of sentences, not {'a': 'b'}"),
        ({"corpus": []}, "corpus is empty"),
        ({"corpus": ("a", "b", "c")}, "two files are wanted, source and target, not 3"),
        (
            {"corpus": ["a.en", "a.fr"]},
            "pair 1 must be a source and a target sentence, not 'a.en'",
        ),
        ({"corpus": [("a", "b"), ("c", 3)]}, "pair 2 must be a source and a target sentence"),
        ({"corpus": [("a", "b", "c")]}, "pair 1 must be a source and a target sentence"),
        ({"corpus": "corpus.txt"}, "corpus.txt: the name says no format (.tsv, .tmx"),
        ({"dev": 5}, "dev must be files or pairs of sentences, not 5"),
        ({"lm_texts": "more.fr"}, "lm_texts must be a list of files, not 'more.fr'"),
        ({"trees": [3]}, "trees must be a path, not 3"),
        ({"model": 5}, "model must be a path, not 5"),
        ({"kind": "nice"}, "model must be one of 'phrase', 'hiero', not 'nice'"),
        ({"method": "magic"}, "method must be one of 'pipeline', 'joint', not 'magic'"),
        ({"preorder": "yes"}, "preorder.method must be one of 'off', 'trees', 'btg', not 'yes'"),
        ({"tokeniser": "mosses"}, "prepare.tokeniser must be one of 'auto', "),
        ({"config": {"lm": 3}}, "config must be of type Config, not {'lm': 3}"),
        ({"threads": 0}, "threads must be at least 1, not 0"),
        ({"progress": "yes"}, "progress must be True or False, not 'yes'"),
    ],
)
def test_training_names_the_mistake(tmp_path, arguments, message):
    given = {"corpus": [("a", "b")], "model": tmp_path / "model"} | arguments
    with pytest.raises(UsageError) as caught:
        dragoman.train(given.pop("corpus"), given.pop("model"), **given)
    assert str(caught.value).startswith(message)
    assert not (tmp_path / "model").exists()


def test_tuning_anew(translator, tmp_path):
    train(pairs_of(0, 60), tmp_path / "model")
    source, target = files_of(tmp_path, "dev", pairs_of(60, 80))
    for references in (target, [target, target]):
        config = replace(QUICK.tune, method="pro")
        tuned = dragoman.tune(tmp_path / "model", dev=(source, references), config=config)
        assert tuned.bundle.tuned
        assert tuned.directory.dev_scores()[0] == "BLEU"
    for wrong, message in (
        ({"dev": "dev.en"}, "dev must be a source file and its references, not 'dev.en'"),
        ({"dev": (source,)}, "dev must be a source file and its references"),
        ({"dev": (source, [])}, "a dev set needs at least one reference"),
        ({"config": QUICK}, "config must be of type TuneConfig"),
    ):
        with pytest.raises(UsageError, match=f"^{message}"):
            dragoman.tune(tmp_path / "model", **wrong)
    with pytest.raises(ModelError, match="no model there"):
        dragoman.tune(tmp_path / "absent")


def test_reestimating(translator, tmp_path):
    how = dragoman.Reestimation(tune=None)
    new = dragoman.reestimate(translator.directory.path, tmp_path / "new", how, threads=1)
    assert new.translate(SENTENCE)
    assert new.bundle.named_weights() == translator.bundle.named_weights()
    with pytest.raises(UsageError, match="how must be of type Reestimation, not 3"):
        dragoman.reestimate(translator.directory.path, tmp_path / "other", 3)
    with pytest.raises(ModelError, match="no trained model there"):
        dragoman.reestimate(tmp_path / "absent", tmp_path / "other")


# --- translating ------------------------------------------------------------------------------


def test_a_text_or_a_list_of_texts(translator):
    one = translator.translate(SENTENCE)
    assert "gare" in one
    assert translator.translate([SENTENCE, "", "Thank you ."])[:2] == [one, ""]
    assert translator.translate((SENTENCE,)) == [one]
    assert translator.translate(text for text in [SENTENCE]) == [one]
    assert translator.translate([]) == []
    assert translator.translate("") == ""
    assert translator.translate(f"  {SENTENCE}\n\n{SENTENCE}  {SENTENCE}\n") == (
        f"  {one}\n\n{one}  {one}\n"
    )
    assert translator.translate_lines([SENTENCE, ""]) == [one, ""]


def test_terms_from_python(translator, tmp_path):
    path = tmp_path / "terms.tsv"
    path.write_text("station\tHALTE\n")
    for terms in ({"station": "HALTE"}, [("station", "HALTE")], path, str(path)):
        assert "HALTE" in translator.translate(SENTENCE, terms=terms)
    # With a probability it is a suggestion, which may lose.
    assert "HALTE" not in translator.translate(SENTENCE, terms=[("station", "HALTE", 1e-9)])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: t.translate(None), "text must be a string or a list of strings, not None"),
        (lambda t: t.translate(5), "text must be a string or a list of strings, not 5"),
        (lambda t: t.translate(b"a"), "text must be a string or a list of strings, not b'a'"),
        (lambda t: t.translate({"a": 1}), "text must be a string or a list of strings, not {"),
        (lambda t: t.translate(["a", 3]), "text: number 2 must be a string, not 3"),
        (lambda t: t.translate_lines("a b"), "lines must be a list of strings, not 'a b'"),
        (lambda t: t.nbest(["a"]), "sentence must be of type str, not ['a']"),
        (lambda t: t.nbest("a", 0), "size must be at least 1, not 0"),
        (lambda t: t.nbest("a", "3"), "size must be of type int, not '3'"),
        (lambda t: t.explain(["a"]), "text must be of type str, not ['a']"),
        (lambda t: t.explain(" \n"), "there is nothing to translate"),
        (lambda t: t.translate("a", terms=3), "terms must be a mapping, pairs or a file, not 3"),
        (lambda t: t.translate("a", terms=["a"]), "a term is a source and a target, not 'a'"),
        (lambda t: t.translate("a", terms=[("a", 3)]), "a term is a source and a target, not"),
        (lambda t: t.translate("a", terms=[("a", "b", 2)]), "'a': a probability lies between"),
        (lambda t: t.translate("a", terms="absent"), "absent: No such file or directory"),
    ],
)
def test_translating_names_the_mistake(translator, call, message):
    with pytest.raises(DragomanError) as caught:
        call(translator)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads must be at least 1, not 0"),
        ({"options": {"beam_limit": 3}}, "options must be SearchOptions or ChartOptions, not {"),
        ({"options": dragoman.ChartOptions()}, "the model is a phrase model"),
        ({"weights": "absent.toml"}, "absent.toml: No such file"),
        ({"trees": "absent.trees"}, r"\S+: a model without preordering needs no --trees"),
    ],
)
def test_opening_names_the_mistake(translator, options, message):
    with pytest.raises(DragomanError, match=f"^{message}"):
        dragoman.Translator.open(translator.directory.path, **options)


def test_no_model_to_open(tmp_path):
    with pytest.raises(ModelError, match="absent: no model there"):
        dragoman.Translator.open(tmp_path / "absent")
    with pytest.raises(UsageError, match="model must be a path, not None"):
        dragoman.Translator.open(None)


def test_the_best_translations(translator):
    found = translator.nbest(SENTENCE, 8)
    assert found[0].text == str(found[0]) == translator.translate(SENTENCE)
    assert 1 < len(found) <= 8
    assert len({one.text for one in found}) == len(found)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    weights = translator.bundle.named_weights()
    for one in found:
        assert one.features.keys() == weights.keys()
        total = sum(weights[name] * value for name, value in one.features.items())
        assert total == pytest.approx(one.score, abs=1e-4)
        assert one.source == SENTENCE
        assert one.source_words == SENTENCE.split()
        covered = [place for phrase in one.phrases for place in range(*phrase.source_span)]
        assert sorted(covered) == list(range(len(one.source_words)))
        assert " ".join(phrase.target for phrase in one.phrases) == " ".join(one.words)
        assert all(i < len(one.source_words) and j < len(one.words) for i, j in one.alignment)
        assert not one.dictated and not one.problem
    assert len(translator.nbest(SENTENCE, 8, distinct=False)) == 8
    [forced] = translator.nbest("station", 1, terms={"station": "HALTE"})
    assert forced.words == ["HALTE"]
    [strange] = translator.nbest("zyzzyva", 1)
    assert [phrase.unknown for phrase in strange.phrases] == [True]


def test_why(translator):
    told = translator.explain(f"{SENTENCE} Thank you .", nbest=3)
    assert told["weights"] == translator.bundle.named_weights()
    first, second = told["sentences"]
    assert (first["source"], second["source"]) == (SENTENCE, "Thank you .")
    assert first["target"] == translator.translate(SENTENCE)
    assert len(first["nbest"]) == 3
    assert [one["search"] for one in first["searches"]] == ["pharaoh", "estimate", "early"]
    total = sum(phrase["score"] for phrase in first["phrases"])
    assert total == pytest.approx(first["score"], abs=1e-3)


def test_what_was_taught_is_obeyed_when_asked_for(translator, tmp_path):
    made = train(pairs_of(0, 60), tmp_path / "model")
    made.corrections.add("sentence", "Thank you .", "C’est gentil")
    assert made.translate("Thank you .", corrections=True) == "C’est gentil"
    assert made.translate("Thank you .") != "C’est gentil"
    assert made.nbest("Thank you .", 1, corrections=True)[0].dictated


# --- what it is made of -----------------------------------------------------------------------


def test_looking_into_a_model(translator):
    directory = dragoman.ModelDirectory.open(translator.directory.path)
    assert directory.languages == ("en", "fr")
    table = directory.phrase_table()
    assert isinstance(table, dragoman.PhraseTable)
    best = table.translations("the station")[0]
    assert best.target == "la gare"
    assert best.scores.keys() == set(table.features)
    model = dragoman.LanguageModel.open(directory.language_models()[0])
    assert model.score(["la gare"])[0] > model.score(["gare la"])[0]
    aligner = dragoman.Aligner.load(directory.path)
    [links] = aligner.align_text([("the station", "la gare")], threads=1)
    assert [tuple(link) for link in links[0]] == [(0, 0), (1, 1)]
    with pytest.raises(ModelError, match="no model there; make one with 'dragoman train'"):
        dragoman.ModelDirectory.open(directory.path / "corpus")


def test_aligning(capsys):
    source, target = ["das haus", "das buch", "ein buch"], ["the house", "the book", "a book"]
    links = dragoman.align(source, target, threads=1)
    assert isinstance(links, dragoman.Links)
    assert [[tuple(map(int, link)) for link in one] for one in links] == [[(0, 0), (1, 1)]] * 3
    dragoman.align(source, target, progress=True)
    for arguments, message in (
        (("das haus", ["the house"]), "source must be a list of strings, not 'das haus'"),
        ((["das haus"], None), "target must be a list of strings, not None"),
        ((["das haus"], [3]), "target: number 1 must be a string, not 3"),
        ((["das haus"], []), "1 source sentences but 0 target sentences"),
    ):
        with pytest.raises(DragomanError, match=f"^{message}"):
            dragoman.align(*arguments)
    with pytest.raises(UsageError, match="threads must be at least 1, not 0"):
        dragoman.align(source, target, threads=0)


def test_evaluating():
    hypotheses = ["the cat sleeps on the mat", "a dog barks"]
    references = ["the cat sleeps on the mat", "the dog barks"]
    scores = dragoman.evaluate(hypotheses, references)
    assert 0 < scores["bleu"] < 100
    assert [score.metric for score in scores] == ["BLEU", "chrF", "TER", "RIBES"]
    assert str(scores).count("\n") == 3
    perfect = dragoman.evaluate(hypotheses, [references, hypotheses], metrics=["chrf"])
    assert perfect["chrf"] == 100
    assert list(perfect.results) == ["chrf"]
    compared = dragoman.evaluate(
        hypotheses, references, metrics=["bleu"], baseline=references, trials=10
    )
    assert compared.results["bleu"].comparison.baseline == pytest.approx(100)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hypotheses": "a"}, "hypotheses must be a list of strings, not 'a'"),
        ({"hypotheses": None}, "hypotheses must be a list of strings, not None"),
        ({"hypotheses": [3]}, "hypotheses: number 1 must be a string, not 3"),
        ({"hypotheses": []}, "there is nothing to evaluate"),
        ({"references": "a"}, "references must be a list of strings, not 'a'"),
        ({"references": ["a", ["b"]]}, "references: number 2 must be a string, not ['b']"),
        ({"references": ["a", "b"]}, "1 translations but 2 lines in reference 1"),
        ({"metrics": "bleu"}, "metrics must be a list of strings, not 'bleu'"),
        ({"metrics": ["blue"]}, "a metric is bleu, chrf, ter, ribes, not 'blue'"),
        ({"baseline": ["a", "b"]}, "1 translations but 2 lines in the baseline"),
        ({"tokenize": "zzz"}, "tokenize zzz"),
    ],
)
def test_evaluating_names_the_mistake(arguments, message):
    given = {"hypotheses": ["a b"], "references": ["a b"]} | arguments
    with pytest.raises(DragomanError) as caught:
        dragoman.evaluate(given.pop("hypotheses"), given.pop("references"), **given)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "name",
    ["ConfigError", "FileError", "InputError", "MissingExtraError", "ModelError", "UsageError"],
)
def test_errors_are_of_one_family(name):
    assert issubclass(getattr(dragoman, name), DragomanError)
