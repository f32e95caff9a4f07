"""Training as a whole: what comes out, what is said, and that it is the same every time."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import dragoman
from dragoman.corpus.config import PrepareConfig
from dragoman.corpus.read import ParallelFile
from dragoman.errors import DragomanError, InputError, ModelError, UsageError
from dragoman.layout import SORTED_PHRASES, WEIGHTS
from dragoman.model.bundle import Bundle
from dragoman.model.directory import ModelDirectory
from dragoman.training.config import Config
from dragoman.training.plan import Material
from dragoman.training.stages.tune import DevFiles
from dragoman.training.train import run_training, run_tuning
from dragoman.tuning.config import TuneConfig

pytestmark = pytest.mark.slow

PHRASEBOOK = Path(__file__).resolve().parents[2] / "examples" / "phrasebook"
QUICK = Config(tune=TuneConfig(max_iterations=3, nbest=30))


class Said:
    """Keeps what progress is told."""

    def __init__(self):
        self.lines = []

    def message(self, text):
        self.lines.append(text)

    def task(self, label, total=None, unit="items"):
        from dragoman.progress import SILENT

        return SILENT.task(label, total, unit)


def some_lines(tmp_path, part, count, language, begin=0):
    lines = (PHRASEBOOK / f"{part}.{language}").read_text("utf-8").splitlines()
    path = tmp_path / f"{part}.{begin}.{count}.{language}"
    path.write_text("".join(f"{line}\n" for line in lines[begin : begin + count]), "utf-8")
    return path


def some_pairs(tmp_path, part, count, begin=0):
    files = (some_lines(tmp_path, part, count, language, begin) for language in ("en", "fr"))
    return ParallelFile.plain(*files)


OWN = object()  # the dev set of the phrasebook


def train(tmp_path, count=600, config=QUICK, dev=OWN, kind="phrase", lm_texts=(), threads=None):
    said = Said()
    outcomes = run_training(
        Material(
            [some_pairs(tmp_path, "train", count)],
            some_pairs(tmp_path, "dev", 60) if dev is OWN else dev,
            lm_texts=lm_texts,
        ),
        tmp_path / "model",
        replace(config, model=kind, prepare=PrepareConfig(tokeniser="whitespace")),
        threads=threads,
        progress=said,
    )
    return outcomes, said.lines


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    place = tmp_path_factory.mktemp("training")
    outcomes, _ = train(place)
    return place / "model", outcomes


def digests(model):
    return {
        str(path.relative_to(model)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(model.rglob("*"))
        if path.is_file()
    }


def test_stages_and_what_they_leave(model):
    path, outcomes = model
    names = [
        "prepare",
        "align",
        "lm",
        "rules",
        "context",
        "unknown",
        "tune",
        "resort",
        "confidence",
        "report",
    ]
    assert [outcome.stage for outcome in outcomes] == names
    assert all(outcome.ran and outcome.bytes_written for outcome in outcomes)
    history = json.loads((path / "tuning.json").read_text())
    assert history["score"] >= history["iterations"][0]["score"]
    assert dragoman.Translator.open(path).translate(["Thank you ."])[0]


def test_two_runs_give_the_same_bytes_whatever_the_threads(model, tmp_path):
    train(tmp_path, threads=1)
    assert digests(tmp_path / "model") == digests(model[0])


def test_another_seed_runs_tuning_and_what_follows_only(model, tmp_path):
    train(tmp_path)
    config = Config(tune=TuneConfig(max_iterations=3, nbest=30, seed=2))
    outcomes, _ = train(tmp_path, config=config)
    assert next(outcome.stage for outcome in outcomes if outcome.ran) == "tune"


def test_the_report_is_whole_and_needs_nothing_else(model):
    page = (model[0] / "report.html").read_text("utf-8")
    addresses = set(re.findall(r"""["'(]\s*((?:https?:)?//[^"')\s]+)""", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # a name, which nobody fetches
    assert not re.search(r"<(script|link|img|iframe)\b", page)
    for part in ("Corpus", "Tuning", "Alignments", "Translations of dev sentences", "<polyline"):
        assert part in page
    assert page.count("<article>") == 20
    assert page.count("<svg") == 3 + 6  # two of tuning and one of confidence; links


def test_the_sorted_table_is_used_until_it_is_stale(model, tmp_path):
    train(tmp_path, count=200)
    directory = ModelDirectory(tmp_path / "model")
    assert directory.table_in_use() == SORTED_PHRASES
    sorted_model, full = (
        Bundle.of_files(directory.model_files(full_table=whole)).native.phrase_pairs
        for whole in (False, True)
    )
    assert 0 < sorted_model <= full
    assert Bundle.open(directory).native.phrase_pairs == sorted_model
    # With other weights, what is the best of each phrase is not known.
    other = Bundle.open(directory, weights=directory.file(WEIGHTS))
    assert other.native.phrase_pairs == full
    directory.write_manifest(directory.manifest.without_stage("rules"))
    assert directory.table_in_use() != SORTED_PHRASES


def test_tuning_anew_with_several_references_and_other_methods(model, tmp_path):
    train(tmp_path, count=300)
    path = tmp_path / "model"
    source, target = (some_lines(tmp_path, "test", 8, language) for language in ("en", "fr"))
    other = tmp_path / "other.fr"
    other.write_text(target.read_text("utf-8").replace("le", "la"), "utf-8")
    for method in ("mert", "pro"):
        outcomes = run_tuning(
            path,
            dev=DevFiles(source, (target, other)),
            config=TuneConfig(method=method, max_iterations=2, nbest=5),
        )
        names = ["tune", "resort", "confidence", "test", "report"]
        assert [outcome.stage for outcome in outcomes] == names
        assert outcomes[0].ran
        history = json.loads((path / "tuning.json").read_text())
        assert history["score"] >= history["iterations"][0]["score"]
    assert not run_tuning(
        path,
        dev=DevFiles(source, (target, other)),
        config=TuneConfig(method="pro", max_iterations=2, nbest=5),
    )[0].ran


def test_tuning_that_cannot_be(model, tmp_path, write):
    short = write("short", "un\n")
    with pytest.raises(ModelError, match="no model there"):
        run_tuning(tmp_path / "absent")
    with pytest.raises(UsageError, match="at least one reference"):
        run_tuning(model[0], dev=DevFiles(short, ()))
    with pytest.raises(InputError, match="has 1 lines but .* has 2"):
        run_tuning(model[0], dev=DevFiles(short, (write("long", "un\ndeux\n"),)))


def test_interrupted_tuning_goes_on(model, tmp_path, monkeypatch):
    from dragoman.search import engine

    real, calls = engine.decode_nbest, []

    def interrupted(*arguments, **options):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*arguments, **options)

    monkeypatch.setattr(engine, "decode_nbest", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path)
    done = len(calls)
    train(tmp_path)
    assert len(calls) - done == 1  # the third round; the first two are not decoded again
    assert digests(tmp_path / "model") == digests(model[0])


def test_without_a_dev_set_one_is_split_off(tmp_path):
    _, said = train(tmp_path, count=400, dev=None)
    assert "no dev set given: 20 pairs are set aside for tuning, 20 for testing" in said


def test_a_dev_set_that_overlaps_is_told(tmp_path):
    _, said = train(tmp_path, count=400, dev=some_pairs(tmp_path, "train", 30, begin=100))
    assert any("30 training pairs are also in the dev" in line for line in said)


def test_fifty_pairs_work_and_are_warned_about(tmp_path):
    _, said = train(tmp_path, count=50, dev=None)
    assert any("only 46 sentence pairs" in line for line in said)
    assert dragoman.Translator.open(tmp_path / "model").translate(["Thank you ."])[0]


def test_too_little_is_an_error(tmp_path, write):
    one = write("one", "hello\n"), write("eins", "hallo\n")
    with pytest.raises(InputError, match="1 sentence pair is left to train on, of 1 read"):
        dragoman.train(one, tmp_path / "m")
    with pytest.raises(InputError, match="source and target are the same text"):
        dragoman.train((one[0], one[0]), tmp_path / "m")
    with pytest.raises(DragomanError):
        dragoman.train((one[0], write("none", "")), tmp_path / "m")


def test_a_dev_set_of_unknown_words(tmp_path, write):
    dev = write("dev.en", "zzz qqq\n" * 5), write("dev.fr", "un deux\n" * 5)
    _, said = train(tmp_path, count=200, dev=ParallelFile.plain(*dev))
    assert any("no word of the dev set occurs in the training text" in line for line in said)
    assert dragoman.Translator.open(tmp_path / "model").translate(["Thank you ."])[0]
    mixed = write("half.en", "zzz the\n" * 5), write("half.fr", "un le\n" * 5)
    _, said = train(tmp_path, count=200, dev=ParallelFile.plain(*mixed))
    assert any("50% of the words of the dev set do not occur" in line for line in said)


def test_more_text_for_the_language_model(tmp_path):
    more = some_lines(tmp_path, "train", 2000, "fr", begin=1000)
    _, said = train(tmp_path, count=200, lm_texts=[more])
    told = [line for line in said if "further text has a weight of" in line]
    without, with_it = (float(n) for n in re.findall(r"(\d+\.\d+) with", told[0]))
    assert with_it < without
    _, said = train(tmp_path, count=200, lm_texts=[more])
    assert "lm: up to date" in said


def test_character_mode(tmp_path):
    pairs = {"s": "", "t": ""}
    for number in range(200):
        word = "".join("abcde"[(number * step) % 5] for step in (1, 2, 3, 7))
        pairs["t"] += f"{word} kat\n"
        pairs["s"] += f"{word.replace('a', 'aa')} cat\n"
    for name, text in pairs.items():
        (tmp_path / name).write_text(text)
    config = Config(tune=TuneConfig(max_iterations=2, nbest=20))
    corpus = (tmp_path / "s", tmp_path / "t")
    translator = dragoman.train(corpus, tmp_path / "m", tokeniser="char", config=config)
    assert translator.translate(["bbbb cat"]) == ["bbbb kat"]


def test_the_commands(run, model, tmp_path):
    source, target = (some_lines(tmp_path, "train", 120, language) for language in ("en", "fr"))
    path = tmp_path / "m"
    first = run("train", "-s", source, "-t", target, "--tokeniser", "whitespace", "-o", path)
    assert first.returncode == 0, first.stderr
    assert re.search(r"BLEU on the dev set: [\d.]+ before tuning, [\d.]+ after", first.stdout)
    assert "report.html" in first.stdout
    tuned = run("tune", path, "--dev", source, target, "--method", "mert", "--rounds", 2)
    assert tuned.returncode == 0, tuned.stderr
    assert "BLEU on the dev set" in tuned.stdout
    wrong = run("tune", path, "--method", "guess")
    assert wrong.returncode == 2
    assert "--method must be one of mira" in wrong.stderr
    assert run("tune", path, "--ref", target).returncode == 2


def test_help_begins_with_what_everybody_needs(run):
    shown = run("train", "--help").stdout
    first, rest = shown[shown.index("Options") :].split("How text is cut into words", 1)
    for option in ("--source", "--target", "--from", "--dev", "--output"):
        assert option in first
    assert first.index("--source") < first.index("--tmx")
    for option in ("--tokeniser", "--config", "--from-stage"):
        assert option in rest and option not in first
