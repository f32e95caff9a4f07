"""Normalising, tokenising, truecasing: exact cases and properties."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import MissingExtraError, ModelError
from dragoman.text.config import TextConfig
from dragoman.text.normalise import normalise
from dragoman.text.tokenise import CharacterTokeniser, join_unspaced, make_tokeniser
from dragoman.text.truecase import TruecaseLearner, Truecaser

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("plain text", "plain text"),
        ("  two \t spaces \u00a0 ", "two spaces"),
        ("cafe\u0301", "caf\u00e9"),
        ("a\u200bb\ufeffc\x07d\u00ade", "abcde"),
        ("e\u200b\u0301", "\u00e9"),
        ("می\u200cروم", "می\u200cروم"),
        ("line\nfeed\u2028sep", "line feed sep"),
        ("", ""),
    ],
)
def test_normalise(raw, expected):
    assert normalise(raw) == expected


@given(TEXT)
def test_normalising_twice_changes_nothing_more(text):
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once == " ".join(once.split())


@given(TEXT)
def test_characters_lose_nothing(text):
    clean = normalise(text)
    tokeniser = CharacterTokeniser()
    tokens = tokeniser.tokenise(clean)
    assert tokeniser.detokenise(tokens) == clean
    assert "  " not in tokens


def test_characters_by_hand():
    assert CharacterTokeniser().tokenise("ab c") == "a b ▁ c"
    assert CharacterTokeniser().tokenise("▁") == "▁▁"
    # a base letter keeps the mark that has no composed form
    assert CharacterTokeniser().tokenise("x\u0301y") == "x\u0301 y"


def test_moses_by_language():
    english, french = make_tokeniser("moses", "en"), make_tokeniser("moses", "fr-FR")
    assert english.tokenise("It's 5 o'clock, isn't it?") == "It 's 5 o 'clock , isn 't it ?"
    assert french.tokenise("J'ai l'heure.") == "J' ai l' heure ."
    assert french.detokenise("J' ai l' heure .") == "J'ai l'heure."
    assert english.tokenise("a <b> & c | d") == "a < b > & c | d"


def test_whitespace_leaves_text_alone():
    tokeniser = make_tokeniser("whitespace", "xx")
    assert tokeniser.tokenise("don't, touch.") == "don't, touch."


@pytest.mark.parametrize("name", ["mecab", "jieba"])
def test_optional_tokenisers_work_or_say_what_to_install(name):
    try:
        tokeniser = make_tokeniser(name, "")
    except MissingExtraError as problem:
        assert re.search(rf"pip install '[^']+\[{name}\]'", str(problem))
        return
    text = {"mecab": "私は学生です。", "jieba": "我是学生。"}[name]
    tokens = tokeniser.tokenise(text)
    assert " " in tokens
    assert tokeniser.detokenise(tokens) == text


def test_joining_unspaced_scripts():
    assert join_unspaced("私 は iPhone 15 です 。") == "私はiPhone 15です。"


def learn(*lines):
    learner = TruecaseLearner()
    learner.update(lines)
    return learner.finish()


def test_truecase():
    truecaser = learn("I like Paris .", "we like the USA .", "like Paris", "The like")
    assert truecaser.truecase("Like it .") == "like it ."
    assert truecaser.truecase("Paris is nice .") == "Paris is nice ."
    assert truecaser.truecase('" The end') == '" the end'
    assert truecaser.truecase("USA wins") == "USA wins"
    assert truecaser.truecase("McDonald sings") == "McDonald sings"
    assert truecaser.truecase("1234 .") == "1234 ."
    assert truecaser.truecase("") == ""
    assert Truecaser.restore('" the end') == '" The end'
    assert Truecaser.restore("iPhone users") == "iPhone users"
    assert Truecaser.restore("123 !") == "123 !"


def test_truecaser_survives_saving(tmp_path):
    truecaser = learn("in Paris")
    truecaser.save(tmp_path / "t.json")
    assert Truecaser.load(tmp_path / "t.json").truecase("Paris") == "Paris"
    for damage in ("{", "[]", '{"a": 3}'):
        (tmp_path / "t.json").write_text(damage)
        with pytest.raises(ModelError, match="damaged"):
            Truecaser.load(tmp_path / "t.json")


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
    assert TextConfig(tokeniser=tokeniser, truecase=truecase).truecases is expected
