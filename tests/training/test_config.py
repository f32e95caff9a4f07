"""Configuration: defaults, TOML both ways, and every way to get it wrong."""

import pytest

from dragoman.corpus.config import PrepareConfig
from dragoman.errors import ConfigError, FileError
from dragoman.training.config import Config, dumps, load


def test_defaults_survive_a_round_trip(write):
    path = write("c.toml", dumps(Config()))
    assert load(path) == Config()


def test_values_survive_a_round_trip(write):
    changed = Config(prepare=PrepareConfig(tokeniser="char", max_words=7, drop_copies=False))
    assert load(write("c.toml", dumps(changed))) == changed


def test_an_integer_does_for_a_float(write):
    loaded = load(write("c.toml", "[prepare]\nmax_ratio = 3\n"))
    assert loaded.prepare.max_ratio == 3.0
    assert isinstance(loaded.prepare.max_ratio, float)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[prepare]\nmax_word = 3\n",
            "unknown key 'prepare.max_word'; did you mean 'prepare.max_words'?",
        ),
        ("[perpare]\n", "unknown key 'perpare'; did you mean 'prepare'?"),
        ("[prepare]\nzebra = 3\n", "unknown key 'prepare.zebra'; there are source_language, "),
        ("prepare = 3\n", "prepare must be a table"),
        ("[prepare]\nmax_words = 'many'\n", "max_words must be of type int, not 'many'"),
        ("[prepare]\nmax_words = true\n", "max_words must be of type int, not True"),
        ("[prepare]\nmax_words = 0\n", "max_words must lie between 1 and 65535, not 0"),
        ("[prepare]\nmax_ratio = 0.5\n", "max_ratio must be 1 or more, not 0.5"),
        ("[prepare]\ndev_size = -1\n", "dev_size must be 0 or more, not -1"),
        ("[prepare]\ntokeniser = 'mosses'\n", "must be one of 'auto', 'words'"),
        ("[prepare\n", "not valid TOML"),
    ],
)
def test_mistakes_are_explained(write, text, message):
    with pytest.raises(ConfigError, match=r"c\.toml") as caught:
        load(write("c.toml", text))
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"absent\.toml: No such file"):
        load(tmp_path / "absent.toml")
