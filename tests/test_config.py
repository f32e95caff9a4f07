"""Configuration: defaults, TOML both ways, and every way to get it wrong."""

import pytest

from dragoman import config
from dragoman.corpus.config import PrepareConfig
from dragoman.errors import ConfigError, FileError
from dragoman.training.config import Config


def test_defaults_survive_a_round_trip(write):
    path = write("c.toml", config.dumps(Config()))
    assert config.load(path) == Config()


def test_values_survive_a_round_trip(write):
    changed = Config(prepare=PrepareConfig(tokeniser="char", max_words=7, drop_copies=False))
    assert config.load(write("c.toml", config.dumps(changed))) == changed


def test_an_integer_does_for_a_float(write):
    loaded = config.load(write("c.toml", "[prepare]\nmax_ratio = 3\n"))
    assert loaded.prepare.max_ratio == 3.0
    assert isinstance(loaded.prepare.max_ratio, float)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[prepare]\nmax_word = 3\n", "unknown key 'max_word'; did you mean 'max_words'?"),
        ("[perpare]\n", "unknown key 'perpare'; did you mean 'prepare'?"),
        ("[prepare]\nzebra = 3\n", "unknown key 'zebra'"),
        ("prepare = 3\n", "prepare must be a table"),
        ("[prepare]\nmax_words = 'many'\n", "max_words must be of type int, not 'many'"),
        ("[prepare]\nmax_words = true\n", "max_words must be of type int, not True"),
        ("[prepare]\nmax_words = 0\n", "between 1 and 65535, not 0"),
        ("[prepare]\nmax_ratio = 0.5\n", "at least 1"),
        ("[prepare]\ndev_size = -1\n", "not be negative"),
        ("[prepare]\ntokeniser = 'mosses'\n", "must be one of 'moses', 'whitespace'"),
        ("[prepare\n", "not valid TOML"),
    ],
)
def test_mistakes_are_explained(write, text, message):
    with pytest.raises(ConfigError, match=r"c\.toml") as caught:
        config.load(write("c.toml", text))
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"absent\.toml: No such file"):
        config.load(tmp_path / "absent.toml")


@pytest.mark.parametrize(
    ("tokeniser", "truecase", "expected"),
    [
        ("moses", "auto", True),
        ("whitespace", "auto", False),
        ("char", "auto", False),
        ("whitespace", "yes", True),
        ("moses", "no", False),
    ],
)
def test_automatic_truecasing(tokeniser, truecase, expected):
    assert PrepareConfig(tokeniser=tokeniser, truecase=truecase).truecases is expected
