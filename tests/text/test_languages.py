"""Codes of languages, and which tokeniser each of them gets."""

from __future__ import annotations

import pytest

from dragoman.errors import UsageError
from dragoman.layout import WRITING
from dragoman.text.config import TextConfig
from dragoman.text.form import form_files
from dragoman.text.languages import apostrophe_rule, check_language, segmentation


@pytest.mark.parametrize("code", ["", "en", "pt-BR", "zh_Hant", "nah", "quy", "yue", "und"])
def test_codes(code: str) -> None:
    check_language(code)


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("jp", "did you mean 'ja' (Japanese)?"),
        ("english", "did you mean 'en' (English)?"),
        ("cz", "did you mean 'cs' (Czech)?"),
        ("Frensh", "did you mean 'fr' (French)?"),
        ("xx", "such as en or pt-BR"),
        ("en fr", "such as en or pt-BR"),
    ],
)
def test_what_is_no_code(code: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        TextConfig(source_language=code).resolved()
    assert repr(code) in str(refused.value)
    assert hint in str(refused.value)


def test_rules_of_languages() -> None:
    assert [apostrophe_rule(code) for code in ("en-GB", "fr", "de")] == [
        "before",
        "behind",
        "inside",
    ]
    assert [segmentation(code) for code in ("en", "ja", "zh-TW", "th")] == [
        "words",
        "mecab",
        "jieba",
        "segmenter",
    ]


def test_writing_is_learnt_where_the_target_is_raw() -> None:
    tokens = TextConfig(source_tokeniser="whitespace", target_tokeniser="words")
    assert WRITING in form_files(tokens)
    assert WRITING in form_files(TextConfig())
    assert WRITING not in form_files(TextConfig(tokeniser="whitespace"))
    assert WRITING not in form_files(TextConfig(tokeniser="mecab", item_kinds=False))  # of 0.1


def test_each_side_has_its_own() -> None:
    config = TextConfig(source_language="th", target_language="en").resolved()
    assert (config.source_tokeniser, config.target_tokeniser) == ("segmenter", "words")
    both = TextConfig(tokeniser="subword", target_tokeniser="words").resolved()
    assert (both.source_tokeniser, both.target_tokeniser) == ("subword", "words")
    ready = TextConfig(source_language="th", tokeniser="whitespace").resolved()
    assert (ready.source_tokeniser, ready.truecases, ready.raw) == ("whitespace", False, False)
