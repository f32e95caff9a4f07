"""Several models that agree on one translation, and one that agrees with itself."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.reference.consensus import features

from dragoman import Translator
from dragoman.errors import DragomanError, ModelError, UsageError
from dragoman.model.directory import ModelDirectory
from dragoman.search.consensus import SCALE, Agreement, default_weights, feature_names
from dragoman.translation.consensus import names_of
from dragoman.translation.result import Wants

SENTENCES = ["where is the station ?", "I would like a room .", "the zwieback is cold .", ""]


@pytest.fixture(scope="module")
def other(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that differs from `trained` in its weights alone."""
    place = Path(shutil.copytree(trained, tmp_path_factory.mktemp("other") / "other"))
    (place / "weights.toml").write_text(
        'lm = 0.1\n"tm.fwd" = 0.2\n"tm.bwd" = 0.5\nwords = 0.2\nunknown = -10.0\n', "utf-8"
    )
    return place


def changed(model: Path, place: Path, pattern: str, replacement: str) -> Path:
    """A copy of a model whose manifest says something else."""
    copy = Path(shutil.copytree(model, place / "changed"))
    told = (copy / "model.toml").read_text("utf-8").split("\n", 1)[1]  # without its seal
    again, count = re.subn(pattern, replacement, told)
    assert count
    (copy / "model.toml").write_text(again, "utf-8")
    return copy


def test_one_model_counts_as_bleu_says():
    weights = default_weights(1)
    assert len(weights) == len(feature_names(["m"])) == 7
    assert weights[-1] == -1
    assert weights[2:6] == pytest.approx([0.2941, 0.4085, 0.5674, 0.7880], abs=1e-4)
    # Of models that are all the same, each counts its part.
    assert default_weights(2)[2:6] == pytest.approx(weights[2:6] / 2)


def test_features_are_what_their_definition_says(trained, other):
    together = Translator.open(trained, others=[other], mbr=30)
    sources = [together.source_of(line) for line in SENTENCES]
    prepared = [together.prepare(source) for source in sources]
    wants = Wants(nbest=30, distinct=True)
    lists = [member.search_alone(prepared, wants) for member in together.consensus.members]
    found = together.search(prepared, Wants(nbest=5))
    for place, result in enumerate(found):
        listed = [[(e.target.split(), e.score) for e in one[place].nbest] for one in lists]
        candidates = {entry.target for one in lists for entry in one[place].nbest}
        weights = together.consensus.agreement.weights
        scores = sorted(
            (np.dot(weights, features(text.split(), listed, SCALE)) for text in candidates),
            reverse=True,
        )
        assert [entry.score for entry in result.nbest] == pytest.approx(scores[:5], abs=1e-9)
        assert result.best.score == pytest.approx(scores[0], abs=1e-9)
        for entry in result.nbest:
            values = features(entry.target.split(), listed, SCALE)
            assert entry.features.tolist() == pytest.approx(values, abs=1e-9)
            member = lists[entry.member][place]
            assert entry.target in [one.target for one in member.nbest]


def test_a_model_agrees_with_itself(trained):
    alone = Translator.open(trained)
    lines = SENTENCES[:3]
    # A list of one leaves no choice.
    assert Translator.open(trained, mbr=1).translate_lines(lines) == alone.translate_lines(lines)
    twice = Translator.open(trained, others=[trained], mbr=20)
    once = Translator.open(trained, mbr=20)
    assert twice.translate_lines(lines) == once.translate_lines(lines)
    assert twice.twin(threads=2).translate_lines(lines) == twice.translate_lines(lines)
    assert twice.features[:1] == ["phrasebook.score"]
    assert twice.features[6:7] == ["phrasebook'.score"]
    best = twice.nbest("where is the station ?", 3)
    assert best[0].text == twice.translate("where is the station ?")
    assert best[0].score == pytest.approx(
        sum(
            weight * best[0].features[name]
            for name, weight in zip(twice.features, twice.consensus.agreement.weights, strict=True)
        )
    )


def test_names_are_told_apart(tmp_path):
    places = [ModelDirectory(tmp_path / name) for name in ("a/m", "b/m", "b/n")]
    assert names_of(places) == ["m", "m'", "n"]


def test_agreements_are_kept(tmp_path):
    path = tmp_path / "consensus.toml"
    kept = Agreement(("plain", "btg"), np.arange(13.0), 5.0, 70)
    kept.save(path)
    again = Agreement.load(path)
    assert (again.members, again.scale, again.list_size) == (kept.members, 5.0, 70)
    assert again.weights.tolist() == kept.weights.tolist()
    text = path.read_text("utf-8")
    path.write_text(text.replace("scale = 5.0", "scale = 6.0"), "utf-8")
    with pytest.raises(ModelError, match="checksum"):
        Agreement.load(path)
    for said, odd in (
        ("scale = 5.0", "scale = -1"),
        ("scale = 5.0", "scale = inf"),
        ("scale = 5.0", "scale = nan"),
        ("list_size = 70", "list_size = 0"),
        ("list_size = 70", "list_size = inf"),
        ("list_size = 70", "list_size = 1000001"),
    ):
        path.write_text(text.split("\n", 1)[1].replace(said, odd), "utf-8")
        with pytest.raises(ModelError, match=r"consensus\.toml: damaged"):
            Agreement.load(path)


@pytest.mark.parametrize(
    ("pattern", "replacement", "message"),
    [
        ('source_language = "en"', 'source_language = "de"', "its source language is de"),
        ('target_language = "fr"', 'target_language = "it"', "its target language is it"),
        ('source_tokeniser = "moses"', 'source_tokeniser = "char"', "source tokeniser is char"),
        ('truecase = "auto"', 'truecase = "no"', "truecasing is off"),
        ("^format = 1", "format = 99", "model format version 99"),
    ],
)
def test_models_that_do_not_go_together(trained, tmp_path, pattern, replacement, message):
    strange = changed(trained, tmp_path, f"(?m){pattern}", replacement)
    with pytest.raises(DragomanError, match=message):
        Translator.open(trained, others=[strange])


def test_a_model_that_is_not_there(trained, tmp_path):
    with pytest.raises(ModelError, match="no model there"):
        Translator.open(trained, others=[tmp_path / "nowhere"])
    with pytest.raises(UsageError, match="alone"):
        Translator.open(trained, others=[trained], alone=True)
    with pytest.raises(UsageError, match="others must be a list of models, not "):
        Translator.open(trained, others=str(trained))


def test_tokens_may_come_from_anywhere(trained, tmp_path):
    strange = changed(trained, tmp_path, 'source_tokeniser = "moses"', 'source_tokeniser = "char"')
    together = Translator.open(trained, others=[strange], tokenised=True)
    assert together.translate_lines(["the station"])


@pytest.mark.parametrize("option", ["--reference", "--trace", "--graph"])
def test_what_is_about_one_search_is_refused(trained, run, tmp_path, option):
    done = run("translate", trained, "--with", trained, option, tmp_path / "file", input="a\n")
    assert done.returncode == 2
    assert f"{option} is about one model's search" in done.stderr
