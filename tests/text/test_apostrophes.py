"""Apostrophes inside words, by hand."""

from __future__ import annotations

import pytest

from dragoman.text.apostrophes import MOST_LINES, ApostropheLearner
from dragoman.text.config import TextConfig
from dragoman.text.form import TextForm, learns_apostrophes
from dragoman.text.normalise import Apostrophes
from dragoman.text.protect import HeldPieces
from dragoman.text.writing import Marks


def learnt(lines):
    learner = ApostropheLearner()
    for line in lines:
        learner.update(line)
    return learner.finish()


APART = Apostrophes("'", apart=True)


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("juk ’ a uta", "juk’a uta"),
        ("qilqt 'atanak", "qilqt'atanak"),
        ("l' homme", "l'homme"),
        ("t ’ a k ’ a", "t’a k’a"),
        ("wali 'uta' jach'a", "wali 'uta' jach'a"),  # quoted
        ("wali ' uta.", "wali'uta."),
        ("'uta' wali", "'uta' wali"),
        ("k`ara", "k'ara"),
        ("5 ' 6 '", "5 ' 6 '"),
        ("' a", "' a"),
        ("", ""),
    ],
)
def test_words_are_joined_at_their_apostrophes(text, joined):
    assert APART.joined(text) == joined
    assert Apostrophes("'").joined(text) == text


def test_the_usual_form_is_that_of_words_alone():
    tokens = ["ch’aska", "’", "l`eau", "d’", "7’", "´´", "a"]
    assert Apostrophes("'").usual_in(tokens) == ["ch'aska", "’", "l'eau", "d'", "7’", "´´", "a"]
    assert Apostrophes().usual_in(tokens) == tokens


def test_spaces_are_learnt_where_a_neighbour_is_no_word_by_itself():
    broken = [f"juk ’ a uta{'xyz'[n % 3]}" for n in range(20)]
    assert learnt(broken) == Apostrophes("’", apart=True)
    assert learnt(broken[:19]) == Apostrophes(), "too few to tell"
    said = [f"say 'word{chr(97 + n)}' now and say nothing, say it" for n in range(20)]
    assert learnt(said) == Apostrophes(), "these are quotations"
    assert learnt(f"{one} 'b" for one in "cdef" * 9).apart
    assert not learnt(f"{one} 'b {one} b" for one in "cdef" * 9).apart, "words by themselves"
    assert learnt(["don ’ t", *["do n't"] * 30]) == Apostrophes("'"), "inside they are usual"


def test_odd_forms_are_those_of_words_only_in_text_that_has_spaces_beside_them():
    assert learnt(["k`ara"] * 30) == Apostrophes()
    assert learnt(["k ` ara"] * 30) == Apostrophes("'", apart=True)


def test_learning_is_bounded():
    learner = ApostropheLearner()
    for _ in range(MOST_LINES):
        learner.update("a")
    learner.update("l'eau")
    assert learner.finish() == Apostrophes()
    learnt(["x" * 1_000_000, "' " * 500_000, "a '" * 300_000])


@pytest.mark.parametrize(
    ("tokeniser", "sides"),
    [("words", (True, True)), ("whitespace", (False, False)), ("char", (False, False))],
)
def test_text_that_comes_as_tokens_keeps_its_apostrophes(tokeniser, sides):
    config = TextConfig(tokeniser=tokeniser)
    assert (learns_apostrophes(config, "source"), learns_apostrophes(config, "target")) == sides


def test_a_model_cuts_both_sides_alike_and_copies_what_was_written():
    config = TextConfig(source_language="ay", target_language="fr", truecase="no")
    marks = Marks(source=Apostrophes("’", apart=True), target=Apostrophes("'"))
    form = TextForm(config, marks=marks)
    for text in ("juk'a uta", "juk ’ a uta", "juk` a uta"):
        assert form.prepare_source(text) == "juk’a uta"
    assert form.prepare_term("juk'a") == ["juk’a"]
    assert form.prepare_target("l’eau") == "l' eau"
    line = form.source_line("juk'a uta", HeldPieces())
    assert (line.tokens, line.written) == (["juk’a", "uta"], ["juk'a", "uta"])
    source, target = form.cut_pair("juk ' a", "d’abord l’eau", {})
    assert (source.tokens, target.tokens) == (["juk’a"], ["d'", "abord", "l'", "eau"])
