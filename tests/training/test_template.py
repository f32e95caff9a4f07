"""Configuration files explained, and tasks."""

import re
import tomllib

import pytest

import dragoman
from dragoman.declared import to_mapping
from dragoman.errors import UsageError
from dragoman.training.config import Config, load
from dragoman.training.tasks import task_config
from dragoman.training.template import explain, template


def test_the_template_says_nothing_until_somebody_takes_the_hash_away(write):
    text = template()
    assert load(write("a.toml", text)) == Config()
    # With all of them taken away, it says what is the case anyway.
    said = re.sub(r"^#(?=\w+ = )(?!.*leave it out)", "", text, flags=re.M)
    assert load(write("b.toml", said)) == Config()
    content = tomllib.loads(said)
    usual = to_mapping(Config())
    assert content.keys() == usual.keys()
    assert content["lm"] == {**usual["lm"], **content["lm"]}
    assert "dev_size" in content["prepare"]


def test_what_a_key_means():
    assert explain("lm.order").startswith("lm.order\n")
    assert "default: 5" in explain("lm.order")
    assert explain("order") == explain("lm.order")
    assert explain("lm").startswith("[lm]  Estimates language models")
    assert "tune.seed" in explain("seed")
    assert "joint.seed" in explain("seed")
    with pytest.raises(UsageError, match="did you mean 'lm.order'"):
        explain("lm.ordr")


def test_from_the_command_line(run, tmp_path):
    path = tmp_path / "a.toml"
    assert run("config", "-o", path).returncode == 0
    assert path.read_text() == template() == run("config").stdout
    again = run("config", "-o", path)
    assert (again.returncode, path.read_text()) == (2, template())
    assert "may hold your settings" in again.stderr
    assert "How many words the longest n-grams have" in run("config", "lm.order").stdout
    assert run("config", "lm.order", "-o", tmp_path / "b").returncode == 2


def test_a_file_goes_before_the_task(write):
    path = write("a.toml", "[lm]\norder = 6\n[prepare]\nmax_words = 300\n")
    found = load(path, task_config("spelling"))
    assert (found.lm.order, found.prepare.max_words) == (6, 300)
    assert found.prepare.tokeniser == "char"
    assert not found.prepare.drop_copies
    assert load(path).prepare.tokeniser == "auto"
    assert task_config("translation") == Config()


@pytest.mark.slow
def test_spelling_is_learnt_letter_by_letter(tmp_path, run):
    words = ["maison", "jardin", "chemin", "matin", "voisin", "raison", "saison", "dessin"]
    lines = [f"{one} {two}" for one in words for two in words]
    right = tmp_path / "right"
    right.write_text("".join(f"{line}\n" for line in lines))
    old = tmp_path / "old"
    old.write_text("".join(f"{line.replace('i', 'y')}\n" for line in lines))
    for name in ("old", "right"):
        text = (tmp_path / name).read_text()
        (tmp_path / name).write_text(text + "le bon mot\n" * 3)
    done = run(
        *("train", "-s", old, "-t", right, "--from", "fr", "--task", "spelling"),
        *("-o", tmp_path / "model", "-j", 1),
    )
    assert done.returncode == 0, done.stderr
    assert "same text were dropped" not in done.stderr
    directory = dragoman.ModelDirectory(tmp_path / "model")
    assert directory.languages == ("fr", "fr")
    said = dragoman.Translator.open(directory).translate_lines(["voysyn mayson", "saysyn"])
    assert said == ["voisin maison", "saisin"]
    plain = run("train", "-s", old, "-t", right, "-o", tmp_path / "plain", "-j", 1)
    assert "pairs whose sides are the same text were dropped" in plain.stderr
    with pytest.raises(UsageError, match="a task or a config"):
        dragoman.train((old, right), tmp_path / "m", task="spelling", config=Config())
