"""Normalising, tokenising, truecasing: exact cases and properties."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import MissingExtraError, ModelError
from dragoman.text.config import TextConfig
from dragoman.text.normalise import normalise, normalise_plainly
from dragoman.text.tokenise import CharacterTokeniser, make_tokeniser
from dragoman.text.truecase import TruecaseLearner, Truecaser

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("plain text", "plain text"),
        ("  two \t spaces \u00a0 ", "two spaces"),
        ("non\u00a0breaking", "non\u00a0breaking"),
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
    assert normalise_plainly(text) == " ".join(once.split())


@given(TEXT)
def test_characters_lose_nothing(text):
    clean = normalise(text)
    tokeniser = CharacterTokeniser()
    tokens = tokeniser.cut(clean).tokens
    assert tokeniser.join(tokens) == clean
    assert not any(" " in token for token in tokens)


def test_characters_by_hand():
    cut = CharacterTokeniser().cut
    assert cut("ab c").tokens == ["a", "b", "▁", "c"]
    assert cut("▁").tokens == ["▁▁"]
    assert cut("a\u00a0b\u202fc").tokens == ["a", "▁n", "b", "▁t", "c"]
    assert cut("\U000f0000\u0301").tokens == ["\U000f0000", "\u0301"]  # something is held
    # a base letter keeps the mark that has no composed form
    assert cut("x\u0301y").tokens == ["x\u0301", "y"]


def test_moses_by_language():
    english, french = make_tokeniser("moses", "en"), make_tokeniser("moses", "fr-FR")
    tokens = ["It", "'s", "5", "o", "'clock", ",", "isn", "'t", "it", "?"]
    assert english.cut("It's 5 o'clock, isn't it?").tokens == tokens
    assert french.cut("J'ai l'heure.").tokens == ["J'", "ai", "l'", "heure", "."]
    assert french.join(["J'", "ai", "l'", "heure", "."]) == "J'ai l'heure."
    assert english.cut("a <b> & c | d").tokens == ["a", "<", "b", ">", "&", "c", "|", "d"]


def test_whitespace_leaves_text_alone():
    tokeniser = make_tokeniser("whitespace", "xx")
    assert tokeniser.cut("don't, touch.").tokens == ["don't,", "touch."]


@pytest.mark.parametrize("name", ["mecab", "jieba"])
def test_optional_tokenisers_work_or_say_what_to_install(name):
    try:
        tokeniser = make_tokeniser(name, "")
    except MissingExtraError as problem:
        assert re.search(rf"pip install '[^']+\[{name}\]'", str(problem))
        return
    text = {"mecab": "私は学生です。", "jieba": "我是学生。"}[name]
    cut = tokeniser.cut(text)
    assert len(cut.tokens) > 3
    assert cut.text == text


def words(text):
    return text.split()


def learn(*lines):
    learner = TruecaseLearner()
    for line in lines:
        learner.update(line.split())
    return learner.finish()


def test_truecase():
    truecaser = learn("I like Paris .", "we like the USA .", "like Paris", "The like")

    def cased(text):
        return " ".join(truecaser.truecase(text.split()))

    assert cased("Like it .") == "like it ."
    assert cased("Paris is nice .") == "Paris is nice ."
    assert cased('" The end') == '" the end'
    assert cased("USA wins") == "USA wins"
    assert cased("McDonald sings") == "McDonald sings"
    assert cased("1234 .") == "1234 ."
    assert cased("") == ""
    assert Truecaser.restore(['"', "the", "end"]) == ['"', "The", "end"]
    assert Truecaser.restore(["iPhone", "users"]) == ["iPhone", "users"]
    assert Truecaser.restore(["123", "!"]) == ["123", "!"]


def test_truecase_inside_a_line():
    learner = TruecaseLearner(classed=True)
    learner.update(words("Is it ? Paris is . the Paris"))
    classed = learner.finish()
    assert classed.truecase(words("5 Men . Go to Paris")) == words("5 Men . go to Paris")
    assert classed.truecase(words("⟨ph⟩ Men ? « Paris » . 3 Go")) == (
        words("⟨ph⟩ Men ? « Paris » . 3 Go")
    )
    assert learn("a b").truecase(words("5 Men . Go")) == words("5 men . Go")


def test_truecaser_survives_saving(tmp_path):
    truecaser = learn("in Paris")
    truecaser.save(tmp_path / "t.json")
    assert Truecaser.load(tmp_path / "t.json").truecase(["Paris"]) == ["Paris"]
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
