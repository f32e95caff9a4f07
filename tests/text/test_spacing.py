"""White space between tokens, learnt from text."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.text.spacing import Spacing, SpacingLearner
from dragoman.text.tokenise import make_tokeniser


def learnt(lines: Sequence[str], language: str = "fr") -> Spacing:
    learner = SpacingLearner()
    tokeniser = make_tokeniser("words", language)
    for line in lines:
        cut = tokeniser.cut(line).for_model({})
        learner.update(cut.tokens, cut.gaps[1:-1])
    return learner.finish()


def joined(spacing: Spacing, tokens: str) -> str:
    words = tokens.split()
    parts = words[:1]
    for gap, word in zip(spacing.gaps(words), words[1:], strict=True):
        parts += [gap, word]
    return "".join(parts)


FRENCH = [
    "Le nom « maison » existe\u00a0: voulez-vous l'effacer\u00a0?",
    "Fichier\u00a0: 10, 20 (et l'autre)...",
    "Impossible d'ouvrir « jardin »\u00a0!",
    "Cliquez sur l'icône, puis sur OK.",
] * 3


def test_as_the_language_writes() -> None:
    spacing = learnt(FRENCH)
    assert joined(spacing, "Nom : l' arbre « chat » , puis d' eau ...") == (
        "Nom\u00a0: l'arbre « chat », puis d'eau..."
    )
    assert joined(spacing, "arbre ! chat ?") == "arbre\u00a0! chat\u00a0?"


def test_quotes_that_open_and_close_alike() -> None:
    spacing = learnt(['Say "hello" to "them", please.', 'A "house" is "big".'] * 2, "en")
    assert joined(spacing, 'the " tree " and " bird " .') == 'the "tree" and "bird".'


def test_what_was_learnt_is_kept_in_full() -> None:
    spacing = learnt(FRENCH)
    again = Spacing.from_json(spacing.to_json())
    for line in FRENCH:
        tokens = make_tokeniser("words", "fr").cut(line).for_model({}).tokens
        assert again.gaps(tokens) == spacing.gaps(tokens)


def test_nothing_learnt_is_no_reason_to_fail() -> None:
    assert joined(Spacing(), "a b") == "a b"
    assert joined(Spacing(), "東京 は") == "東京は"


def test_marks_that_open_keep_their_distance_from_words_that_close_ones_follow() -> None:
    lines = ["Le nom de Qt, Qt. Qt... (Qt)", "Le nom « maison » de Qt, voir « jardin »"] * 3
    assert joined(learnt(lines), "Qt « chat »") == "Qt « chat »"


def test_scripts_without_spaces_are_spaced_where_the_text_has_none_of_them() -> None:
    assert joined(learnt(FRENCH), "東京 maison") == "東京 maison"
